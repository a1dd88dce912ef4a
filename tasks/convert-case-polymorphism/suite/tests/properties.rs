use convert_case::{Boundary, Case};

#[test]
fn delimiters_of_all_cases() {
    assert_eq!(Case::all_cases().iter().map(|case| format!("{:?}[{}]", case, case.delim())).collect::<String>(), "Upper[ ]Lower[ ]Title[ ]Toggle[ ]Camel[]Pascal[]UpperCamel[]Snake[_]UpperSnake[_]ScreamingSnake[_]Kebab[-]Cobol[-]UpperKebab[-]Train[-]Flat[]UpperFlat[]Alternating[ ]");
}

#[test]
fn patterns_of_all_cases() {
    assert_eq!(Case::all_cases().iter().map(|case| format!("{:?}/", case.pattern())).collect::<String>(), "Uppercase/Lowercase/Capital/Toggle/Camel/Capital/Capital/Lowercase/Uppercase/Uppercase/Lowercase/Uppercase/Uppercase/Capital/Lowercase/Uppercase/Alternating/");
}

#[test]
fn boundaries_of_all_cases() {
    assert_eq!(Case::all_cases().iter().map(|case| format!("{:?}", case.boundaries())).collect::<String>(), "[Space][Space][Space][Space][LowerUpper, Acronym, LowerDigit, UpperDigit, DigitLower, DigitUpper][LowerUpper, Acronym, LowerDigit, UpperDigit, DigitLower, DigitUpper][LowerUpper, Acronym, LowerDigit, UpperDigit, DigitLower, DigitUpper][Underscore][Underscore][Underscore][Hyphen][Hyphen][Hyphen][Hyphen][][][Space]");
}

#[test]
fn groups_of_boundaries() {
    assert_eq!(format!("{:?}{:?}", Boundary::defaults(), Boundary::all()), "[Underscore, Hyphen, Space, LowerUpper, UpperDigit, DigitUpper, DigitLower, LowerDigit, Acronym][Hyphen, Underscore, Space, LowerUpper, UpperLower, DigitUpper, UpperDigit, DigitLower, LowerDigit, Acronym]");
    assert_eq!(format!("{:?}{:?}{:?}{:?}", Boundary::delims(), Boundary::digits(), Boundary::letter_digit(), Boundary::digit_letter()), "[Hyphen, Underscore, Space][DigitUpper, UpperDigit, DigitLower, LowerDigit][UpperDigit, LowerDigit][DigitUpper, DigitLower]");
}
