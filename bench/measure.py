"""Runs a suite over a tree again and again, each time in another order, and says what was not the same."""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from statistics import median
from typing import Protocol

from runner.plan import Pass
from runner.toolchains import Report
from runner.tree import Tree

MISSING = "missing"
LISTED_TWICE = "listed twice"

Progress = Callable[[str, int, int], None]
"""Told what is being done, how many steps of it are done, and of how many (a guess where that is open)."""


class RunPass(Protocol):
    """Runs one pass of the task's suite over a tree, in a fresh container, and reads its report."""

    def __call__(self, tree: Tree, work: Pass) -> Report:
        """Raises HostFailure if our side failed; whatever the tree did is in the report."""


@dataclass(frozen=True, slots=True)
class Repeated:
    """What came of repeating: test id to its outcomes, test id to its median seconds, and what went wrong."""

    outcomes: Mapping[str, tuple[str, ...]]
    seconds: Mapping[str, float]
    problems: tuple[str, ...]

    def outcome(self, test: str) -> str:
        """The outcome of a test that is not flaky."""
        return self.outcomes[test][0]

    @property
    def flaky(self) -> dict[str, str]:
        """Test id to how often each outcome came, for every test whose repeats differ."""
        return {test: _counted(each) for test, each in self.outcomes.items() if len(set(each)) > 1}


def repeat(
    tree: Tree,
    tests: Sequence[str],
    run: RunPass,
    *,
    repeats: int,
    rng: random.Random,
    step: Callable[[], None],
) -> Repeated:
    """Run the whole suite `repeats` times without canaries; `step` is called after each."""
    outcomes: dict[str, list[str]] = {test: [] for test in tests}
    seconds: dict[str, list[float]] = {test: [] for test in tests}
    problems: list[str] = []
    for _ in range(repeats):
        report = run(tree, Pass(shuffled(tests, rng), {}))
        for test, outcome in outcomes_of(report, tests).items():
            outcomes[test].append(outcome)
        for entry in report.tests:
            seconds.get(entry.id, []).append(entry.seconds)
        problems += report_problems(report, tests)
        step()
    return Repeated(
        {test: tuple(each) for test, each in outcomes.items()},
        {test: median(each) if each else 0.0 for test, each in seconds.items()},
        tuple(dict.fromkeys(problems)),
    )


def shuffled(tests: Sequence[str], rng: random.Random) -> tuple[str, ...]:
    """The tests in another order."""
    return tuple(rng.sample(tests, len(tests)))


def outcomes_of(report: Report, tests: Sequence[str]) -> dict[str, str]:
    """Every test's outcome in a report: passed, failed, skipped, `missing` or `listed twice`."""
    listed: dict[str, str] = {}
    for entry in report.tests:
        listed[entry.id] = LISTED_TWICE if entry.id in listed else entry.outcome
    return {test: listed.get(test, MISSING) for test in tests}


def report_problems(report: Report, tests: Sequence[str]) -> list[str]:
    """What is wrong with a report as a whole."""
    problems = [report.problem] if report.problem else []
    if not report.complete and not report.problem:
        during = f" during {report.running}" if report.running else ""
        problems.append(f"the test process ended before its report was complete{during}")
    strays = sorted({entry.id for entry in report.tests} - set(tests))
    return problems + [f"{stray} ran, and suite.toml does not list it" for stray in strays]


def _counted(outcomes: Sequence[str]) -> str:
    return ", ".join(f"{outcome} {times} times" for outcome, times in sorted(Counter(outcomes).items()))
