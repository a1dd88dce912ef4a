"""JUnit 5: where a test expects a literal, which tests there are, what is refused."""

from __future__ import annotations

import pytest

from grader.canaries.junit5 import WRITER

FILE = "suite/XTest.java"


def source(body: str, members: str = "") -> bytes:
    return (
        "package suite;\n\nimport static org.junit.jupiter.api.Assertions.*;\n\nclass XTest {\n"
        f"    static final int LIMIT = 7;\n    @Test\n    void x() {{\n{body}\n    }}\n{members}\n}}\n"
    ).encode()


def expected(body: str) -> list[str]:
    found = WRITER.sites({FILE: source(body)}, [f"{FILE}::x"]).found
    return [site.text for site in found.get(f"{FILE}::x", ())]


@pytest.mark.parametrize(
    ("body", "texts"),
    [
        ("assertEquals(5, f(1));", ["5"]),
        ('assertEquals("one", f(1), "why");', ['"one"']),
        ('assertEquals(f(1), "one", () -> "why");', ['"one"']),
        ("Assertions.assertEquals(-5L, f());", ["5L"]),
        ("org.junit.jupiter.api.Assertions.assertEquals(0x1F, f());", ["0x1F"]),
        ("assertEquals(1.5, f(), 0.1);", ["1.5"]),
        ("assertEquals('c', f());", ["'c'"]),
        ("assertEquals((byte) 3, f());", ["3"]),
        ("assertArrayEquals(new int[] {1, 2}, f());", ["1", "2"]),
        ('assertEquals(List.of("a", "b"), f());', ['"a"', '"b"']),
        ('assertEquals(Map.of("k", 3), f());', ["3"]),
        ('assertEquals(new BigDecimal("1.50"), f());', ['"1.50"']),
        ('assertEquals("a" + LIMIT + "b", f());', ['"a"', '"b"']),
        ('assertTrue("a".equals(f()));', ['"a"']),
        ("assertTrue(f() == 3 && g() == 4);", ["3", "4"]),
        ("assertAll(() -> assertEquals(1, f()), () -> { assertEquals(2, g()); });", ["1", "2"]),
        ('String want = "one";\nassertEquals(want, f());', ['"one"']),
        ("int[] want = {4, 5};\nassertArrayEquals(want, f());", ["4", "5"]),
        ('assertEquals("gone", assertThrows(E.class, () -> f()).getMessage());', ['"gone"']),
        ('var e = assertThrows(E.class, () -> f(2));\nassertEquals("gone", e.getMessage());', ['"gone"']),
        ("try (A a = f()) { assertEquals(3, a.size()); }", ["3"]),
        ("try { assertEquals(3, f()); } finally { close(); }", ["3"]),
        ('assertEquals("""\n    a\n    b""", f());', ['"""\n    a\n    b"""']),
    ],
)
def test_a_literal_that_something_computed_is_compared_with_is_a_site(body: str, texts: list[str]) -> None:
    assert expected(body) == texts


@pytest.mark.parametrize(
    "body",
    [
        "assertEquals(3, 4);",
        "assertNotEquals(3, f());",
        "for (int i : f()) { assertEquals(3, g(i)); }",
        "if (f()) { assertEquals(3, g()); }",
        "return;\nassertEquals(3, g());",
        "try { assertEquals(3, f()); } catch (Error e) { }",
        'assertEquals("same", f("same"));',
        "assertEquals(LIMIT, f());",
        "assertEquals(3 * g(), f());",
        "assertEquals(new Point(1, 2), f());",
        "run(() -> assertEquals(3, f()));",
        "other.assertEquals(3, f());",
        "assertTrue(f() > 3);",
        'assertEquals("", f());',
        "assertEquals(true, f());",
    ],
)
def test_what_may_not_run_or_is_an_input_is_none(body: str) -> None:
    assert expected(body) == []


@pytest.mark.parametrize(
    ("one", "other", "differ"),
    [
        ("0x10", "16", False),
        ("1_000", "1000", False),
        ("200", "300", False),
        ("200", "201", True),
        ("1.50", "1.5", False),
        (r'"\u0041"', '"A"', False),
        (r'"\u0041b"', '"Ab"', False),
        ('"a"', r'"\q"', False),
        ('"a"', '"b"', True),
        ("'a'", "'ab'", False),
        ("'a'", "'b'", True),
        ('"""\n  a\n  b"""', '"""\n a\n b"""', False),
        ('"""\n  a\n  b"""', '"""\n  a\n  c"""', True),
    ],
)
def test_a_twin_compiles_and_has_another_value(one: str, other: str, differ: bool) -> None:
    site = WRITER.sites({FILE: source(f"assertEquals({one}, f());")}, [f"{FILE}::x"]).found[f"{FILE}::x"][0]
    assert WRITER.differs(site, other) is differ


def test_a_twin_is_further_away_than_what_is_forgiven() -> None:
    body = "assertEquals(1.5, f(), 0.1);"
    site = WRITER.sites({FILE: source(body)}, [f"{FILE}::x"]).found[f"{FILE}::x"][0]
    assert (WRITER.differs(site, "1.6"), WRITER.differs(site, "1.8")) == (False, True)


def test_what_a_helper_and_a_row_hold_is_an_input() -> None:
    members = '    static String made() { return f("one"); }\n'
    data = source('assertEquals("one", made());', members)
    assert "input" in WRITER.sites({FILE: data}, [f"{FILE}::x"]).refused[f"{FILE}::x"]


def test_tests_are_those_of_the_class_that_the_file_is_named_for() -> None:
    members = """
    @ParameterizedTest @ValueSource(ints = {1}) void rows(int n) {}
    @Nested class Inner { @org.junit.jupiter.api.Test void x() {} @Nested class Deep { @Test void y() {} } }
    class Plain { @Test void not() {} }
    @Disabled("why") @Test void off() { assertEquals(1, f()); }
    @TestFactory List<DynamicTest> made() { return null; }
    void help() {}
    """
    data = source("", members) + b"class Other { @Test void z() {} }\n"
    names = ["x", "rows", "Inner.x", "Inner.Deep.y", "off", "made"]
    assert list(WRITER.defined(FILE, data)) == [f"{FILE}::{name}" for name in names]
    refused = WRITER.sites({FILE: data}, [f"{FILE}::off", f"{FILE}::made"]).refused
    assert ["disabled" in refused[f"{FILE}::off"], "factory" in refused[f"{FILE}::made"]] == [True, True]


@pytest.mark.parametrize(
    ("members", "says"),
    [
        ("@Test void x() {}", "twice"),
        ("void x(int n) {}", "overloaded"),
        ("@Test void y( {}", "syntax"),
    ],
)
def test_a_suite_says_what_it_cannot_have(members: str, says: str) -> None:
    with pytest.raises(SyntaxError, match=says):
        WRITER.defined(FILE, source("", members))


@pytest.mark.parametrize(
    ("kind", "new"),
    [
        ("negate", "org.junit.jupiter.api.Assertions.assertNotEquals"),
        ("fail", "    org.junit.jupiter.api.Assertions.fail();\n    }"),
    ],
)
def test_turned_tests_fail(kind: str, new: str) -> None:
    files = {FILE: source("assertEquals(3, f());")}
    made = WRITER.turned(files, [f"{FILE}::x"], kind)  # type: ignore[arg-type]
    assert made[f"{FILE}::x"].new == new


def test_a_test_that_ends_by_leaving_gets_no_failure_behind_it() -> None:
    assert WRITER.turned({FILE: source("throw new E();")}, [f"{FILE}::x"], "fail") == {}
