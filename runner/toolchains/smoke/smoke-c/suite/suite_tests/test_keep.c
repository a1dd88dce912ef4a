#include <assert.h>

#include "arithmetic.h"

void test_add(void)
{
    assert(add(2, 3) == 5);
}
