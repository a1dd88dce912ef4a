use arithmetic::double;

#[test]
fn doubles() {
    assert_eq!(double(21), 42);
}
