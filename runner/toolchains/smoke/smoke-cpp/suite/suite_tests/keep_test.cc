#include "arithmetic.h"

#include <gtest/gtest.h>

TEST(Arithmetic, AddAdds) { EXPECT_EQ(Add(2, 3), 5); }
