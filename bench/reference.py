"""The reference agents of a task: gold, noop and every control, with the verdicts they are known to get."""

from __future__ import annotations

from collections.abc import Iterator

from bench.evaluate import Submission
from bench.reports import Expectation
from runner.materials import Materials
from runner.task import Task

GOLD = "gold"
NOOP = "noop"


def reference_submissions(task: Task, materials: Materials) -> Iterator[tuple[Submission, Expectation]]:
    """Every reference submission of a task. A control that changes nothing is the agent `noop`.

    Raises SourceUnavailable, DeltaError.
    """
    yield _pair(task, GOLD, materials.patch(task, materials.gold(task)), "resolved")
    yield _pair(task, NOOP, b"", "incomplete")
    for control in task.controls:
        patch = materials.patch(task, materials.changed(task, control.change))
        if patch:
            yield _pair(task, control.name, patch, control.expected)


def expectations(task: Task) -> Iterator[Expectation]:
    """What `reference_submissions` will expect, without its trees."""
    yield Expectation(task.id, GOLD, "resolved")
    yield Expectation(task.id, NOOP, "incomplete")
    for control in task.controls:
        if control.name != "incomplete-noop":
            yield Expectation(task.id, control.name, control.expected)


def _pair(task: Task, agent: str, patch: bytes, verdict: str) -> tuple[Submission, Expectation]:
    return Submission(task, agent, patch), Expectation(task.id, agent, verdict)  # type: ignore[arg-type]  # a VerdictName
