"""What a report is made from: one run, as the batch leaves it."""

from __future__ import annotations

import datetime
from collections.abc import Mapping
from dataclasses import dataclass, field

from grader.result import Result
from runner.task import Protocol, VerdictName


@dataclass(frozen=True, slots=True)
class Expectation:
    """The verdict that a reference agent (gold, noop, a control) is known to get on a task."""

    task: str
    agent: str
    verdict: VerdictName


@dataclass(frozen=True, slots=True)
class CanaryCoverage:
    """How many of a task's tests carry a canary, and why the others do not (test id to reason)."""

    task: str
    tests: int
    carried: int
    uncarried: Mapping[str, str]

    @property
    def share(self) -> float:
        """Carried of all, 0 to 1; 0 for an empty suite."""
        return self.carried / self.tests if self.tests else 0.0


@dataclass(frozen=True, slots=True)
class Spent:
    """What a run took: seconds of all its sittings, bytes of disk. None where no engine was asked."""

    seconds: float = 0.0
    folder_bytes: int = 0
    """Results and evidence in the out folder."""
    image_bytes: int | None = None
    """The images of the tasks, their toolchains and the base, each layer once."""


@dataclass(frozen=True, slots=True)
class RunSummary:
    """One run over a benchmark. With `expected` it is a reference run: verdicts are compared, not rated."""

    benchmark: str
    version: str
    digest: str
    """The benchmark's digest; results that carry another one are named in the report."""
    protocol: Protocol
    benchmark_tasks: int
    """How many tasks the benchmark has; `tasks` may be fewer."""
    tasks: tuple[str, ...]
    """The tasks chosen: the denominator of every rate."""
    results: tuple[Result, ...]
    started: datetime.datetime
    finished: datetime.datetime
    agents: tuple[str, ...] = ()
    """Agents of the predictions; needed only for one that has neither a result nor a missing task."""
    options: Mapping[str, str] = field(default_factory=dict)
    """The command line's options as given."""
    expected: tuple[Expectation, ...] = ()
    missing: tuple[tuple[str, str], ...] = ()
    """Task and agent for which there is no prediction (`predictions.without_prediction`)."""
    unknown: tuple[str, ...] = ()
    """Predictions left out because their id is not in the benchmark, as sentences."""
    noted: tuple[str, ...] = ()
    """What else was noted while reading the predictions, as sentences."""
    thin: tuple[str, ...] = ()
    """Why tasks carry too few canaries for their results to be ranked, as sentences."""
    coverage: tuple[CanaryCoverage, ...] = ()
    """Every task chosen, in their order."""
    spent: Spent = field(default_factory=Spent)
    folder: str = ""
    """The out folder as the person named it, for the commands that repeat a result."""
    evidence_folder: str = "evidence"
    """Where the evidence store is, seen from `folder`."""
