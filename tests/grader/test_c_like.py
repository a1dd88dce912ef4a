"""The lexer for languages with braces: what code has in common whatever its layout, in linear time."""

from __future__ import annotations

import pytest

from grader.syntax.c_like import BACKTICK, CHARACTER, DOUBLE, CLike, unescaped

LEX = CLike(
    strings=(DOUBLE, CHARACTER, BACKTICK),
    kept=frozenset({"if", "return", "int", "puts", "this"}),
    members=(".", "->"),
).lexer()
KEPT = ("if", "(", ")", "return", "this", ".", "+", ".", "left", "+", "puts", "(", ")")


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("int f(int a) { return a + 1; }", "int f(\n  int a,\n) {\n  // why\n  return a /* and */ + 1\n}\n"),
        ("x = 'a';", "x='a'"),
        ('x = "a\\"b" + y', 'x\n=\n"a\\"b"\n+ y'),
    ],
)
def test_layout_comments_and_separators_make_no_difference(one: str, other: str) -> None:
    assert LEX(one).texts == LEX(other).texts


def test_a_name_may_be_renamed_unless_the_language_or_something_else_owns_it() -> None:
    lexed = LEX("if (count) return this.left + other.left + puts(count);")
    assert [shape for shape in lexed.shapes if shape] == [*KEPT]
    assert [shape for text, shape in zip(lexed.texts, lexed.shapes, strict=True) if text == "left"] == [
        "",
        "left",
    ]


def test_literals_have_their_values_and_know_what_they_continue() -> None:
    lexed = LEX('f("a\\n" "b", "c" + "d", \'\\\'\', `e\n${f}`)')
    assert [(literal.value, literal.continues) for literal in lexed.literals] == [
        ("a\n", False),
        ("b", True),
        ("c", False),
        ("d", True),
        ("'", False),
        ("e\n${f}", False),
    ]


def test_starts_are_offsets_of_the_tokens() -> None:
    text = 'int  a = "b" // c\n  + 0x1F.d;'
    lexed = LEX(text)
    for token, start in zip(lexed.texts, lexed.starts, strict=True):
        assert text[start:].startswith(token.replace("'", '"', 1))


@pytest.mark.parametrize(
    "unit", ['"', "'", "`", "/*", "//", "\\", "'\\", '"\\\n', "a.", "0x", "/* *", "((", "1e"]
)
def test_any_text_lexes_however_often_it_repeats(unit: str) -> None:
    text = unit * 100_000
    assert sum(map(len, LEX(text).texts)) <= len(text) + 100_001


@pytest.mark.parametrize(
    ("body", "value"),
    [
        ("a\\x41", "aA"),
        ("\\u{1F600}", "😀"),
        ("\\u0041", "A"),
        ("\\101", "A"),
        ("\\q", "q"),
        ("\\uFFFFFF", "\\uFFFFFF"),
    ],
)
def test_escapes_are_resolved(body: str, value: str) -> None:
    assert unescaped(body) == value
