// The entry of every unit's program: the product's own `main`, if it has one, stays out.
int main(int argc, char** argv) {
  testing::InitGoogleTest(&argc, argv);
  return RUN_ALL_TESTS();
}
