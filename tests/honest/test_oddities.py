"""No false alarm: a right change stays right however it looks and whatever harmless thing comes with it."""

from __future__ import annotations

import pytest

from runner.materials import Materials
from runner.task import Benchmark, Task
from tests.honest.conftest import Seeded
from tests.honest.oddities import DROPPED, ODDITIES, Right

QUICK_TASK = "boltons-split-strutils"
QUICK = ("helpers-moved", "left-overs")
SEED = 2026


@pytest.mark.engine
@pytest.mark.slow
@pytest.mark.parametrize("oddity", ODDITIES)
def test_right_change_with_an_oddity_is_resolved(
    task: Task, oddity: str, materials: Materials, seeded: Seeded
) -> None:
    check(task, oddity, materials, seeded)


@pytest.mark.engine
@pytest.mark.parametrize("oddity", QUICK)
def test_right_change_with_an_oddity_is_resolved_quick(
    oddity: str, benchmark: Benchmark, materials: Materials, seeded: Seeded
) -> None:
    check(benchmark.task(QUICK_TASK), oddity, materials, seeded)


def check(task: Task, oddity: str, materials: Materials, seeded: Seeded) -> None:
    """The gold with the oddity differs from the gold, is resolved, and says what was left out of it."""
    gold = materials.gold(task)
    odd = ODDITIES[oddity](Right(task, materials.base(task), gold))
    differing = gold.changed(odd)
    assert differing
    result = seeded(task, materials.patch(task, odd), SEED)
    assert (result.verdict, result.reason if result.verdict != "resolved" else "") == ("resolved", "")
    if oddity in DROPPED:
        assert {path for path in result.dropped if path in differing}
