"""A twin is another value of the same type that looks, to a stranger, as the original does."""

from __future__ import annotations

import ast

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from grader.canaries import WRITERS
from grader.canaries.features import Battery, Surroundings
from grader.canaries.twins import MOST_TWINS, Proposal, propose, trimmed
from runner.plan import Canary

FILE = "tests/test_it.py"
SUITE = b"""
from shop import label, price, rows

def test_price():
    assert price(31, "net") == 1729

def test_label():
    assert label("blue door", 40) == "b-40-door"

def test_rows():
    assert rows("x y") == [["left", 12], ["right", 57]]

def test_share():
    assert price(31, "share") == pytest.approx(0.3725)

def test_truth():
    assert price(1, "net") is not None
"""
TESTS = [f"{FILE}::test_{name}" for name in ("price", "label", "rows", "share", "truth")]


def proposed(source: bytes = SUITE, tests: list[str] = TESTS, seed: int = 1, docs: str = "") -> Proposal:
    return propose("pytest", {FILE: source}, tests, docs=docs, seed=seed)


def rewritten(source: bytes, canary: Canary) -> bytes:
    assert source[canary.start : canary.end] == canary.old.encode()
    return source[: canary.start] + canary.new.encode() + source[canary.end :]


def test_every_test_carries_several_twins_or_a_reason() -> None:
    proposal = proposed()
    assert set(proposal.canaries) == set(TESTS[:4])
    assert all(2 <= len(twins) <= MOST_TWINS for twins in proposal.canaries.values())
    assert "nothing computed with a number or text" in proposal.refused[TESTS[4]]


def test_a_twin_changes_the_value_and_nothing_else() -> None:
    for test, twins in proposed().canaries.items():
        assert len({(twin.start, twin.new) for twin in twins}) == len(twins)
        for twin in twins:
            old, new = ast.literal_eval(twin.old), ast.literal_eval(twin.new)
            assert twin.test == test and twin.kind == "value" and twin.file == FILE
            assert type(old) is type(new) and old != new
            ast.parse(rewritten(SUITE, twin))


def test_floats_differ_by_more_than_the_comparison_forgives() -> None:
    source = b"def test_it():\n    assert f() == pytest.approx(2.5, abs=0.75)\n"
    twins = proposed(source, [f"{FILE}::test_it"]).canaries[f"{FILE}::test_it"]
    assert twins and all(abs(float(twin.new) - 2.5) > 1.5 for twin in twins)


def test_nearest_twins_come_first() -> None:
    for twins in proposed().canaries.values():
        distances = [twin.distance for twin in twins]
        assert distances == sorted(distances)


def test_equal_seeds_choose_equal_twins_and_others_do_not() -> None:
    assert proposed(seed=4) == proposed(seed=4)
    assert proposed(seed=4) != proposed(seed=5)


def test_an_input_is_no_twin_of_an_answer_that_is_none() -> None:
    source = b"def test_it():\n    assert f(3, 40, 500, 61) == 1729\n"
    twins = proposed(source, [f"{FILE}::test_it"]).canaries[f"{FILE}::test_it"]
    assert not {twin.new for twin in twins} & {"3", "40", "500", "61"}


def _feature_distance(source: bytes, inner: str, docs: str = "") -> int:
    (site,) = WRITERS["pytest"].sites({FILE: source}, [f"{FILE}::test_it"]).found[f"{FILE}::test_it"]
    literals = WRITERS["pytest"].literals(source)
    return Battery(site, Surroundings(literals, [source.decode()], docs)).distance_to(inner)


@pytest.mark.parametrize(
    ("source", "looks_alike", "stands_out"),
    [
        (b"def test_it():\n    assert f(31) == 1729\n", "1783", "1800"),
        (b"def test_it():\n    assert f(31) == 1729\n", "1783", "62"),
        (b"def test_it():\n    assert f('abc') == 'cab'\n", "bca", "xyz"),
        (b"def test_it():\n    assert f('a b') == 'b-a'\n", "a-b", "b-a-a-b"),
        (b"def test_it():\n    assert f('tide') == 'edit'\n", "ited", "eDit"),
    ],
)
def test_what_a_stranger_can_count_is_distance(source: bytes, looks_alike: str, stands_out: str) -> None:
    assert _feature_distance(source, looks_alike) < _feature_distance(source, stands_out)


def test_a_word_of_the_docs_stands_for_a_word_of_the_docs() -> None:
    source = b"def test_it():\n    assert f(1) == 'harbour'\n"
    docs = "A harbour is no village."
    assert _feature_distance(source, "village", docs) < _feature_distance(source, "harbuor", docs)


def test_the_original_is_at_no_distance_from_itself() -> None:
    assert _feature_distance(b"def test_it():\n    assert f('tide') == 'edit'\n", "edit") == 0


@settings(deadline=None)
@given(st.one_of(st.integers(0, 10**9), st.text(min_size=1, max_size=30), st.binary(min_size=1, max_size=20)))
def test_whatever_is_expected_its_twins_parse_and_differ(value: int | str | bytes) -> None:
    source = f"def test_it():\n    assert f(1, 'two') == {value!r}\n".encode("utf-8", "surrogatepass")
    proposal = proposed(source, [f"{FILE}::test_it"])
    for twin in proposal.canaries.get(f"{FILE}::test_it", ()):
        new = ast.literal_eval(twin.new)
        assert type(new) is type(value) and new != value
        ast.parse(rewritten(source, twin))


def test_a_test_without_a_value_twin_falls_back_to_the_next_kind_asked_for() -> None:
    source = b"def test_it():\n    assert f(1) is True\n"
    kinds = propose(
        "pytest", {FILE: source}, [f"{FILE}::test_it"], docs="", seed=1, kinds=("value", "negate")
    )
    assert [canary.kind for canary in kinds.canaries[f"{FILE}::test_it"]] == ["negate"]
    assert kinds.refused == {}


@pytest.mark.parametrize(
    ("distances", "kept"), [((0, 0, 1), 2), ((0, 3), 1), ((2, 3, 4), 2), ((5,), 1), ((), 0)]
)
def test_only_twins_worth_drawing_are_stored(distances: tuple[int, ...], kept: int) -> None:
    twins = [Canary("t", "value", FILE, 0, 1, "1", "2", distance) for distance in distances]
    assert len(trimmed(twins)) == kept


def test_a_framework_without_a_writer_carries_none_and_says_so() -> None:
    assert propose("cobol", {}, ["t"], docs="", seed=1) == Proposal(
        {}, {"t": "no canary can be written for cobol yet"}
    )
