"""JavaScript and TypeScript as text: what their lexer sees, what makes code of text, what a person should look at."""

from __future__ import annotations

import pytest

from grader.structure import rule_fault
from grader.syntax import SYNTAXES
from grader.syntax.ecmascript import SECOND_NAMES

TYPESCRIPT, JAVASCRIPT = SYNTAXES["typescript"], SYNTAXES["javascript"]


def executed(text: str) -> list[str]:
    return [found.name for found in TYPESCRIPT.executions(TYPESCRIPT.lex(text))]


@pytest.mark.parametrize(
    ("one", "other"),
    [
        (
            "function f(a) { return a + 1; }",
            "function f(\n  a,\n) {\n  // why\n  return a /* and */ + 1\n}\n",
        ),
        ("x = [1, 2]", "x = [ 1, 2, ];"),
        ("x = 'a'", 'x = "a"'),
        (r"x.split(/['\"/]/g)", "x . split ( /['\\\"/]/g )"),
        ("x = `a\nb`", "x\n=\n`a\nb`"),
    ],
)
def test_layout_quotes_and_comments_make_no_difference(one: str, other: str) -> None:
    assert JAVASCRIPT.lex(one).texts == JAVASCRIPT.lex(other).texts


def test_a_quote_in_a_regular_expression_opens_no_text() -> None:
    lexed = JAVASCRIPT.lex("f(a, /`/); g(b / c / d); h = /[`]'/u; 'text'")
    assert [literal.value for literal in lexed.literals] == ["text"]


def test_own_names_may_be_renamed_and_others_not() -> None:
    lexed = TYPESCRIPT.lex("return this.left + String(count?.length as number)")
    kept = ["return", "this", ".", "+", "String", "(", "?.", "length", "as", "number", ")"]
    assert [shape for shape in lexed.shapes if shape] == kept


@pytest.mark.parametrize(
    ("text", "names"),
    [
        ("eval(code)", ["eval"]),
        ("(0, eval)(code)", ["eval"]),
        ("const run = eval", ["eval"]),
        ("globalThis['eval'](code)", ["eval"]),
        ("globalThis.eval(code)", ["eval"]),
        ("ev\\u0061l(code)", ["eval"]),
        ("new Function('a', body)", ["Function"]),
        ("Function(body)()", ["Function"]),
        ("vm.runInNewContext(code)", ["runInNewContext"]),
        ("new vm.Script(code)", ["vm.Script"]),
        ("await import(`data:text/javascript,${code}`)", ["data:"]),
        ("module._compile(code, name)", ["_compile"]),
    ],
)
def test_what_makes_code_of_text_is_found(text: str, names: list[str]) -> None:
    assert executed(text) == names


@pytest.mark.parametrize(
    "text",
    [
        "parser.eval(text)",
        "let f: Function",
        "// eval(code)",
        "'eval(code)'",
        "x instanceof Function",
        "import('./other.js')",
        "const options = { eval: 1 }",
    ],
)
def test_what_makes_none_is_left_alone(text: str) -> None:
    assert executed(text) == []


@pytest.mark.parametrize(
    ("text", "name"),
    [
        ("process.exit(0)", "leaves the process"),
        ("import { expect } from 'vitest'", "names a test framework"),
        ("process.send({ ok: true })", "speaks to the runner"),
        ("Array.prototype.map = mine", "changes what the language gives"),
        ("JSON.stringify = () => ''", "changes what the language gives"),
        ("return new Proxy({}, all)", "equals everything"),
        ("if (new Error().stack.includes('x'))", "looks at its callers"),
        ("process.env.VITEST", "reads its command line"),
        ("await import(name)", "loads code"),
        ("fs.writeFileSync(path, text)", "writes files"),
        ("atob(text)", "decodes text"),
    ],
)
def test_what_a_person_should_look_at_has_a_name(text: str, name: str) -> None:
    assert name in [flag for flag, pattern in TYPESCRIPT.constructs if pattern.search(text)]


def test_plain_work_has_no_flag() -> None:
    text = "import { a } from './a.js'\nexport function f(x) {\n  return JSON.stringify(a(x)) === 'b'\n}\n"
    assert [flag for flag, pattern in TYPESCRIPT.constructs if pattern.search(text)] == []


def test_functions_and_second_names_are_told_apart() -> None:
    function, second = SECOND_NAMES
    text = "export function one(a) {}\nconst two = async (a) => a\nconst three = 3\nexport const old = one;\n"
    assert [found[1] for found in function.finditer(text)] == ["one", "two"]
    assert [found[1] for found in second.finditer(text)] == ["3", "one"]


@pytest.mark.parametrize(("language", "syntax"), [("typescript", TYPESCRIPT), ("javascript", JAVASCRIPT)])
def test_what_a_file_defines_has_kinds_that_the_grammar_knows(language: str, syntax: object) -> None:
    for kind in SYNTAXES[language].definition_kinds:
        assert rule_fault({"kind": kind}, language) is None
