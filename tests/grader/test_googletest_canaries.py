"""C++ with GoogleTest: where a suite expects a literal, what tells a twin apart, how C++ is read."""

from __future__ import annotations

from dataclasses import replace

import pytest

from grader.canaries import WRITERS, Site
from grader.canaries.twins import propose
from grader.syntax import SYNTAXES
from runner.tree import REGULAR, Entry

FILE = "suite/x_test.cc"
WRITER = WRITERS["googletest"]
CPP = SYNTAXES["cpp"]


def sites_in(body: str) -> tuple[Site, ...]:
    source = f"TEST(Suite, Name) {{ {body} }}\n"
    return WRITER.sites({FILE: source.encode()}, [f"{FILE}::Suite.Name"]).found.get(f"{FILE}::Suite.Name", ())


@pytest.mark.parametrize(
    ("body", "expected"),
    [
        ("EXPECT_EQ(f(2), 17);", ["17"]),
        ("ASSERT_EQ(17u, f(2)) << f(3);", ["17u"]),
        ("EXPECT_EQ(f(2), -17);", ["-17"]),
        ("EXPECT_EQ(f(2), 0x1fULL);", ["0x1fULL"]),
        ("EXPECT_EQ(f(2), 2.5f);", ["2.5f"]),
        ("EXPECT_EQ(f(2), 'q');", ["'q'"]),
        ('EXPECT_STREQ("ab\\n", f(2));', ['"ab\\n"']),
        ('EXPECT_EQ(f(2), std::string("ab"));', ['"ab"']),
        ('EXPECT_EQ(f(2), "ab"s);', ['"ab"']),
        ('EXPECT_EQ(f(2), R"x(a"b)x");', ['R"x(a"b)x"']),
        ('EXPECT_EQ(f(2), "ab" "cd");', ['"ab"', '"cd"']),
        ("EXPECT_EQ(f(2), (std::vector<int>{1, 2}));", ["1", "2"]),
        ("EXPECT_EQ(f(2), static_cast<long>(17));", ["17"]),
        ("EXPECT_NEAR(f(2), 1.5, 1e-9);", ["1.5"]),
        ("EXPECT_FLOAT_EQ(f(2), 1.5f); EXPECT_DOUBLE_EQ(f(2), 2.5);", ["1.5f", "2.5"]),
        ("EXPECT_TRUE(f(2) == 17 && f(3) == 18);", ["17", "18"]),
        ("{ EXPECT_EQ(f(2), 17); }", ["17"]),
        ('const char* want = "abc"; EXPECT_STREQ(want, f(2));', ['"abc"']),
    ],
)
def test_expected_literals_are_found(body: str, expected: list[str]) -> None:
    assert [site.text for site in sites_in(body)] == expected


@pytest.mark.parametrize(
    "body",
    [
        "if (f(1)) EXPECT_EQ(f(2), 17);",
        "for (int i : {1}) { EXPECT_EQ(f(i), 17); }",
        "return; EXPECT_EQ(f(2), 17);",
        "EXPECT_EQ(3, 17);",
        "EXPECT_EQ(f(2), true);",
        "EXPECT_EQ(f(2), nullptr);",
        'EXPECT_EQ(f("ab"), "ab");',
        "EXPECT_NE(f(2), 17);",
        "EXPECT_NEAR(f(2), 1.5, slack);",
        "EXPECT_NONFATAL_FAILURE(EXPECT_EQ(f(2), 17), text);",
    ],
)
def test_what_may_not_run_or_is_no_expectation_is_left_alone(body: str) -> None:
    assert sites_in(body) == ()


@pytest.mark.parametrize(
    ("body", "twin", "differs"),
    [
        ("EXPECT_EQ(f(2), 17);", "71", True),
        ("EXPECT_EQ(f(2), 17);", "0x11", False),
        ("EXPECT_EQ(f(2), 17);", "1700000", False),  # it may not fit where 17 does
        ("EXPECT_EQ(f(2), 0.1f);", "0.10000000001f", False),
        ("EXPECT_NEAR(f(2), 1.5, 0.2);", "1.6", False),
        ("EXPECT_NEAR(f(2), 1.5, 0.2);", "2.5", True),
        ("EXPECT_NEAR(f(2), 3, 2);", "4", False),
        ("EXPECT_EQ(f(2), 'q');", "'p'", True),
        ("EXPECT_EQ(f(2), 'q');", "'qp'", False),
        ('EXPECT_EQ(f(2), "a\\0b");', '"a\\0c"', False),
        ('EXPECT_EQ(f(2), "\\x01g");', '"\\x01b"', False),
    ],
)
def test_a_twin_is_told_apart_by_the_comparison(body: str, twin: str, *, differs: bool) -> None:
    assert WRITER.differs(sites_in(body)[0], twin) == differs


