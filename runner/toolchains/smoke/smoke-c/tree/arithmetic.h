#ifndef ARITHMETIC_H
#define ARITHMETIC_H

int add(int left, int right);

#endif
