#include "arithmetic.h"

#include <gtest/gtest.h>

TEST(Arithmetic, DoubleDoubles) { EXPECT_EQ(Double(21), 42); }
