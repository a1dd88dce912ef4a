"""C with CTest: which tests a file has, where one expects a literal, what tells a twin apart."""

from __future__ import annotations

import pytest

from grader.canaries import WRITERS, Site
from grader.canaries.twins import propose
from grader.syntax import SYNTAXES
from runner.plan import CanaryKind
from runner.tree import REGULAR, Entry

FILE = "suite/test_x.c"
WRITER = WRITERS["ctest"]
C = SYNTAXES["c"]


def sites_in(body: str) -> tuple[Site, ...]:
    source = f"void test_it(void)\n{{ {body} }}\n"
    return WRITER.sites({FILE: source.encode()}, [f"{FILE}::test_it"]).found.get(f"{FILE}::test_it", ())


@pytest.mark.parametrize(
    ("body", "expected"),
    [
        ("assert(f(2) == 17);", ["17"]),
        ("assert(17u == f(2));", ["17u"]),
        ("assert((f(2) == -17) && g() == 0x1fUL);", ["-17", "0x1fUL"]),
        ('assert(strcmp(f(2), "ab\\n") == 0);', ['"ab\\n"']),
        ('assert(!strcmp("ab", f(2)));', ['"ab"']),
        ('assert(0 == memcmp(f(2), "ab" "cd", 4));', ['"ab"', '"cd"']),
        ("assert(f(2)[1] == 'q');", ["'q'"]),
        ("assert(fabs(f(2) - 2.5) < 1e-6);", ["2.5"]),
        ("if (f(2) != 17) fail();", ["17"]),
        ("if (f(2) != 17) { puts(s); exit(1); }", ["17"]),
        ('if (strcmp(f(2), "ab") || !(g() == 18)) abort();', ['"ab"', "18"]),
        ("CHECK(f(2) == 17);", ["17"]),
        ('CHECK(f(2) == 17, "a message");', ["17"]),
        ('CHECK_INT(f(2), 17); check_str(f(3), "ab");', ["17", '"ab"']),
        ("TEST_ASSERT_EQUAL_INT(17, f(2));", ["17"]),
        ("ck_assert_int_eq(f(2), (long)17);", ["17"]),
        ("CHECK_NEAR(f(2), 2.5, 0.001);", ["2.5"]),
        ('const char *want = "ab"; CHECK_STR(f(2), want);', ['"ab"']),
        ("{ assert(f(2) == 17); }", ["17"]),
    ],
)
def test_expected_literals_are_found(body: str, expected: list[str]) -> None:
    assert [site.text for site in sites_in(body)] == expected


@pytest.mark.parametrize(
    "body",
    [
        "if (f(1)) assert(f(2) == 17);",
        "for (;;) { assert(f(2) == 17); }",
        "return; assert(f(2) == 17);",
        "goto out; assert(f(2) == 17); out:;",
        "assert(f(2) != 17);",
        "assert(f(2) < 17);",
        "assert(f(2) == 17 || g());",
        "assert(f(2) == NULL);",
        "if (f(2) != 17) puts(s);",
        "if (f(2) != 17) fail(); else g();",
        "if (f(2) == 17) fail();",
        'assert(strcmp(f("ab"), "ab") == 0);',
        "CHECK_NE(f(2), 17);",
        "CHECK_FALSE(f(2) == 17);",
        "run(f(2), 17);",
        "CHECK_INT(f(x[17]));",
    ],
)
def test_nothing_else_is_a_site(body: str) -> None:
    assert sites_in(body) == ()


def test_tests_are_the_functions_that_can_be_called() -> None:
    source = b"""\
static void test_hidden(void) {}
void test_one(void) {}
int
test_two() { return 0; }
#ifdef X
void test_three(void) {}
#endif
void test_with(int row) {}
char *test_text(void) { return 0; }
void helper(void) {}
"""
    assert WRITER.defined(FILE, source) == {
        f"{FILE}::test_one": 2,
        f"{FILE}::test_two": 3,
        f"{FILE}::test_three": 6,
    }


def test_a_file_with_a_main_is_one_test() -> None:
    assert [*WRITER.defined(FILE, b"void test_a(void) {}\nint main(int c, char **v) { test_a(); }\n")] == [
        f"{FILE}::main"
    ]


def test_a_test_that_stands_there_twice_is_refused() -> None:
    with pytest.raises(SyntaxError, match="test_a is defined twice"):
        WRITER.defined(FILE, b"void test_a(void) {}\nvoid test_a(void) {}\n")


@pytest.mark.parametrize(
    ("body", "other", "differs"),
    [
        ("assert(f() == 17);", "18", True),
        ("assert(f() == 17);", "0x11", False),
        ("assert(f() == 0x11);", "0x12", True),
        ("assert(f() == 17);", "300", False),  # needs a wider type
        ("CHECK_NEAR(f(), 2.5, 0.01);", "2.51", False),
        ("CHECK_NEAR(f(), 2.5, 0.01);", "2.6", True),
        ('CHECK_STR(f(), "a\\tb");', '"a\\011b"', False),
        ('CHECK_STR(f(), "a\\tb");', '"a\\nb"', True),
        ('CHECK_STR(f(), "ab\\0c");', '"ab\\0d"', False),
    ],
)
def test_a_twin_is_another_value(body: str, other: str, differs: bool) -> None:
    assert WRITER.differs(sites_in(body)[0], other) is differs


@pytest.mark.parametrize(
    ("body", "kind", "new"),
    [
        ("assert(f(2) == 17);", "negate", "!(f(2) == 17)"),
        ("if (f(2) != 17) fail();", "negate", "(!(f(2) != 17))"),
        ("f(2); return;", "fail", "__builtin_abort(); "),
    ],
)
def test_weaker_canaries(body: str, kind: CanaryKind, new: str) -> None:
    source = f"void test_it(void) {{ {body} }}\n".encode()
    made = WRITER.turned({FILE: source}, [f"{FILE}::test_it"], kind)[f"{FILE}::test_it"]
    assert made.new == new
    assert source[made.start : made.end].decode() == made.old


def test_twins_are_proposed() -> None:
    source = b'void test_it(void) { CHECK_STR(f("abc"), "a-b-c-17"); }\n'
    proposal = propose("ctest", {FILE: source}, [f"{FILE}::test_it"], docs="", seed=1)
    assert proposal.canaries[f"{FILE}::test_it"]
    assert all(canary.old == '"a-b-c-17"' for canary in proposal.canaries[f"{FILE}::test_it"])


def test_c_is_read_and_searched() -> None:
    code = 'void *f(void) { return dlopen("x.so", 1); }\n__asm__(".incbin \\"y\\"");\n'
    source = C.read(Entry(REGULAR, code.encode()))
    assert [found.name for found in C.executions(C.lex(source.text))] == ["dlopen", "incbin"]
