use convert_case::{Boundary, Case, Casing};

#[test]
fn spaced_cases() {
    assert_eq!(
        "over-the_hillsAndFar2".to_case(Case::Upper),
        "OVER THE HILLS AND FAR 2"
    );
    assert_eq!(
        "over-the_hillsAndFar2".to_case(Case::Lower),
        "over the hills and far 2"
    );
    assert_eq!(
        "over-the_hillsAndFar2".to_case(Case::Title),
        "Over The Hills And Far 2"
    );
    assert_eq!(
        "over-the_hillsAndFar2".to_case(Case::Toggle),
        "oVER tHE hILLS aND fAR 2"
    );
    assert_eq!(
        "over-the_hillsAndFar2".to_case(Case::Alternating),
        "oVeR tHe HiLlS aNd FaR 2"
    );
}

#[test]
fn underscored_cases() {
    assert_eq!(
        "parseJSONFile2Disk".to_case(Case::Snake),
        "parse_json_file_2_disk"
    );
    assert_eq!(
        "parseJSONFile2Disk".to_case(Case::UpperSnake),
        "PARSE_JSON_FILE_2_DISK"
    );
    assert_eq!(
        "readXMLRow7".to_case(Case::ScreamingSnake),
        "READ_XML_ROW_7"
    );
}

#[test]
fn hyphenated_cases() {
    assert_eq!(
        "parseJSONFile2Disk".to_case(Case::Kebab),
        "parse-json-file-2-disk"
    );
    assert_eq!(
        "parseJSONFile2Disk".to_case(Case::Cobol),
        "PARSE-JSON-FILE-2-DISK"
    );
    assert_eq!("readXMLRow7".to_case(Case::UpperKebab), "READ-XML-ROW-7");
    assert_eq!("read XML row7".to_case(Case::Train), "Read-Xml-Row-7");
}

#[test]
fn joined_cases() {
    assert_eq!("OIL rig-number_4".to_case(Case::Camel), "oilRigNumber4");
    assert_eq!("OIL rig-number_4".to_case(Case::Pascal), "OilRigNumber4");
    assert_eq!(
        "gas RIG-number_5".to_case(Case::UpperCamel),
        "GasRigNumber5"
    );
    assert_eq!("OIL rig-number_4".to_case(Case::Flat), "oilrignumber4");
    assert_eq!("OIL rig-number_4".to_case(Case::UpperFlat), "OILRIGNUMBER4");
}

#[test]
fn camel_is_taken_apart_at_humps() {
    assert_eq!(
        "getHTTPCode404Now by id"
            .from_case(Case::Camel)
            .to_case(Case::Snake),
        "get_http_code_404_now by id"
    );
    assert_eq!(
        "A2bCDe".from_case(Case::Pascal).to_case(Case::Kebab),
        "a-2-b-c-de"
    );
    assert_eq!(
        "A2bCDf".from_case(Case::UpperCamel).to_case(Case::Train),
        "A-2-B-C-Df"
    );
}

#[test]
fn delimited_cases_split_there_alone() {
    assert_eq!(
        "grandTotal_of-2Days now"
            .from_case(Case::Snake)
            .to_case(Case::Title),
        "Grandtotal Of-2days now"
    );
    assert_eq!(
        "grandTotal_of-2Days now"
            .from_case(Case::Train)
            .to_case(Case::Snake),
        "grandtotal_of_2days now"
    );
    assert_eq!(
        "grandTotal_of-2Days now"
            .from_case(Case::Toggle)
            .to_case(Case::Kebab),
        "grandtotal_of-2days-now"
    );
}

#[test]
fn flat_is_never_taken_apart() {
    assert_eq!(
        "tenGreen_bottles-3"
            .from_case(Case::Flat)
            .to_case(Case::Title),
        "Tengreen_bottles-3"
    );
    assert_eq!(
        "tenGreen_bottles-3"
            .from_case(Case::UpperFlat)
            .to_case(Case::Toggle),
        "tENGREEN_BOTTLES-3"
    );
}

#[test]
fn chosen_boundaries() {
    assert_eq!(
        "moveTo12B_now"
            .with_boundaries(&[Boundary::DigitUpper, Boundary::LowerUpper])
            .to_case(Case::Snake),
        "move_to12_b_now"
    );
    assert_eq!(
        "moveTo12B_now"
            .from_case(Case::Camel)
            .without_boundaries(&Boundary::digit_letter())
            .to_case(Case::Kebab),
        "move-to-12b_now"
    );
}

#[test]
fn letters_of_other_scripts() {
    assert_eq!(
        "größteStraßeÉtage".to_case(Case::UpperSnake),
        "GRÖSSTE_STRASSE_ÉTAGE"
    );
    assert_eq!("ßein élan".to_case(Case::Title), "SSein Élan");
    assert_eq!("белаяНочь".to_case(Case::Train), "Белая-Ночь");
    assert_eq!("e\u{301}te\u{301}Fini".to_case(Case::Cobol), "ÉTÉ-FINI");
}

#[test]
fn delimiters_at_the_ends_and_doubled() {
    assert_eq!("__init--main  loop_".to_case(Case::Pascal), "InitMainLoop");
    assert_eq!(" - _x".to_case(Case::Snake), "x");
}

#[test]
fn cases_that_texts_are_in() {
    assert_eq!(
        Case::all_cases()
            .iter()
            .map(|case| if "tea2Go".is_case(*case) { 'y' } else { 'n' })
            .collect::<String>(),
        "nnnnynnnnnnnnnnnn"
    );
    assert_eq!(
        Case::deterministic_cases()
            .iter()
            .map(|case| if "TEA".is_case(*case) { 'y' } else { 'n' })
            .collect::<String>(),
        "ynnnnnnnyynyynnyn"
    );
}
