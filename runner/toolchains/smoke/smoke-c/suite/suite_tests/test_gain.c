#include <stdio.h>

#include "arithmetic.h"

int main(void)
{
    if (twice(21) != 42) {
        fprintf(stderr, "%s:%d: twice(21) is %d\n", __FILE__, __LINE__, twice(21));
        return 1;
    }
    return 0;
}
