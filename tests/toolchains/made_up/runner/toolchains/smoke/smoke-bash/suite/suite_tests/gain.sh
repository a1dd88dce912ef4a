source arithmetic.sh

test_double() {
    expect 42 double 21
}
