#include "arithmetic.h"

int Add(int left, int right) { return left + right; }
