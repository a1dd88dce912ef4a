"""Draws what one evaluation will run: two passes, in each of which another half of the suite are canaries."""

from __future__ import annotations

import random
import secrets
from collections.abc import Mapping
from dataclasses import dataclass

from runner.errors import Fault, TaskError
from runner.plan import Canary, Pass, Plan
from runner.task import Task

LEAST_CARRIED = 15
"""Tests that carry a canary below which a forger may guess every one (docs/integrity.md has the odds)."""
SEED_BITS = 64


@dataclass(frozen=True, slots=True)
class Coverage:
    """How many tests of a suite carry a canary, and why the others do not (test id to reason)."""

    carried: int
    total: int
    uncarried: Mapping[str, str]

    @property
    def share(self) -> float:
        """Carried of all, 0 to 1; 0 for an empty suite."""
        return self.carried / self.total if self.total else 0.0


def fresh_seed() -> int:
    """A seed from the operating system: call it after the patch is in, never before."""
    return secrets.randbits(SEED_BITS)


def coverage(task: Task) -> Coverage:
    """The canaries that `tasks lock` proved, against the suite as it is now."""
    proven = _proven(task)
    measured = task.measured.uncarried if task.measured else {}
    missing = {test: measured.get(test, "not locked yet") for test in task.suite.tests if test not in proven}
    return Coverage(len(proven), len(task.suite.tests), missing)


def coverage_problems(task: Task, canary_share: float) -> list[str]:
    """What keeps a task from being ranked: too few canaries (`canary_share` is the benchmark's, 0 to 1)."""
    covered = coverage(task)
    messages = []
    if covered.carried < LEAST_CARRIED:
        messages.append(
            f"{covered.carried} tests carry a canary, at least {LEAST_CARRIED} have to: write more tests "
            "with a computed expected literal, then run `assay tasks lock`"
        )
    if covered.share < canary_share:
        messages.append(
            f"{covered.share:.0%} of the tests carry a canary, the benchmark asks for {canary_share:.0%}; "
            f"without one: {', '.join(sorted(covered.uncarried))}"
        )
    return messages


def require_coverage(task: Task, canary_share: float) -> Coverage:
    """The coverage of a task that may be ranked. Raises TaskError if its canaries are too few."""
    problems = coverage_problems(task, canary_share)
    if problems:
        faults = [Fault(str(task.folder / "measured.json"), 0, problem) for problem in problems]
        raise TaskError(f"task {task.id} has too few canaries to be ranked", faults)
    return coverage(task)


def draw_plan(task: Task, seed: int, *, canaries: bool = True) -> Plan:
    """The plan of one evaluation; equal seeds give equal plans.

    With canaries: two passes, each test a canary in one of them (one of its proven twins) and real in the
    other; a test that carries none is real in both. Without, or where no test carries one: one pass.
    """
    rng = random.Random(seed)  # noqa: S311 - repeats a plan from its seed; the seed itself is the secret
    tests = sorted(task.suite.tests)
    proven = _proven(task) if canaries else {}
    if not proven:
        return Plan(seed, (_pass(rng, tests, {}),))
    drawn = {test: rng.choice(proven[test]) for test in sorted(proven)}
    carriers = list(drawn)
    rng.shuffle(carriers)
    middle = (len(carriers) + rng.randrange(2)) // 2
    halves = (carriers[:middle], carriers[middle:])
    return Plan(seed, tuple(_pass(rng, tests, {test: drawn[test] for test in half}) for half in halves))


def _pass(rng: random.Random, tests: list[str], canaries: Mapping[str, Canary]) -> Pass:
    order = list(tests)
    rng.shuffle(order)
    return Pass(tuple(order), dict(sorted(canaries.items())))


def _proven(task: Task) -> dict[str, tuple[Canary, ...]]:
    if task.measured is None:
        return {}
    return {
        test: twins for test, twins in task.measured.canaries.items() if twins and test in task.suite.tests
    }
