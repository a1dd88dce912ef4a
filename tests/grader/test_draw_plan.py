"""One evaluation's plan: every test real once, every carrier a canary once, and nothing to guess it by."""

from __future__ import annotations

import dataclasses
import datetime
from collections import Counter
from collections.abc import Mapping
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from grader.draw_plan import (
    LEAST_CARRIED,
    coverage,
    coverage_problems,
    draw_plan,
    fresh_seed,
    require_coverage,
)
from runner.errors import TaskError
from runner.plan import Canary
from runner.task import (
    DeltaChange,
    ImageSpec,
    Limits,
    Measured,
    Structure,
    Suite,
    SuiteTest,
    Task,
    TreeSource,
    Unit,
)

FILE = "tests/test_it.py"
SEEDS = st.integers(0, 2**64 - 1)


def name(number: int) -> str:
    return f"{FILE}::test_{number:03}"


def twins(test: str, count: int) -> tuple[Canary, ...]:
    return tuple(Canary(test, "value", FILE, 0, 1, "1", str(2 + number)) for number in range(count))


def measured(canaries: Mapping[str, tuple[Canary, ...]], uncarried: Mapping[str, str]) -> Measured:
    return Measured("s", "b", "g", 10, {}, {}, canaries, uncarried, {})


def task(total: int, carried: int, *, locked: bool = True, each: int = 3) -> Task:
    tests = [name(number) for number in range(total)]
    suite = Suite(
        (Unit(FILE, "keep", tuple(tests)),),
        {test: SuiteTest(test, FILE, "keep", "proves a thing") for test in tests},
        {FILE: b""},
        "published",
    )
    proven = measured(
        {test: twins(test, each) for test in tests[:carried]},
        dict.fromkeys(tests[carried:], "compares only truth"),
    )
    folder = Path("tasks/sample")
    return Task(
        id="sample",
        title="Sample",
        kind="refactor",
        language="python",
        created_at=datetime.date(2026, 12, 1),
        licence="MIT",
        folder=folder,
        statement="",
        source=TreeSource(folder / "tree"),
        gold=DeltaChange(folder / "gold.delta"),
        image=ImageSpec(),
        limits=Limits(),
        upstream_tests=(),
        allowed=(),
        suite=suite,
        structure=Structure(),
        controls=(),
        reviews=(),
        measured=proven if locked else None,
        digest="",
    )


@given(SEEDS, st.integers(1, 40), st.data())
def test_every_test_is_real_once_and_every_carrier_a_canary_once(
    seed: int, total: int, data: st.DataObject
) -> None:
    sample = task(total, data.draw(st.integers(1, total)))
    assert sample.measured is not None
    plan = draw_plan(sample, seed)
    assert plan.seed == seed and len(plan.passes) == 2
    canaries = Counter(test for work in plan.passes for test in work.canaries)
    reals = Counter(test for work in plan.passes for test in work.order if test not in work.canaries)
    for test in sample.suite.tests:
        carries = test in sample.measured.canaries
        assert (canaries[test], reals[test]) == ((1, 1) if carries else (0, 2))
    for work in plan.passes:
        assert sorted(work.order) == sorted(sample.suite.tests)
        for test, canary in work.canaries.items():
            assert canary.test == test and canary in sample.measured.canaries[test]
    sizes = sorted(len(work.canaries) for work in plan.passes)
    assert sizes[1] - sizes[0] <= 1


@given(SEEDS)
def test_the_seed_is_all_that_a_plan_comes_from(seed: int) -> None:
    assert draw_plan(task(30, 28), seed) == draw_plan(task(30, 28), seed)


@given(SEEDS)
def test_without_canaries_the_suite_runs_once_as_it_is(seed: int) -> None:
    for plan in (draw_plan(task(20, 18), seed, canaries=False), draw_plan(task(20, 0), seed)):
        (work,) = plan.passes
        assert sorted(work.order) == [name(number) for number in range(20)]
        assert not work.canaries


def test_over_many_seeds_halves_orders_and_twins_all_vary() -> None:
    sample = task(20, 20)
    plans = [draw_plan(sample, seed) for seed in range(400)]
    in_first = Counter(test for plan in plans for test in plan.passes[0].canaries)
    drawn = Counter(canary.new for plan in plans for work in plan.passes for canary in work.canaries.values())
    leading = Counter(work.order[0] for plan in plans for work in plan.passes)
    assert all(140 < in_first[test] < 260 for test in sample.suite.tests)
    assert set(drawn) == {"2", "3", "4"} and min(drawn.values()) > 2400
    assert set(leading) == set(sample.suite.tests)
    assert len({frozenset(plan.passes[0].canaries) for plan in plans}) > 390


def test_the_two_passes_have_orders_of_their_own() -> None:
    first, second = draw_plan(task(30, 30), 7).passes
    assert first.order != second.order


def test_fresh_seeds_are_wide_and_do_not_repeat() -> None:
    seeds = {fresh_seed() for _ in range(100)}
    assert len(seeds) == 100 and max(seeds).bit_length() > 56


def test_coverage_names_the_tests_without_a_canary_and_why() -> None:
    covered = coverage(task(30, 28))
    assert (covered.carried, covered.total, covered.share) == (28, 30, 28 / 30)
    assert covered.uncarried == {name(28): "compares only truth", name(29): "compares only truth"}
    assert set(coverage(task(3, 3, locked=False)).uncarried.values()) == {"not locked yet"}


def test_canaries_of_tests_that_are_gone_do_not_count() -> None:
    sample = task(20, 20)
    assert sample.measured is not None
    stale = measured({**sample.measured.canaries, f"{FILE}::test_gone": twins("x", 1)}, {})
    assert coverage(replace_measured(sample, stale)).carried == 20
    assert f"{FILE}::test_gone" not in draw_plan(replace_measured(sample, stale), 1).passes[0].order


def replace_measured(sample: Task, found: Measured) -> Task:
    return dataclasses.replace(sample, measured=found)


@pytest.mark.parametrize(
    ("total", "carried", "says"),
    [(30, 27, ""), (16, LEAST_CARRIED, ""), (14, 14, "at least 15"), (30, 26, "87%"), (20, 0, "at least 15")],
)
def test_a_task_is_ranked_with_enough_canaries_only(total: int, carried: int, says: str) -> None:
    sample = task(total, carried)
    if not says:
        assert coverage_problems(sample, 0.9) == []
        assert require_coverage(sample, 0.9).carried == carried
        return
    with pytest.raises(TaskError) as caught:
        require_coverage(sample, 0.9)
    assert says in str(caught.value)
    assert all(fault.file.endswith("sample/measured.json") for fault in caught.value.faults)
