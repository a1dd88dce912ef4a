use convert_case::{Case, Converter, Pattern};

#[test]
fn words_all_alike() {
    assert_eq!(
        Pattern::Lowercase.mutate(&["HaRd", "ŒUVRE"]).join("|"),
        "hard|œuvre"
    );
    assert_eq!(
        Pattern::Uppercase.mutate(&["HaRd", "maß"]).join("|"),
        "HARD|MASS"
    );
    assert_eq!(
        Pattern::Capital.mutate(&["HaRd", "ŒUVRE", "x"]).join("|"),
        "Hard|Œuvre|X"
    );
    assert_eq!(
        Pattern::Toggle.mutate(&["HaRd", "œuvre", "X"]).join("|"),
        "hARD|œUVRE|x"
    );
}

#[test]
fn the_first_word_another_way() {
    assert_eq!(
        Pattern::Sentence.mutate(&["KING", "of", "ROME"]).join("|"),
        "King|of|rome"
    );
    assert_eq!(
        Pattern::Camel.mutate(&["KING", "of", "ROME"]).join("|"),
        "king|Of|Rome"
    );
}

#[test]
fn letters_by_turns() {
    assert_eq!(
        Pattern::Alternating
            .mutate(&["sun7ny", "day-s", "QUIET"])
            .join("|"),
        "sUn7Ny|DaY-s|QuIeT"
    );
    assert_eq!(
        Pattern::Alternating.mutate(&["日本x", "yz"]).join("|"),
        "日本x|Yz"
    );
}

#[test]
fn empty_words_stay() {
    assert_eq!(Pattern::Camel.mutate(&["", "Up", ""]).join("|"), "|Up|");
    assert_eq!(Pattern::Capital.mutate(&["", "uP", ""]).join("|"), "|Up|");
    assert_eq!(Pattern::Toggle.mutate(&["", "uP"]).join("|"), "|uP");
}

#[test]
fn a_converter_put_together() {
    assert_eq!(
        Converter::new()
            .from_case(Case::Kebab)
            .set_pattern(Pattern::Sentence)
            .set_delim("::")
            .convert("LONG-way-HOME_now"),
        "Long::way::home_now"
    );
    assert_eq!(
        Converter::new()
            .to_case(Case::Train)
            .remove_delim()
            .convert("fast_RIVER bank"),
        "FastRiverBank"
    );
    assert_eq!(
        Converter::new()
            .to_case(Case::Camel)
            .from_case(Case::Snake)
            .convert("two_by-FOUR_x"),
        "twoBy-fourX"
    );
}
