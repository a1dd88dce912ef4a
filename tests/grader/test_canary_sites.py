"""Where a pytest suite expects a literal that may be changed, and where nothing may be touched."""

from __future__ import annotations

import textwrap

import pytest

from grader.canaries import WRITERS, Sites

FILE = "tests/test_it.py"
WRITER = WRITERS["pytest"]


def sites_of(source: str, *names: str) -> Sites:
    tests = [f"{FILE}::{name}" for name in names or ("test_it",)]
    return WRITER.sites({FILE: textwrap.dedent(source).encode()}, tests)


def texts(body: str) -> list[str]:
    """The literals found in a test with that body."""
    source = "def test_it(tmp_path):\n" + textwrap.indent(textwrap.dedent(body).strip(), "    ") + "\n"
    return [site.text for site in sites_of(source).found.get(f"{FILE}::test_it", ())]


def reason(source: str) -> str:
    found = sites_of(source)
    assert not found.found
    return found.refused[f"{FILE}::test_it"]


@pytest.mark.parametrize(
    ("body", "expected"),
    [
        ("assert f(2) == 17", ["17"]),
        ("assert 17 == f(2)", ["17"]),
        ("assert f(2) == -17", ["17"]),
        ("assert f(2) == 2.5", ["2.5"]),
        ("assert f(2) == 'ab-c'", ["'ab-c'"]),
        ("assert f(2) == b'ab'", ["b'ab'"]),
        ("assert (f(2) == (17))", ["17"]),
        ("assert f(2) == [1, (2, [3]), {4}]", ["1", "2", "3", "4"]),
        ("assert f(2) == {'key': 'value', 5: [6]}", ["'value'", "6"]),
        ("assert f(2) == [True, None, 7]", ["7"]),
        ("assert f(2) == 'ab' 'cd'", ["'ab'", "'cd'"]),
        ("assert f(2) == 'ab' + 'cd'", ["'ab'", "'cd'"]),
        ("assert f(2) == '\\n'.join(['ab', 'cd'])", ["'ab'", "'cd'"]),
        ("assert f(2) == frozenset([8, 9])", ["8", "9"]),
        ("assert f(2) == pytest.approx(0.25)", ["0.25"]),
        ("assert f(2) == 17, 'a message'", ["17"]),
        ("assert f(2) == 17 and f(3) == 18", ["17", "18"]),
        ("assert (len(f(2)), f(3)) == (17, 18)", ["17", "18"]),
        ("with open(tmp_path) as file:\n    assert file.read() == 'text'", ["'text'"]),
        ("with pytest.raises(KeyError) as e:\n    f(2)\nassert str(e.value) == 'gone'", ["'gone'"]),
        ("expected = [17, 18]\nassert f(2) == expected", ["17", "18"]),
    ],
)
def test_expected_literals_are_found(body: str, expected: list[str]) -> None:
    assert texts(body) == expected


@pytest.mark.parametrize(
    "body",
    [
        "assert f(17)",
        "assert f(17) is True",
        "assert f(17) == True",
        "assert f(17) == None",
        "assert f(17) != 18",
        "assert f(17) in (18, 19)",
        "assert f(17) == g(18)",
        "assert f(17) == values[18]",
        "assert f(17) == 18 * 2",
        "assert f(17) == 3j",
        "assert 2 == 3",
        "assert f(2) == f'{x}-b'",
        "assert f('same') == 'same'",
        "assert f(2) == ''",
        "assert f(2) == pytest.approx(0.25, rel=loose)",
        "for x in f(2):\n    assert x == 17",
        "while f(2):\n    assert g(2) == 17",
        "if f(2):\n    assert g(2) == 17",
        "try:\n    assert g(2) == 17\nfinally:\n    pass",
        "with pytest.raises(KeyError):\n    assert g(2) == 17",
        "with contextlib.suppress(KeyError):\n    assert g(2) == 17",
        "def inner():\n    assert g(2) == 17\ninner()",
        "return\nassert g(2) == 17",
        "expected = 17\nassert f(2) == expected\nuse(expected)",
        "expected = 17\nexpected = 18\nassert f(2) == expected",
    ],
)
def test_everything_else_is_left_alone(body: str) -> None:
    assert texts(body) == []


