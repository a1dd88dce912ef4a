use convert_case::pattern_rule::{Alternating, EachWord, FirstThenRest, PatternRule};
use convert_case::word_form::{Capital, Lower, Toggle, Upper, WordForm};
use convert_case::Pattern;

struct Mirrored;

impl WordForm for Mirrored {
    fn apply(&self, word: &str) -> String {
        word.chars().rev().collect()
    }
}

#[test]
fn each_word() {
    assert_eq!(
        EachWord(&Upper).mutate(&["red", "Fox"]).join("|"),
        "RED|FOX"
    );
    assert_eq!(
        EachWord(&Toggle).mutate(&["red", "Fox"]).join("|"),
        "rED|fOX"
    );
}

#[test]
fn each_word_of_ones_own() {
    assert_eq!(
        EachWord(&Mirrored).mutate(&["stop", "Dog", ""]).join("|"),
        "pots|goD|"
    );
}

#[test]
fn first_then_rest() {
    assert_eq!(
        FirstThenRest {
            first: &Upper,
            rest: &Toggle
        }
        .mutate(&["big", "red", "barn"])
        .join("|"),
        "BIG|rED|bARN"
    );
    assert_eq!(
        FirstThenRest {
            first: &Mirrored,
            rest: &Capital
        }
        .mutate(&["lived", "ON"])
        .join("|"),
        "devil|On"
    );
    assert_eq!(
        FirstThenRest {
            first: &Lower,
            rest: &Mirrored
        }
        .mutate(&["NO", "trap", "Emit"])
        .join("|"),
        "no|part|timE"
    );
}

#[test]
fn alternating() {
    assert_eq!(
        Alternating.mutate(&["Wind", "3rd", "x-Y"]).join("|"),
        "wInD|3rD|x-Y"
    );
}

#[test]
fn rules_of_all_patterns() {
    assert_eq!(
        [
            Pattern::Lowercase,
            Pattern::Uppercase,
            Pattern::Capital,
            Pattern::Sentence,
            Pattern::Camel,
            Pattern::Alternating,
            Pattern::Toggle
        ]
        .iter()
        .map(|pattern| pattern.rule().mutate(&["mY", "oWN"]).concat())
        .collect::<String>(),
        "myownMYOWNMyOwnMyownmyOwnmYoWnmYoWN"
    );
}

#[test]
fn no_words_and_one() {
    assert_eq!(
        format!(
            "{:?}{:?}",
            EachWord(&Lower).mutate(&[]),
            FirstThenRest {
                first: &Upper,
                rest: &Lower
            }
            .mutate(&["one"])
        ),
        "[][\"ONE\"]"
    );
}

#[test]
fn the_trait_at_the_root() {
    assert_eq!(
        convert_case::PatternRule::mutate(&EachWord(&Capital), &["wELL", "dONE"]).join("|"),
        "Well|Done"
    );
}
