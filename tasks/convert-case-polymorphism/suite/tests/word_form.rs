use convert_case::word_form::{Capital, Lower, Toggle, Upper, WordForm};

#[test]
fn small_and_large() {
    assert_eq!(Lower.apply("ÀBc9ß"), "àbc9ß");
    assert_eq!(Upper.apply("Àbc9ß"), "ÀBC9SS");
}

#[test]
fn capital() {
    assert_eq!(Capital.apply("mIXED"), "Mixed");
    assert_eq!(Capital.apply("ßTRASSE"), "SStrasse");
    assert_eq!(Capital.apply("9LIVES"), "9lives");
}

#[test]
fn toggle() {
    assert_eq!(Toggle.apply("MiXed"), "mIXED");
    assert_eq!(Toggle.apply("ÉcoLes"), "éCOLES");
    assert_eq!(Toggle.apply("SSß"), "sSSS");
}

#[test]
fn empty_words() {
    assert_eq!(
        format!(
            "<{}{}{}{}>",
            Lower.apply(""),
            Upper.apply(""),
            Capital.apply(""),
            Toggle.apply("")
        ),
        "<>"
    );
}

#[test]
fn the_trait_at_the_root() {
    assert_eq!(convert_case::WordForm::apply(&Toggle, "Knot"), "kNOT");
}