def test_ids_join_suite_and_name_and_rows_fold() -> None:
    source = (
        b"namespace {\nTEST_F(Fixture, Name) {}\nTEST_P(Rows, Name) {}\nTYPED_TEST(Types, Name) {}\n}\n"
        b"INSTANTIATE_TEST_SUITE_P(All, Rows, testing::Values(1, 2));\nTEST(Suite, DISABLED_Name) {}\n"
    )
    assert WRITER.defined(FILE, source) == {
        f"{FILE}::Fixture.Name": 2,
        f"{FILE}::Rows.Name": 3,
        f"{FILE}::Types.Name": 4,
        f"{FILE}::Suite.DISABLED_Name": 7,
    }
    disabled = f"{FILE}::Suite.DISABLED_Name"
    assert WRITER.sites({FILE: source}, [disabled]).refused == {disabled: "disabled"}


def test_an_id_that_stands_twice_is_refused() -> None:
    with pytest.raises(SyntaxError, match=r"Suite\.Name is defined twice"):
        WRITER.defined(FILE, b"TEST(Suite, Name) {}\nTEST_P(Suite, Name) {}\n")


@pytest.mark.parametrize(
    ("kind", "written"),
    [
        ("negate", "TEST(S, N) { if (f(1)) return; ASSERT_NE(f(2), 17) << 3; }"),
        ("fail", "TEST(S, N) { if (f(1)) return; ASSERT_EQ(f(2), 17) << 3; ADD_FAILURE(); }"),
    ],
)
def test_weaker_canaries(kind: str, written: str) -> None:
    source = "TEST(S, N) { if (f(1)) return; ASSERT_EQ(f(2), 17) << 3; }"
    made = WRITER.turned({FILE: source.encode()}, [f"{FILE}::S.N"], kind)[f"{FILE}::S.N"]  # type: ignore[arg-type]
    assert source[made.start : made.end] == made.old
    assert source[: made.start] + made.new + source[made.end :] == written


def test_twins_are_proposed() -> None:
    source = b'TEST(S, N) { EXPECT_EQ(f("x-1"), "ab-12"); }\nTEST(S, O) { EXPECT_EQ(f(12), 4711); }\n'
    tests = [f"{FILE}::S.N", f"{FILE}::S.O"]
    proposal = propose("googletest", {FILE: source}, tests, docs="", seed=1)
    assert set(proposal.canaries) == set(tests)
    for canary in (one for found in proposal.canaries.values() for one in found):
        assert source[canary.start : canary.end].decode() == canary.old != canary.new


def test_raw_texts_and_prefixes_are_one_token() -> None:
    lexed = CPP.lex('x = R"d(a)"b)d" + u8"c" + L\'d\'; // end\nthis->y = other->z::w;')
    assert [literal.value for literal in lexed.literals] == ['a)"b', "c", "d"]
    kept = [text for text, shape in zip(lexed.texts, lexed.shapes, strict=True) if shape and text.isalpha()]
    assert kept == ["this", "z", "w"]


@pytest.mark.parametrize(
    ("code", "names"),
    [
        ('system("ls");', ["system"]),
        ("auto run = &system;", ["system"]),
        ("shell.system(); my::system(); int system;", []),
        ("std::system(name);", ["system"]),
        ("mmap(0, n, PROT_READ | PROT_EXEC, 0, 0, 0);", ["PROT_EXEC"]),
        ('asm(".incbin \\"x\\"");', ["incbin"]),
        ("// dlopen\nchar c = 'd';", []),
        ("dlopen(path, 1);", ["dlopen"]),
    ],
)
def test_execution_of_text_and_bytes(code: str, names: list[str]) -> None:
    assert [execution.name for execution in CPP.executions(CPP.lex(code))] == names


@pytest.mark.parametrize("unit", ['R"(', 'R"', "u8'", "#define a(", "=a", 'extern "C" ', "==(", "a(", 'R"a('])
def test_any_text_reads_in_linear_time_however_often_it_repeats(unit: str) -> None:
    text = unit * 50_000
    assert sum(map(len, CPP.lex(text).texts)) <= len(text) + 50_001
    for pattern in (*(pattern for _, pattern in CPP.constructs), *(CPP.second_names or ())):
        assert len(pattern.findall(text)) <= len(text)


def test_a_word_split_over_two_lines_is_not_read() -> None:
    assert CPP.read(Entry(REGULAR, b"#define A(x) \\\n  x\n")).problem == ""
    assert "splits a word" in CPP.read(Entry(REGULAR, b"dlo\\\npen(x);\n")).problem


def test_a_site_writes_another_text_in_its_own_quotes() -> None:
    site = replace(sites_in('EXPECT_EQ(f(2), u8"ab");')[0], inner="cd")
    assert site.text == 'u8"cd"'