@pytest.mark.parametrize(
    ("source", "why"),
    [
        ("def test_other(): pass", "no such test in tests/test_it.py"),
        ("def test_it(): f()", "no assert"),
        ("@pytest.mark.slow\ndef test_it(): assert f() == 17", "decorated with pytest.mark.slow"),
        ("async def test_it(): assert f() == 17", "an async test"),
        ("def test_it():\n  for x in f(): assert x == 17", "in a loop, a condition"),
        ("def test_it(): assert f() is True", "nothing computed with a number or text"),
        ("def test_it(): assert f() == f'{x} a'", "f-strings"),
        ("def test_it(): assert f('a-b') == 'a-b'", "equals an input"),
    ],
)
def test_a_test_without_a_site_says_why(source: str, why: str) -> None:
    assert why in reason(source)


def test_tests_in_classes_and_offsets_after_wide_characters() -> None:
    source = 'class TestIt:\n    def test_wide(self):\n        assert f("ä€𝄞") == "über"; assert g() == 41\n'
    found = sites_of(source, "TestIt::test_wide").found[f"{FILE}::TestIt::test_wide"]
    assert [site.text for site in found] == ['"über"', "41"]
    for site in found:
        assert source.encode()[site.start : site.end].decode() == site.text


def test_inputs_are_what_the_test_works_on_and_not_what_it_expects() -> None:
    source = """
    BASE = "shared"
    def helper(): return "made"
    def test_it():
        assert f(BASE, helper(), 12) == {"key": "answer"}
    """
    (site,) = sites_of(source).found[f"{FILE}::test_it"]
    assert set(site.inputs) == {"shared", "made", "12", "key"}


def test_what_approx_forgives_is_known() -> None:
    source = "def test_it():\n    assert f() == pytest.approx(2.5, abs=0.5)\n"
    (site,) = sites_of(source).found[f"{FILE}::test_it"]
    assert (site.relative, site.absolute) == (0.0, 0.5)
    assert not WRITER.differs(site, "3.25")
    assert WRITER.differs(site, "4.5")


@pytest.mark.parametrize("same", ["0x11", "17", "1_7", "17.0", "True", "'17'", "x", "17 17"])
def test_another_spelling_or_another_type_is_no_difference(same: str) -> None:
    (site,) = sites_of("def test_it():\n    assert f() == 17\n").found[f"{FILE}::test_it"]
    assert not WRITER.differs(site, same)


def test_defined_tests_have_their_lines() -> None:
    source = (
        b"import x\n\ndef test_a(): pass\n\nclass TestB:\n    def test_c(self): pass\n    def no(): pass\n"
    )
    assert WRITER.defined(FILE, source) == {f"{FILE}::test_a": 3, f"{FILE}::TestB::test_c": 6}


def test_a_test_defined_twice_is_refused() -> None:
    with pytest.raises(SyntaxError, match="test_a is defined twice") as caught:
        WRITER.defined(FILE, b"def test_a(): pass\ndef test_a(): pass\n")
    assert caught.value.lineno == 2


@pytest.mark.parametrize("kind", ["negate", "fail"])
@pytest.mark.parametrize(
    "source",
    [
        "def test_it():\n    x = 1\n    assert x == 1, 'so'\n    # the end\n",
        "def test_it(): assert 1 + 1 == 2\n",
        "def test_it():\n    assert (1 +\n        1 == 2)  # two\n",
    ],
)
def test_negated_and_failing_tests_fail_where_the_real_one_passes(kind: str, source: str) -> None:
    test = f"{FILE}::test_it"
    canary = WRITER.turned({FILE: source.encode()}, [test], "negate" if kind == "negate" else "fail")[test]
    assert source[canary.start : canary.end] == canary.old
    namespace: dict[str, object] = {}
    exec(source[: canary.start] + canary.new + source[canary.end :], namespace)
    rewritten = namespace["test_it"]
    assert callable(rewritten)
    with pytest.raises(AssertionError):
        rewritten()
