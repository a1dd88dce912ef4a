use convert_case::boundary_rule::BoundaryRule;
use convert_case::Boundary;

#[test]
fn widths() {
    assert_eq!(
        Boundary::all()
            .iter()
            .map(|boundary| boundary.rule().width().to_string())
            .collect::<String>(),
        "1112222223"
    );
}

#[test]
fn what_is_consumed() {
    assert_eq!(
        Boundary::all()
            .iter()
            .map(|boundary| if boundary.rule().consumes() { 'y' } else { 'n' })
            .collect::<String>(),
        "yyynnnnnnn"
    );
}

#[test]
fn single_graphemes() {
    assert_eq!(
        ["-", "_", " ", "a", "é", "\u{2013}"]
            .iter()
            .map(|one| Boundary::delims()
                .iter()
                .map(|boundary| if boundary.rule().matches(&[one]) {
                    'y'
                } else {
                    'n'
                })
                .collect::<String>())
            .collect::<String>(),
        "ynnnynnnynnnnnnnnn"
    );
}

#[test]
fn pairs() {
    assert_eq!(
        ["aA", "Aa", "1A", "A1", "1a", "a1", "AA", "aa", "11", "-A"]
            .iter()
            .map(|pair| Boundary::all()[3..9]
                .iter()
                .map(
                    |boundary| if boundary.rule().matches(&[&pair[..1], &pair[1..]]) {
                        'y'
                    } else {
                        'n'
                    }
                )
                .collect::<String>())
            .collect::<Vec<_>>()
            .join(" "),
        "ynnnnn nynnnn nnynnn nnnynn nnnnyn nnnnny nnnnnn nnnnnn nnnnnn nnnnnn"
    );
}

#[test]
fn pairs_of_other_letters() {
    assert_eq!(
        [
            ["é", "Ж"],
            ["日", "Ж"],
            ["٣", "Ж"],
            ["ж", "4"],
            ["e\u{301}", "E\u{301}"]
        ]
        .iter()
        .map(|pair| Boundary::all()[3..9]
            .iter()
            .map(|boundary| if boundary.rule().matches(pair) {
                'y'
            } else {
                'n'
            })
            .collect::<String>())
        .collect::<Vec<_>>()
        .join(" "),
        "ynnnnn nnnnnn nnnnnn nnnnny ynnnnn"
    );
}

#[test]
fn three_graphemes() {
    assert_eq!(
        [
            ["A", "B", "c"],
            ["A", "b", "c"],
            ["a", "B", "c"],
            ["A", "B", "C"],
            ["A", "B", "1"],
            ["Ö", "Ж", "ø"]
        ]
        .iter()
        .map(|three| if Boundary::Acronym.rule().matches(three) {
            'y'
        } else {
            'n'
        })
        .collect::<String>(),
        "ynnnny"
    );
}

#[test]
fn the_trait_at_the_root() {
    assert_eq!(
        "<>".repeat(convert_case::BoundaryRule::width(
            Boundary::LowerDigit.rule()
        )),
        "<><>"
    );
}
