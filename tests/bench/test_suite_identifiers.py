"""What a suite in any language uses of what only gold has."""

from __future__ import annotations

from collections.abc import Mapping

import pytest

from bench.defined_names import defined_names
from bench.suite_identifiers import untold_names
from grader.source_text import any_text
from grader.syntax.c_like import CHARACTER, DOUBLE, SINGLE, CLike
from grader.syntax.lexed import Syntax
from runner.tree import REGULAR, Entry, Tree

SUFFIXES = {
    "go": ".go",
    "rust": ".rs",
    "java": ".java",
    "c": (".c", ".h"),
    "cpp": (".cpp", ".h"),
    "javascript": ".js",
}


def syntax(language: str) -> Syntax:
    suffixes = SUFFIXES[language]
    single = SINGLE if language == "javascript" else CHARACTER
    return Syntax(
        suffixes=(suffixes,) if isinstance(suffixes, str) else suffixes,
        definition_kinds=(),
        read=any_text,
        lex=CLike(strings=(DOUBLE, single), kept=frozenset()).lexer(),
        executions=lambda lexed: (),
    )


def tree(files: Mapping[str, str]) -> Tree:
    return Tree({path: Entry(REGULAR, text.encode()) for path, text in files.items()})


def untold(
    language: str, suite: str, base: Mapping[str, str], gold: Mapping[str, str], statement: str = ""
) -> list[tuple[str, int]]:
    name = f"tests/suite{syntax(language).suffixes[0]}"
    found = untold_names(
        {name: suite.encode(), "tests/data.txt": b"price total"},
        statement,
        tree(base),
        tree({**base, **gold}),
        language=language,
        syntax=syntax(language),
    )
    assert {one.file for one in found} <= {name}
    return [(one.name, one.line) for one in found]


GO = {"shop/api.go": "package shop\n\nfunc Price() int { return 1 } // Total once stood here\n"}
GO_GOLD = {
    "shop/api.go": 'package shop\nimport "sort"\nfunc Total(count int) int { sort.Ints(nil); return 1 }\n'
}


@pytest.mark.parametrize(
    ("suite", "statement", "expected"),
    [
        ("x := shop.Price()\ny := shop.Total(1)\nz := shop.Total(2)", "", [("Total", 4)]),
        ("y := shop.Total(1)", "Add `Total`.", []),
        ("y := shop.Total(1)", "Totals, Subtotal", [("Total", 3)]),
        ('// Total\nx := "Total"', "", []),
        ('x := "/" + "./" + "//" + "/.."', "", []),
        ("sort.Ints(nil); count := 1", "", []),
        ("Total := 1; use(Total)", "", []),
    ],
    ids=[
        "used twice",
        "told",
        "told of another",
        "comment and text",
        "slashes that are no path",
        "the language's own",
        "the suite's own",
    ],
)
def test_names_that_gold_brings_have_to_be_told(
    suite: str, statement: str, expected: list[tuple[str, int]]
) -> None:
    assert untold("go", f"package t\nfunc TestX() {{\n{suite}\n}}\n", GO, GO_GOLD, statement) == expected


@pytest.mark.parametrize(
    ("language", "base", "gold", "suite", "expected"),
    [
        ("go", GO, {"till/till.go": "package till\n"}, 'package t\nimport "x.org/m/till"\n', "x.org/m/till"),
        (
            "c",
            {"a.c": "int a(void) { return 1; }"},
            {"till.h": "int a(void);"},
            '#include "till.h"\n',
            "till.h",
        ),
        ("c", {"a.c": ""}, {"a.c": "#define TILL 3\n"}, "int main(void) { return TILL; }", "TILL"),
        ("c", {"a.c": ""}, {"a.c": "int till(void) { return 1; }"}, "int till(void);\n", "till"),
        (
            "javascript",
            {"a.js": ""},
            {"lib/till.js": ""},
            "import {a} from '../lib/till.js'",
            "../lib/till.js",
        ),
        (
            "javascript",
            {"a.js": ""},
            {"a.js": "exports.till = 1"},
            "const { till } = require('../a')",
            "till",
        ),
        ("rust", {"a.rs": ""}, {"a.rs": "pub mod till;", "till.rs": ""}, "use shop::till::*;", "till"),
        ("rust", {"a.rs": ""}, {"a.rs": "pub struct Till { pub sum: u8 }"}, "fn t() { x.sum }", "sum"),
        ("java", {"a/A.java": "class A {}"}, {"till/A.java": "class A {}"}, "import till.A;", "till"),
        ("cpp", {"a.h": "namespace s {}"}, {"a.h": "namespace s { class Till {}; }"}, "s::Till t;", "Till"),
    ],
)
def test_each_language_s_way_to_bring_a_name(
    language: str, base: Mapping[str, str], gold: Mapping[str, str], suite: str, expected: str
) -> None:
    assert [name for name, _ in untold(language, suite, base, gold)] == [expected]
    assert untold(language, suite, {**base, **gold}, gold) == []
    assert untold(language, suite, base, gold, f"It is called {expected}, or till.") == []


@pytest.mark.parametrize(
    ("language", "text", "given", "not_given"),
    [
        (
            "go",
            "package p\nfunc (t T) M(q int) { got, want := f.Use(); s.Field = 1 }",
            "t M q got want",
            "Use Field",
        ),
        (
            "c",
            "int proto(int);\nstruct fwd;\nstatic int def(struct fwd *p) { int l = 1; }",
            "def p l",
            "proto fwd",
        ),
        (
            "cpp",
            "namespace n { class K : B { int mem; }; } int f() { auto [a, b] = g<int>(); }",
            "n K mem f a b",
            "B g",
        ),
        ("rust", "use a::{c as d}; mod e; fn f(x: u8) { if let Some(s) = y {} }", "d f x s", "c e Some y"),
        (
            "java",
            "class C { int f; void m(P p) { for (Q q : r.s()) {} g(l -> l); } }",
            "C f m p q l",
            "P Q s g",
        ),
        (
            "typescript",
            "import {i, j as k} from 'x'; const {u} = v; exports.f = w; class A { m() {} }",
            "k f A m",
            "i u",
        ),
    ],
)
def test_what_a_file_defines_and_what_it_only_uses(
    language: str, text: str, given: str, not_given: str
) -> None:
    found = defined_names(text, language)
    assert {*given.split()} <= found
    assert found.isdisjoint(not_given.split())
