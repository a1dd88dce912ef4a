"""Java as text: what its lexer sees, what turns bytes into code, and what a person should look at."""

from __future__ import annotations

import pytest

from grader.syntax.java import SECOND_NAMES, SYNTAX
from runner.tree import REGULAR, Entry


def read(text: str) -> str:
    return SYNTAX.read(Entry(REGULAR, text.encode())).text


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("int f(int a) { return a + 1; }", "int f(\n  int a) {\n  // why\n  return a /* and */ + 1;\n}\n"),
        ('var x = "a\\"b";', 'var x\n=\n"a\\"b";'),
        ("f(1_000L, 0x1FL, 1e3f, 'c')", "f( 1_000L , 0x1FL , 1e3f , 'c' )"),
        ("List<int[]> a = new int[] {1, 2};", "List<int[]> a = new int[] { 1, 2, };"),
    ],
)
def test_layout_and_comments_make_no_difference(one: str, other: str) -> None:
    assert SYNTAX.lex(one).texts == SYNTAX.lex(other).texts


def test_own_names_may_be_renamed_and_others_not() -> None:
    lexed = SYNTAX.lex("return this.left + String.valueOf(count).length();")
    kept = ["return", "this", ".", "+", "String", ".", "valueOf", "(", ")", ".", "length", "(", ")"]
    assert [shape for shape in lexed.shapes if shape] == kept


def test_texts_have_their_values() -> None:
    lexed = SYNTAX.lex('f("a\\"b" + "c\\n", \'\\\'\', \'\\101\', """\n  d "e"\n  \\"""f""")')
    assert [(one.value, one.continues) for one in lexed.literals] == [
        ('a"b', False),
        ("c\n", True),
        ("'", False),
        ("A", False),
        ('\n  d "e"\n  """f', False),
    ]


@pytest.mark.parametrize(
    ("written", "meant"),
    [
        (r"int \u0066oo;", "int foo;"),
        (r"\uuu0041", "A"),
        (r'"\\u0041"', r'"\\u0041"'),
        (r'"\\\u0041"', r'"\\A"'),
        (r"// \u000aint a;", "// \nint a;"),
        (r'"\ud83d\ude00"', '"😀"'),
        (r'"\ud83d"', '"\ufffd"'),
    ],
)
def test_unicode_escapes_are_read_as_the_compiler_reads_them(written: str, meant: str) -> None:
    assert read(written) == meant


@pytest.mark.parametrize("unit", ['"', '"""', "'", "'\\", '"\\\n', "/*", "\\", "\\u", "a.", "0x", "(("])
def test_any_text_lexes_however_often_it_repeats(unit: str) -> None:
    text = read(unit * 100_000)
    assert sum(map(len, SYNTAX.lex(text).texts)) <= len(text) + 100_001


@pytest.mark.parametrize(
    ("text", "names"),
    [
        ("lookup.defineHiddenClass(bytes, true)", ["defineHiddenClass"]),
        ("ToolProvider.getSystemJavaCompiler().run(null)", ["getSystemJavaCompiler"]),
        ('Runtime.getRuntime().exec("java")', ["exec"]),
        ("new ProcessBuilder(list).start()", ["ProcessBuilder"]),
        ('System.load("/tmp/a.so")', ["load"]),
        ("properties.load(reader); pool.exec(task); Class.forName(name)", []),
        ("// URLClassLoader", []),
        ('String s = "URLClassLoader";', []),
    ],
)
def test_what_turns_bytes_into_code_is_seen(text: str, names: list[str]) -> None:
    assert [found.name for found in SYNTAX.executions(SYNTAX.lex(text))] == names


@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("leaves the process", "Runtime.getRuntime().halt(0);"),
        ("leaves the process", "System.exit(0);"),
        ("runs at exit", "Runtime.getRuntime().addShutdownHook(t);"),
        ("names a test framework", "import org.junit.jupiter.api.Assertions;"),
        ("defines what is named as the JDK's or the framework's", "package org.junit.jupiter.api;"),
        ("looks at its callers", "new Throwable().getStackTrace()"),
        ("reaches what is private", "field.setAccessible(true)"),
        ("equals everything", "public boolean equals(Object other) {\n    return true;"),
        ("replaces a standard stream", "System.setOut(stream)"),
        ("starts threads", "new Thread(this::run)"),
        ("writes files", 'Files.writeString(Path.of("a"), "b")'),
        ("processes annotations", "class P extends AbstractProcessor {"),
    ],
)
def test_constructs_are_flagged(name: str, text: str) -> None:
    assert name in [found for found, pattern in SYNTAX.constructs if pattern.search(text)]


def test_honest_code_is_not_flagged() -> None:
    text = (
        "package com.example.text;\n\nimport java.net.URI;\nimport java.util.List;\n\npublic final class A {\n"
        "    public boolean equals(Object other) {\n        return other instanceof A a && a.n == n;\n    }\n}\n"
    )
    assert [found for found, pattern in SYNTAX.constructs if pattern.search(text)] == []


def test_a_method_reference_is_a_second_name() -> None:
    function, second = SECOND_NAMES
    text = "    public static <T> Map<String, T> old(List<T> a) {\n    static final F x = Tool::old;\n"
    assert function.findall(text) == ["old"]
    assert [match[1] for match in second.finditer(text)] == ["old"]
