use convert_case::{Boundary, Converter};

#[test]
fn boundaries_named_by_example() {
    assert_eq!(
        format!("{:?}", Boundary::list_from("x_9 Y")),
        "[Underscore, Space]"
    );
    assert_eq!(
        format!("{:?}", Boundary::list_from("k4-Kk")),
        "[Hyphen, UpperLower, LowerDigit]"
    );
    assert_eq!(
        format!("{:?}", Boundary::list_from("Q7 7Q 7q")),
        "[Space, DigitUpper, UpperDigit, DigitLower]"
    );
}

#[test]
fn pairs_after_two_large_letters() {
    assert_eq!(format!("{:?}", Boundary::list_from("QQ7")), "[]");
    assert_eq!(
        format!("{:?}", Boundary::list_from("QQ7Q8")),
        "[DigitUpper, UpperDigit]"
    );
    assert_eq!(format!("{:?}", Boundary::list_from("QQq")), "[Acronym]");
    assert_eq!(
        format!("{:?}", Boundary::list_from("QQq:Qq")),
        "[UpperLower, Acronym]"
    );
    assert_eq!(
        format!("{:?}", Boundary::list_from("QQQq_")),
        "[Underscore, Acronym]"
    );
}

#[test]
fn short_texts_name_no_boundary() {
    assert_eq!(
        format!(
            "{:?}{:?}{:?}",
            Boundary::list_from(""),
            Boundary::list_from("Z"),
            Boundary::list_from("-")
        ),
        "[][][Hyphen]"
    );
}

#[test]
fn pairs_split_between() {
    assert_eq!(
        Converter::new()
            .set_boundaries(&[Boundary::UpperLower])
            .set_delim("|")
            .convert("abCDeF7"),
        "abCD|eF7"
    );
    assert_eq!(
        Converter::new()
            .set_boundaries(&[Boundary::LowerDigit, Boundary::DigitUpper])
            .set_delim("|")
            .convert("abC7De5F7g"),
        "abC7|De|5|F7g"
    );
    assert_eq!(
        Converter::new()
            .set_boundaries(&[Boundary::UpperDigit, Boundary::DigitLower])
            .set_delim("|")
            .convert("abC7De5F7g"),
        "abC|7De5F|7|g"
    );
}

#[test]
fn acronyms_split_before_the_last_large_letter() {
    assert_eq!(
        Converter::new()
            .set_boundaries(&[Boundary::Acronym])
            .set_delim("|")
            .convert("SQLDumpABc"),
        "SQL|DumpA|Bc"
    );
    assert_eq!(
        Converter::new()
            .set_boundaries(&[Boundary::Acronym, Boundary::UpperLower])
            .set_delim("|")
            .convert("SQLDumpABc"),
        "SQL|D|umpA|B|c"
    );
}

#[test]
fn a_delimiter_goes_also_where_others_split() {
    assert_eq!(
        Converter::new()
            .set_boundaries(&[Boundary::LowerUpper, Boundary::Hyphen, Boundary::Hyphen])
            .set_delim("|")
            .convert("oneTwo-Three-four"),
        "one|Two|Three|four"
    );
}

#[test]
fn graphemes_stay_whole() {
    assert_eq!(
        Converter::new()
            .set_boundaries(&[Boundary::LowerUpper])
            .set_delim("|")
            .convert("aE\u{301}bN\u{303}"),
        "a|Éb|Ñ"
    );
    assert_eq!(
        Converter::new()
            .set_boundaries(&Boundary::all())
            .set_delim("|")
            .convert("日Ab本9aÜü"),
        "日A|b本9|a|Ü|ü"
    );
}
