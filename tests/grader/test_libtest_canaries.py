"""Rust with libtest: which tests there are, where they expect a literal, what tells a twin apart, how Rust is read."""

from __future__ import annotations

from dataclasses import replace

import pytest

from grader.canaries import WRITERS, Site
from grader.canaries.twins import propose
from grader.syntax import SYNTAXES
from runner.tree import REGULAR, Entry

FILE = "tests/x.rs"
WRITER = WRITERS["libtest"]
RUST = SYNTAXES["rust"]


def source(body: str, attributes: str = "#[test]", returns: str = "") -> bytes:
    return f"use x::f;\n\n{attributes}\nfn t(){returns} {{ {body} }}\n".encode()


def sites_in(body: str, attributes: str = "#[test]") -> tuple[Site, ...]:
    return WRITER.sites({FILE: source(body, attributes)}, [f"{FILE}::t"]).found.get(f"{FILE}::t", ())


@pytest.mark.parametrize(
    ("body", "expected"),
    [
        ("assert_eq!(f(2), 17);", ["17"]),
        ('assert_eq!(17u8, f(2), "of {}", 2);', ["17u8"]),
        ("assert_eq!(f(2), -17);", ["17"]),
        ("assert_eq!(f(2), 0x1f_u32);", ["0x1f_u32"]),
        ("assert_eq!(f(2), 2.5);", ["2.5"]),
        ("assert_eq!(f(2), 'q');", ["'q'"]),
        (r'assert_eq!(f(2), "ab\n");', [r'"ab\n"']),
        ('assert_eq!(f(2), b"ab");', ['b"ab"']),
        ('assert_eq!(f(2), r#"a"b"#);', ['r#"a"b"#']),
        ('assert_eq!(f(2), "ab".to_string());', ['"ab"']),
        ('assert_eq!(f(2), String::from("ab"));', ['"ab"']),
        ('assert_eq!(f(2), Some(("ab", 3)));', ['"ab"', "3"]),
        ('assert_eq!(f(2), vec!["ab", "cd"]);', ['"ab"', '"cd"']),
        ("assert_eq!(f(2), [1, 2]);", ["1", "2"]),
        ("assert_eq!(f(2), [7; 4]);", ["7"]),
        ("assert_eq!(f(2), Ok(vec![vec![1], vec![2]]));", ["1", "2"]),
        ("assert_eq!(f(2), Point { x: 1, kind: Kind::Round });", ["1"]),
        ("assert_eq!(f(2), Duration::from_secs(61));", ["61"]),
        ('assert_eq!(format!("{:?}", f(2)), "ab");', ['"ab"']),
        ("assert!(f(2) == 17 && f(3) == 18);", ["17", "18"]),
        ("{ assert_eq!(f(2), 17); }", ["17"]),
        ('let want = "abc"; assert_eq!(f(2), want);', ['"abc"']),
    ],
)
def test_expected_literals_are_found(body: str, expected: list[str]) -> None:
    assert [site.text for site in sites_in(body)] == expected


@pytest.mark.parametrize(
    "body",
    [
        "if f(1) { assert_eq!(f(2), 17); }",
        "for i in 0..2 { assert_eq!(f(i), 17); }",
        "return; assert_eq!(f(2), 17);",
        "g(|| assert_eq!(f(2), 17));",
        "assert_eq!(3, 17);",
        "assert_eq!(f(2), true);",
        "assert_eq!(f(2), None);",
        'assert_eq!(f("ab"), "ab");',
        'assert_eq!(f(2), "");',
        "assert_ne!(f(2), 17);",
        "debug_assert_eq!(f(2), 17);",
        "assert_eq!(f(2), g(17));",
        'println!("assert_eq!(f(2), 17)");',
    ],
)
def test_what_may_not_run_or_is_no_expectation_is_left_alone(body: str) -> None:
    assert sites_in(body) == ()


