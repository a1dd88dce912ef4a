#pragma once

int Add(int left, int right);
