"""What the suite says: each test's outcome as itself and as its canary, and findings on the first."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Literal

from grader.finding import Finding
from grader.passes import PassView
from grader.result import TestDocument
from grader.sentences import counted, one_line
from runner.mechanisms import Mechanisms
from runner.task import SuiteTest, Task, VerdictName
from runner.toolchains import Reported

Outcome = Literal["passed", "skipped", "failed", "missing", "duplicate"]
_WORST_LAST: tuple[Outcome, ...] = ("passed", "skipped", "failed", "missing", "duplicate")


@dataclass(frozen=True, slots=True)
class Seen:
    """One test in one pass. `counts` says whether it counts as passed under the mechanisms that are on."""

    outcome: Outcome
    counts: bool
    view: PassView
    unloaded: str = ""
    """Why its unit did not load, if it did not."""
    message: str = ""
    seconds: float = 0.0


@dataclass(frozen=True, slots=True)
class JudgedTest:
    """One suite test: its worst outcome as itself, and its outcome as its canary, if it carried one."""

    test: SuiteTest
    real: Seen
    canary: Seen | None

    def document(self) -> TestDocument:
        """Its entry in the result."""
        return TestDocument(
            id=self.test.id,
            demand=self.test.demand,
            outcome=self.real.outcome,
            canary=self.canary.outcome if self.canary else None,
            message=one_line(self.real.unloaded or self.real.message, 500),
            seconds=self.real.seconds,
        )


def judge_tests(task: Task, views: Sequence[PassView], mechanisms: Mechanisms) -> tuple[JudgedTest, ...]:
    """Every test of the suite in its order. Raises ValueError if the plan is not this suite's."""
    for view in views:
        if set(view.planned.order) != set(task.suite.tests):
            raise ValueError(f"the evidence was made with another suite of {task.id}; evaluate again")
    return tuple(_judged(test, views, mechanisms) for test in task.suite.tests.values())


def _judged(test: SuiteTest, views: Sequence[PassView], mechanisms: Mechanisms) -> JudgedTest:
    seen = {view.number: _seen(test, view, mechanisms) for view in views}
    real = [seen[view.number] for view in views if test.id not in view.planned.canaries]
    canary = [seen[view.number] for view in views if test.id in view.planned.canaries]
    if not real:
        raise ValueError(f"{test.id} is real in no pass of the plan; evaluate again")
    return JudgedTest(test, max(real, key=_badness), canary[0] if canary else None)


def _badness(seen: Seen) -> tuple[bool, int]:
    return not seen.counts, _WORST_LAST.index(seen.outcome)


def _seen(test: SuiteTest, view: PassView, mechanisms: Mechanisms) -> Seen:
    unloaded = view.report.uncollected.get(test.unit, "")
    if test.unit in view.report.uncollected:
        return Seen("missing", False, view, unloaded=one_line(unloaded) or "no reason given")
    entries = view.listed.get(test.id, ())
    outcome = _outcome(entries)
    counts = outcome == "passed" or (not mechanisms.exact_ids and _counts_naively(outcome, entries))
    first = next((entry for entry in entries if entry.outcome != "passed"), entries[0] if entries else None)
    if first is None:
        return Seen(outcome, counts, view)
    return Seen(outcome, counts, view, message=first.message, seconds=sum(entry.seconds for entry in entries))


def _outcome(entries: Sequence[Reported]) -> Outcome:
    if not entries:
        return "missing"
    return "duplicate" if len(entries) > 1 else entries[0].outcome


def _counts_naively(outcome: Outcome, entries: Sequence[Reported]) -> bool:
    """Without exact ids: what a harness does that only looks for failures."""
    if outcome == "duplicate":
        return any(entry.outcome == "passed" for entry in entries)
    return outcome in ("missing", "skipped")


def judge_behaviour(task: Task, tests: Sequence[JudgedTest], mechanisms: Mechanisms) -> list[Finding]:
    """A finding for each unit that does not load, and for each test that did not pass as itself.

    Tests that are missing because their pass was cut short have no finding of their own.
    """
    return [
        *_unloaded_units(task, tests),
        *(finding for test in tests for finding in _own_finding(test, mechanisms)),
    ]


def _unloaded_units(task: Task, tests: Sequence[JudgedTest]) -> Iterator[Finding]:
    for unit in task.suite.units:
        unloaded = [one for one in tests if one.test.unit == unit.file and one.real.unloaded]
        if not unloaded:
            continue
        keeps = sum(1 for one in unloaded if one.test.demand == "keep")
        verdict: VerdictName = "broken" if keeps else "incomplete"
        count = counted(keeps or len(unloaded), f"{'keep' if keeps else 'gain'} test")
        message = f"unit {unit.file} does not load, so {count} cannot run: {unloaded[0].real.unloaded}"
        yield Finding("tests", verdict, message, unit.file)


def _own_finding(one: JudgedTest, mechanisms: Mechanisms) -> Iterator[Finding]:
    real, test = one.real, one.test
    excused = real.outcome == "missing" and (real.unloaded or real.view.cut_short)
    if real.counts or excused:
        return
    by_id = mechanisms.exact_ids and real.outcome != "failed"
    twice = by_id and real.outcome == "duplicate"
    verdict: VerdictName = "incomplete" if test.demand == "gain" and not twice else "broken"
    mechanism = "exact_ids" if by_id else "tests"
    yield Finding(mechanism, verdict, _own_message(one), test.id)


def _own_message(one: JudgedTest) -> str:
    what = {
        "failed": "failed",
        "skipped": "was skipped",
        "missing": "is missing from the report",
        "duplicate": "is listed more than once",
        "passed": "passed",
    }[one.real.outcome]
    said = f": {one_line(one.real.message)}" if one.real.message else ""
    place = f"{what} in pass {one.real.view.number}"
    return f'{one.test.demand} test {one.test.id} {place} ("{one_line(one.test.proves)}"){said}'


def fix_rate(tests: Sequence[JudgedTest], verdict: VerdictName) -> float:
    """Share of `gain` tests passed (1 if there is none); 0 unless `verdict` is `resolved` or `incomplete`."""
    if verdict not in ("resolved", "incomplete"):
        return 0.0
    gains = [one.real.counts for one in tests if one.test.demand == "gain"]
    return sum(gains) / len(gains) if gains else 1.0
