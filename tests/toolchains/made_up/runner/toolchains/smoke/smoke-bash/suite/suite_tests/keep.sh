source arithmetic.sh

test_add() {
    expect 5 add 2 3
}