def test_of_a_test_that_has_to_panic_the_message_counts_and_nothing_else() -> None:
    attributes = '#[test]\n#[should_panic(expected = "too far")]'
    assert [site.text for site in sites_in("assert_eq!(f(2), 17);", attributes)] == ['"too far"']
    assert sites_in("assert_eq!(f(2), 17);", "#[test]\n#[should_panic]") == ()


@pytest.mark.parametrize("attribute", ["#[ignore]", "#[cfg(unix)]", '#[ignore = "slow"]'])
def test_what_may_be_left_out_carries_none(attribute: str) -> None:
    assert sites_in("assert_eq!(f(2), 17);", f"#[test]\n{attribute}") == ()
    assert sites_in("assert_eq!(f(2), 17);", "// why\n#[allow(unused)]\n#[test]\n// so\n") != ()


@pytest.mark.parametrize(
    ("body", "twin", "differs"),
    [
        ("assert_eq!(f(2), 17);", "71", True),
        ("assert_eq!(f(2), 17);", "0x11", False),
        ("assert_eq!(f(2), 17);", "017", False),
        ("assert_eq!(f(2), 17);", "1_7", False),
        ("assert_eq!(f(2), 200);", "201", True),
        ("assert_eq!(f(2), 200);", "300", False),  # it may not fit where 200 does
        ("assert_eq!(f(2), 1.5);", "1.50", False),
        ("assert_eq!(f(2), 1.5);", "2.5", True),
        ("assert_eq!(f(2), 'q');", "'p'", True),
        ("assert_eq!(f(2), 'q');", "'pq'", False),
        ("assert_eq!(f(2), 'q');", r"'\x71'", False),
        ('assert_eq!(f(2), "ab");', '"ba"', True),
        ('assert_eq!(f(2), "ab");', r'"a\q"', False),
        ('assert_eq!(f(2), b"ab");', 'b"aü"', False),
        ('assert_eq!(f(2), r"ab");', 'r"a\\b"', True),
    ],
)
def test_what_tells_a_twin_apart(body: str, twin: str, differs: bool) -> None:
    (site,) = sites_in(body)
    assert WRITER.differs(site, twin) is differs


def test_ids_are_paths_as_libtest_writes_them() -> None:
    data = (
        b"#[test]\nfn a() {}\nfn helper() {}\n/// Says why.\n#[should_panic]\n#[test]\nfn r#match() {}\n"
        b"mod m {\n    #[test]\n    fn a() {}\n    mod n {\n        #[test]\n        fn b() {}\n    }\n}\n"
    )
    assert dict(WRITER.defined(FILE, data)) == {
        f"{FILE}::a": 2,
        f"{FILE}::r#match": 7,
        f"{FILE}::m::a": 10,
        f"{FILE}::m::n::b": 13,
    }


@pytest.mark.parametrize("data", [b"#[test]\nfn a( {\n", b"#[test]\nfn a() {}\n#[test]\nfn a() {}\n"])
def test_what_does_not_parse_or_stands_twice_is_refused(data: bytes) -> None:
    with pytest.raises(SyntaxError):
        WRITER.defined(FILE, data)


def test_a_test_is_turned_round_or_given_a_failure() -> None:
    files = {FILE: source("g(); assert_eq!(f(vec![2]), 17)")}
    (negated,) = WRITER.turned(files, [f"{FILE}::t"], "negate").values()
    (failing,) = WRITER.turned(files, [f"{FILE}::t"], "fail").values()
    assert (negated.old, negated.new) == ("assert_eq", "assert_ne")
    data = files[FILE]
    assert data[: negated.start] + negated.new.encode() + data[negated.end :] == source(
        "g(); assert_ne!(f(vec![2]), 17)"
    )
    assert data[failing.start : failing.end].decode() == failing.old
    assert "panic!()" in failing.new
    returning = {FILE: source("assert_eq!(f(2), 17); Ok(())", returns=" -> Result<(), ()>")}
    assert not WRITER.turned(returning, [f"{FILE}::t"], "fail")


