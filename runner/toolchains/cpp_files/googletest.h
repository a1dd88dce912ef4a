// Read before anything of the product, and compiled once for a task's image: GoogleTest by its own path.
#include "/usr/include/gtest/gtest.h"
