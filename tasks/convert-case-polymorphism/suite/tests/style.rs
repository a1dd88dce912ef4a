use convert_case::style::CaseStyle;
use convert_case::{Boundary, Case, Converter, Pattern};

struct Dotted;

impl CaseStyle for Dotted {
    fn delim(&self) -> &'static str {
        "."
    }

    fn pattern(&self) -> Pattern {
        Pattern::Sentence
    }

    fn boundaries(&self) -> &'static [Boundary] {
        &[Boundary::Underscore, Boundary::UpperDigit]
    }
}

#[test]
fn styles_of_all_cases() {
    assert_eq!(Case::all_cases().iter().map(|case| format!("{:?}[{}]", case.style().pattern(), case.style().delim())).collect::<String>(), "Uppercase[ ]Lowercase[ ]Capital[ ]Toggle[ ]Camel[]Capital[]Capital[]Lowercase[_]Uppercase[_]Uppercase[_]Lowercase[-]Uppercase[-]Uppercase[-]Capital[-]Lowercase[]Uppercase[]Alternating[ ]");
}

#[test]
fn styles_know_boundaries() {
    assert_eq!(Case::all_cases().iter().map(|case| format!("{}{:?}", case.style().boundaries().len(), case.style().boundaries().first())).collect::<String>(), "1Some(Space)1Some(Space)1Some(Space)1Some(Space)6Some(LowerUpper)6Some(LowerUpper)6Some(LowerUpper)1Some(Underscore)1Some(Underscore)1Some(Underscore)1Some(Hyphen)1Some(Hyphen)1Some(Hyphen)1Some(Hyphen)0None0None1Some(Space)");
    assert_eq!(
        format!("{:?}", Case::Pascal.style().boundaries()),
        "[LowerUpper, Acronym, LowerDigit, UpperDigit, DigitLower, DigitUpper]"
    );
}

#[test]
fn a_style_of_ones_own_to() {
    assert_eq!(
        Converter::new().to_style(&Dotted).convert("GO home-NOW7"),
        "Go.home.now.7"
    );
    assert_eq!(
        Converter::new()
            .from_case(Case::Kebab)
            .to_style(&Dotted)
            .convert("GO-home_NOW"),
        "Go.home_now"
    );
}

#[test]
fn a_style_of_ones_own_from() {
    assert_eq!(
        Converter::new()
            .from_style(&Dotted)
            .to_case(Case::Kebab)
            .convert("goHome_NOW7up"),
        "gohome-now-7up"
    );
    assert_eq!(
        Converter::new()
            .set_delim("/")
            .from_style(&Dotted)
            .convert("goHome_NOW7up"),
        "goHome/NOW/7up"
    );
}

#[test]
fn a_style_of_a_case_used_as_ones_own() {
    assert_eq!(
        Converter::new()
            .from_style(Case::Flat.style())
            .to_style(Case::Cobol.style())
            .convert("keep_whole"),
        "KEEP_WHOLE"
    );
    assert_eq!(
        Converter::new()
            .from_style(Case::Snake.style())
            .to_style(Case::UpperCamel.style())
            .convert("took_aPart"),
        "TookApart"
    );
}

#[test]
fn the_trait_at_the_root() {
    assert_eq!(convert_case::CaseStyle::delim(&Dotted).repeat(3), "...");
}