def test_a_proposed_canary_stands_where_the_literal_does() -> None:
    body = 'assert_eq!(f(2), vec!["deep blue sea", "red tape"]); assert_eq!(f(3), 4711);'
    files = {FILE: source(body)}
    proposal = propose("libtest", files, [f"{FILE}::t"], docs="", seed=1)
    canaries = proposal.canaries[f"{FILE}::t"]
    assert canaries
    for canary in canaries:
        assert files[FILE][canary.start : canary.end].decode() == canary.old != canary.new


@pytest.mark.parametrize(
    ("one", "other"),
    [
        (
            "fn f<'a>(x: &'a str) -> char { 'a' }",
            "fn f<'a>(\n    x: &'a str,\n) -> char {\n    // why\n    'a'\n}\n",
        ),
        ('let x = "a\n  b";', 'let   x = "a\n  b"; /* c */'),
        ("use a::{b, c};", "use a::{\n    b,\n    c,\n};"),
    ],
)
def test_layout_makes_no_difference(one: str, other: str) -> None:
    assert RUST.lex(one).texts == RUST.lex(other).texts


def test_rust_texts_have_their_values() -> None:
    lexed = RUST.lex(
        r"""f("a\"b", b"c", r"d\n", r#"e"f"#, br##"g"#h"##, 'i', '\'', b'\n', 'life: loop { 'j' })"""
    )
    values = ['a"b', "c", "d\\n", 'e"f', 'g"#h', "i", "'", "\n", "j"]
    assert [literal.value for literal in lexed.literals] == values


@pytest.mark.parametrize("unit", ['"', "'", 'r#"', 'r"', "r", "b'", "'a", "'\\", '"\\\n', "/*", "#[", '"#'])
def test_any_text_lexes_however_often_it_repeats(unit: str) -> None:
    text = unit * 100_000
    assert sum(map(len, RUST.lex(text).texts)) <= len(text) + 100_001


@pytest.mark.parametrize(
    ("text", "names"),
    [
        ("let lib = libloading::Library::new(path);", ["libloading"]),
        ('include!(concat!(env!("OUT_DIR"), "/old.rs"));', ["include!"]),
        ('include!("old.txt");', ["include!"]),
        ('include!("old.rs");', []),
        ('#[path = "notes.txt"]\nmod old;', ["#[path]"]),
        ('#[path = "old.rs"]\nmod old;', []),
        ('#[link_section = ".text"]\nstatic CODE: [u8; 3] = [0x90, 0x90, 0xc3];', ["link_section"]),
        ("use std::arch::asm;", ["asm"]),
        ('let text = include_str!("old.txt"); path = "notes.txt";', []),
    ],
)
def test_what_turns_computed_text_into_code(text: str, names: list[str]) -> None:
    assert [execution.name for execution in RUST.executions(RUST.lex(text))] == names


@pytest.mark.parametrize(
    ("text", "flag"),
    [
        ("std::process::exit(0)", "leaves the process"),
        ('#[link_section = ".init_array"]', "runs before main"),
        ("std::panic::set_hook(Box::new(|_| {}))", "changes how a panic ends"),
        ('#[no_mangle]\npub extern "C" fn write() {}', "changes a symbol"),
        ("macro_rules! assert_eq {", "defines a macro by a known name"),
        ("fn eq(&self, _: &str) -> bool {\n        true\n    }", "equals everything"),
        ("std::thread::spawn(f)", "starts threads"),
        ("#[track_caller]", "looks at its callers"),
        ('std::fs::write("x", "y")', "writes files"),
    ],
)
def test_what_a_person_should_look_at(text: str, flag: str) -> None:
    assert flag in [name for name, pattern in RUST.constructs if pattern.search(text)]


def test_source_is_read_as_it_is() -> None:
    assert RUST.read(Entry(REGULAR, "fn ü() {}".encode())).text == "fn ü() {}"


def test_a_raw_text_takes_no_quote() -> None:
    (site,) = sites_in('assert_eq!(f(2), r"ab");')
    assert not WRITER.differs(replace(site), 'r"a"b"')
