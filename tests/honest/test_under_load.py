"""No false alarm: right submissions are resolved whatever is drawn, however busy the machine is."""

from __future__ import annotations

import pytest

from runner.materials import Materials
from runner.task import Benchmark, Task
from tests.honest.conftest import SeededMany, right_patch, told

SEEDS = range(20)
QUICK_SEEDS = range(100, 102)
QUICK_TASK = "boltons-split-strutils"


@pytest.mark.engine
@pytest.mark.slow
@pytest.mark.usefixtures("busy_cores")
def test_right_submission_is_resolved_under_every_seed(
    task: Task, right: str, materials: Materials, seeded_many: SeededMany
) -> None:
    patch = right_patch(task, right, materials)
    results = seeded_many((task, patch, seed) for seed in SEEDS)
    assert len(results) == len(SEEDS)
    assert told(results) == []


@pytest.mark.engine
@pytest.mark.usefixtures("busy_cores")
def test_gold_is_resolved_while_the_cores_are_busy(
    benchmark: Benchmark, materials: Materials, seeded_many: SeededMany
) -> None:
    task = benchmark.task(QUICK_TASK)
    patch = right_patch(task, "gold", materials)
    results = seeded_many((task, patch, seed) for seed in QUICK_SEEDS)
    assert [result.verdict for result in results] == ["resolved"] * len(QUICK_SEEDS)
    assert all(result.identical_to_gold and result.canary_share >= 0.9 for result in results)


@pytest.mark.engine
@pytest.mark.slow
def test_empty_patch_is_incomplete_under_every_seed(task: Task, seeded_many: SeededMany) -> None:
    results = seeded_many((task, b"", seed) for seed in range(10))
    assert [result.verdict for result in results] == ["incomplete"] * 10


@pytest.mark.engine
def test_empty_patch_is_incomplete_and_told_what_is_missing(
    benchmark: Benchmark, seeded_many: SeededMany
) -> None:
    (result,) = seeded_many([(benchmark.task(QUICK_TASK), b"", 7)])
    assert result.verdict == "incomplete"
    assert {finding.verdict for finding in result.findings} == {"incomplete"}
    assert {test.outcome for test in result.tests if test.demand == "keep"} == {"passed"}
