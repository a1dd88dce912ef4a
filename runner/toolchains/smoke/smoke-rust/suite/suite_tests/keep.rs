use arithmetic::add;

#[test]
fn adds() {
    assert_eq!(add(2, 3), 5);
}
