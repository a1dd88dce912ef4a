"""Go: where a test expects a literal, what is refused, and what its lexer sees."""

from __future__ import annotations

import pytest

from grader.canaries.go_test import WRITER
from grader.syntax.go import SYNTAX

FILE = "suite/x/x_test.go"


def source(body: str) -> bytes:
    return f"package x\n\nconst limit = 7\n\nfunc TestX(t *testing.T) {{\n{body}\n}}\n".encode()


def expected(body: str) -> list[str]:
    found = WRITER.sites({FILE: source(body)}, [f"{FILE}::TestX"]).found
    return [site.text for site in found.get(f"{FILE}::TestX", ())]


@pytest.mark.parametrize(
    ("body", "texts"),
    [
        ('if got := f(1); got != "one" { t.Errorf("%q", got) }', ['"one"']),
        ("if f(1) != 2 || g(3) != -4 { t.Fail() }", ["2", "4"]),
        ("got := f()\nif `raw` != got { t.Fatal(got) }", ["`raw`"]),
        ('want := "one"\nif got := f(1); got != want { t.Errorf("%q %q", got, want) }', ['"one"']),
        ("const want = 2.5\nif f(1) != want { t.Error() }", ["2.5"]),
        ('if !reflect.DeepEqual(f(), []string{"a", "b"}) { t.Error() }', ['"a"', '"b"']),
        ('if !maps.Equal(f(), map[string]int{"k": 3}) { t.Error() }', ["3"]),
        ('if !reflect.DeepEqual(f(), pair{Name: "n", size: 4, ok: true}) { t.Error() }', ['"n"', "4"]),
        ('if string(f()) != "a" + "b" { t.Error() }', ['"a"', '"b"']),
        ("if f() != int64(5) { t.Error() }", ["5"]),
        ('if !bytes.Equal(f(), []byte("x")) { t.Error() }', ['"x"']),
        ('t.Run("r", func(t *testing.T) {\nif f() != 3 { t.Error() }\n})', ["3"]),
    ],
)
def test_a_literal_that_something_computed_is_compared_with_is_a_site(body: str, texts: list[str]) -> None:
    assert expected(body) == texts


@pytest.mark.parametrize(
    "body",
    [
        "if f() == 3 { t.Error() }",
        "if f() != 3 { log() }",
        "if f() != 3 && g() { t.Error() }",
        "for i := range 3 { if f(i) != 4 { t.Error() } }",
        "if ok { if f() != 3 { t.Error() } }",
        "return\nif f() != 3 { t.Error() }",
        "if err != nil { t.Error() }",
        "if f() != 'r' { t.Error() }",
        'if f("same") != "same" { t.Error() }',
        'want := "one"\nif f(want) != want { t.Error() }\nif g(want) { t.Error() }',
        "if f() != 3 * unit { t.Error() }",
        "defer func() { if recover() != 3 { t.Error() } }()",
    ],
)
def test_what_may_not_run_or_is_an_input_is_none(body: str) -> None:
    assert expected(body) == []


@pytest.mark.parametrize(
    ("one", "other", "differ"),
    [
        ("0x10", "16", False),
        ("200", "300", False),
        ("200", "201", True),
        ("1.50", "1.5", False),
        (r'"\x41"', '"A"', False),
        (r'"\x41"', r'"\x4"', False),
        ('"a"', r'"\q"', False),
        ('"a"', '"b"', True),
    ],
)
def test_a_twin_compiles_and_has_another_value(one: str, other: str, differ: bool) -> None:
    body = f"if f() != {one} {{ t.Error() }}"
    site = WRITER.sites({FILE: source(body)}, [f"{FILE}::TestX"]).found[f"{FILE}::TestX"][0]
    assert WRITER.differs(site, other) is differ


def test_tests_are_those_of_the_testing_package() -> None:
    data = b"package x\nfunc TestA(t *testing.T) {}\nfunc Testament() {}\nfunc FuzzB(f *testing.F) {}\n"
    data += "func ExampleC() {}\nfunc Test_ü(t *testing.T) {}\nfunc help() {}\n".encode()
    names = ["TestA", "FuzzB", "ExampleC", "Test_ü"]
    assert list(WRITER.defined(FILE, data)) == [f"{FILE}::{name}" for name in names]
    refused = WRITER.sites({FILE: data}, [f"{FILE}::FuzzB", f"{FILE}::ExampleC"]).refused
    assert ["fuzz" in refused[f"{FILE}::FuzzB"], "example" in refused[f"{FILE}::ExampleC"]] == [True, True]


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ("func TestMain(m *testing.M) { m.Run() }", "TestMain"),
        ("func BenchmarkA(b *testing.B) {}", "benchmark"),
        ("func TestA(t *testing.T) {}\nfunc TestA(t *testing.T) {}", "twice"),
        ("func TestA( {}", "syntax"),
    ],
)
def test_a_suite_says_what_it_cannot_have(text: str, says: str) -> None:
    with pytest.raises(SyntaxError, match=says):
        WRITER.defined(FILE, f"package x\n{text}\n".encode())


@pytest.mark.parametrize(
    ("kind", "new"),
    [("negate", "!(f() != 3)"), ("fail", "\n\tt.Fail()\n}")],
)
def test_turned_tests_fail(kind: str, new: str) -> None:
    files = {FILE: source("if f() != 3 { t.Error() }")}
    made = WRITER.turned(files, [f"{FILE}::TestX"], kind)  # type: ignore[arg-type]
    assert made[f"{FILE}::TestX"].new == new


@pytest.mark.parametrize(
    ("text", "names"),
    [
        ('package a\nimport "plugin"\nfunc f() {}', ["plugin"]),
        ('package a\nimport (\n\tp "plugin"\n)', ["plugin"]),
        ('package a\nvar what = "plugin"', []),
        ("syscall.Mprotect(code, syscall.PROT_EXEC)", ["Mprotect", "PROT_EXEC"]),
        ("// Mprotect", []),
    ],
)
def test_what_turns_bytes_into_code_is_seen(text: str, names: list[str]) -> None:
    assert [found.name for found in SYNTAX.executions(SYNTAX.lex(text))] == names


@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("leaves the process", "\tos.Exit(0)"),
        ("runs before main", "func init() {\n"),
        ("names a test framework", 'import "testing"'),
        ("works on raw memory", "//go:linkname fail testing.fail"),
        ("starts processes", 'import "os/exec"'),
        ("builds by tag or system", "//go:build linux"),
    ],
)
def test_constructs_are_flagged(name: str, text: str) -> None:
    assert name in [found for found, pattern in SYNTAX.constructs if pattern.search(text)]
