"""Rust as the residue and structure checks read it: what the compiler takes for code, they take for code."""

from __future__ import annotations

import pytest

from grader.structure import judge_structure
from grader.syntax.rust import SYNTAX
from runner.task import Structure, StructureRule
from runner.tree import REGULAR, Entry, Tree

HIDDEN = ("fn", "hidden", "(", ")", "{", "}")
CODE = "fn hidden() {}"


def lexed(text: str) -> str:
    """The tokens of a text, blanks between them."""
    return " ".join(SYNTAX.lex(text).texts)


@pytest.mark.parametrize(
    "text",
    [
        f'const X: &str = r####" "### /* "####;\n{CODE}\n/* */',
        f'const X: &[u8] = br####" "### /* "####;\n{CODE}\n/* */',
        f'/* /* */ " // */ {CODE} /* " */',
        f'/* /* */ r" /* */ */ {CODE} /* " */',
        f"const X: [char; 2] = ['\\u{{0_________22}}','\"']; // \" /*\n{CODE}\n// */",
        f"never!(0x1'\"'); // \" /*\n{CODE}\n// */",
        f"fn f<'a/*'*/>() {{}} {CODE} /*'*/",
    ],
)
def test_code_is_not_taken_for_a_comment(text: str) -> None:
    assert " ".join(HIDDEN) in lexed(text)


def test_comments_nest() -> None:
    assert lexed(f"/* /* */ {CODE} */ static") == "static"
    assert lexed(f"static /* /* */ {CODE}") == "static"


@pytest.mark.parametrize(
    ("written", "read"), [("r#word", "word"), ("r#match", "r#match"), ('r#"word"#', 'r#"word"#')]
)
def test_a_name_has_no_mark_that_it_does_not_need(written: str, read: str) -> None:
    assert SYNTAX.read(Entry(REGULAR, written.encode())).text == read


@pytest.mark.parametrize(
    ("begin", "readable"), [("#![allow(dead_code)]", True), ("#!/bin/x /*", False), ("\ufeff#! /*", False)]
)
def test_a_line_for_a_shell_is_no_source(begin: str, readable: bool) -> None:
    assert (SYNTAX.read(Entry(REGULAR, f"{begin}\n{CODE}".encode())).problem == "") is readable


@pytest.mark.parametrize(
    ("text", "names"),
    [
        ('#[path = "old.txt"] mod old;', ["#[path]"]),
        ('#[cfg_attr(all(), path = "old.txt")] mod old;', ["#[path]"]),
        ('#[cfg_attr(all(), path = "old.rs")] mod old;', []),
        ('route(get, path = "/old");', []),
        ('#[link_section = ".text.hot"] static A: u8 = 0;', ["link_section"]),
        ('#[link_section = "\\x2etext"] static A: u8 = 0;', ["link_section"]),
        ('#[link_section = ".init"] static A: u8 = 0;', ["link_section"]),
        ('#[link_section = ".init_array"] static A: u8 = 0;', []),
        ('never!(cr"\\" /*");', ['cr""']),
    ],
)
def test_what_brings_code_that_the_checks_do_not_see(text: str, names: list[str]) -> None:
    assert [execution.name for execution in SYNTAX.executions(SYNTAX.lex(text))] == names


def keeps(text: str) -> list[str]:
    """Where a rule finds an enum called Old in a file that holds this."""
    rule = StructureRule(
        id="old",
        because="",
        files=("src/**",),
        rule={"kind": "enum_item", "has": {"field": "name", "regex": "^Old$"}},
    )
    tree = Tree({"src/lib.rs": Entry(REGULAR, text.encode())})
    judged = judge_structure(Structure(gone=(rule,)), "rust", Tree({}), tree)
    return [rule.where for rule in judged.rules if not rule.holds]


@pytest.mark.parametrize(
    ("text", "where"),
    [
        ("enum Other { A }", []),
        ("enum r#Old { A }", ["src/lib.rs:1 still has it"]),
        ("keep! {\n    enum Old { A }\n}", ["src/lib.rs:2 still has it"]),
        (
            "macro_rules! keep {\n    () => {\n        enum Old { A }\n    };\n}",
            ["src/lib.rs:3 still has it"],
        ),
        ("one! {\n two! {\n  three!(enum Old { A });\n }\n}", ["src/lib.rs:3 still has it"]),
        (
            "m! {" * 12 + "enum Old { A }" + "}" * 12,
            ["src/lib.rs cannot be checked: macros stand too deep in macros"],
        ),
    ],
)
def test_structure_looks_into_macros(text: str, where: list[str]) -> None:
    assert keeps(text) == where
