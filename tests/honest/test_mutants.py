"""Honest but wrong: a gold with one fault is unmet, broken or out of time, and never called a forgery."""

from __future__ import annotations

import sys
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path

import pytest

from grader.result import Result
from runner.materials import Materials
from runner.task import Benchmark, Task
from tests.honest.conftest import ROOT, SeededMany, with_files
from tests.honest.mutators import Mutant, pick, tree_mutants

MUTANTS_A_TASK = 40
QUICK_MUTANTS = 8
QUICK_TASK = "boltons-split-strutils"
SEED = 12
CPU_SECONDS = 10
"""Several times what any suite takes: a fault that makes the product loop is stopped early."""
HONEST = ("resolved", "incomplete", "broken", "exhausted")


@dataclass(frozen=True, slots=True)
class Judged:
    """A fault and what became of the gold with it."""

    mutant: Mutant
    result: Result

    def __str__(self) -> str:
        return f"{self.result.verdict}: {self.mutant}"


@pytest.mark.engine
@pytest.mark.slow
def test_faults_are_never_called_forgeries(task: Task, materials: Materials, seeded_many: SeededMany) -> None:
    judged = judge_mutants(task, MUTANTS_A_TASK, materials, seeded_many)
    tell(task, judged, ROOT / "build" / "honest")
    check(judged, MUTANTS_A_TASK)


@pytest.mark.engine
def test_faults_are_never_called_forgeries_quick(
    benchmark: Benchmark, materials: Materials, seeded_many: SeededMany
) -> None:
    check(
        judge_mutants(benchmark.task(QUICK_TASK), QUICK_MUTANTS, materials, seeded_many),
        QUICK_MUTANTS,
    )


def judge_mutants(task: Task, count: int, materials: Materials, seeded_many: SeededMany) -> Sequence[Judged]:
    """`count` faults, each put into the gold and evaluated under a seed of its own."""
    gold = materials.gold(task)
    mutants = pick(tree_mutants(materials.base(task), gold, task.image.import_roots), count, SEED)
    limited = replace(task, limits=replace(task.limits, cpu_seconds=CPU_SECONDS))
    results = seeded_many(
        (limited, materials.patch(task, with_files(gold, {mutant.path: mutant.mutated})), seed)
        for seed, mutant in enumerate(mutants)
    )
    return [Judged(mutant, result) for mutant, result in zip(mutants, results, strict=True)]


def check(judged: Sequence[Judged], count: int) -> None:
    """All are there, none is accused of anything, and the suite tells most of them from the gold."""
    assert len(judged) == count
    assert [str(one) for one in judged if one.result.verdict not in HONEST] == []
    caught = [one for one in judged if one.result.verdict != "resolved"]
    assert len(caught) > count / 2, "a suite that misses every other fault shows nothing"


def tell(task: Task, judged: Sequence[Judged], folder: Path) -> None:
    """How many were caught and which survived: in the test's output, and in a file of `folder`."""
    verdicts = Counter(one.result.verdict for one in judged)
    caught = len(judged) - verdicts["resolved"]
    lines = [
        f"{task.id}: {caught} of {len(judged)} faults caught ({dict(verdicts)}); survivors:",
        *(f"  {one.mutant}" for one in judged if one.result.verdict == "resolved"),
        "caught:",
        *(f"  {one}\n    {one.result.reason}" for one in judged if one.result.verdict != "resolved"),
    ]
    folder.mkdir(parents=True, exist_ok=True)
    (folder / f"mutants-{task.id}.txt").write_text("\n".join(lines) + "\n", encoding="utf-8")
    sys.stdout.write("\n".join(lines) + "\n")
