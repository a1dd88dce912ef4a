"""The facts of a report, counted once for all three of its forms. `schema: "assay.report/1"`."""

from __future__ import annotations

import datetime
import shlex
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import Literal

from bench.reports.summary import CanaryCoverage, RunSummary, Spent
from bench.reports.timings import seconds_taken
from bench.reports.visible import visible
from bench.statistics import Rate, rate_sentence, wilson_rate
from grader.finding import ORDER
from grader.result import Result, ScopeDocument
from runner.task import Protocol, VerdictName

Outcome = VerdictName | Literal["no prediction", "not run"]

OUTCOMES: tuple[Outcome, ...] = (*reversed(ORDER), "no prediction", "not run")
"""Every outcome a row may have, best first."""


@dataclass(frozen=True, slots=True)
class Commands:
    """How to look at a submission again, and how to run it again."""

    show: str
    evaluate: str


@dataclass(frozen=True, slots=True)
class Row:
    """One submission, or the place where one should have been."""

    task: str
    agent: str
    attempt: int
    outcome: Outcome
    known: VerdictName | None
    """The verdict that a reference submission must get; None in a run of predictions."""
    reason: str
    fix_rate: float
    caught_by: tuple[str, ...]
    scope: ScopeDocument | None
    seconds: float
    """All phases summed."""
    canaries: bool
    identical_to_gold: bool
    review_flags: tuple[str, ...]
    patch: str
    """SHA-256 of the patch, '' where nothing ran."""
    evidence: str
    repeat: Commands | None

    @property
    def disagrees(self) -> bool:
        """A reference submission that did not get its known verdict."""
        return self.known is not None and self.known != self.outcome


@dataclass(frozen=True, slots=True)
class AgentTally:
    """One agent over the tasks chosen. `rate` is of first attempts alone; `errored` is in its denominator."""

    agent: str
    rate: Rate
    outcomes: dict[Outcome, int]
    """Rows by outcome, first attempts, zero ones left out."""
    attempts: int
    """The most attempts that a task has seen."""
    any_attempt: Rate | None
    """Tasks resolved in any of `attempts` attempts (pass@k); None where there was one attempt each."""


@dataclass(frozen=True, slots=True)
class Reference:
    """A reference run: how many verdicts were as known, `of` how many."""

    as_known: int
    of: int
    disagreements: tuple[Row, ...]


@dataclass(frozen=True, slots=True)
class Report:
    """One run, counted. `reference` is None for predictions, `agents` empty for a reference run."""

    schema: Literal["assay.report/1"]
    ranked: bool
    """May stand on a board: a whole run of predictions with nothing in `not_ranked_because`."""
    not_ranked_because: tuple[str, ...]
    headline: str
    benchmark: str
    version: str
    digest: str
    protocol: Protocol
    tasks: tuple[str, ...]
    benchmark_tasks: int
    started: datetime.datetime
    finished: datetime.datetime
    options: dict[str, str]
    agents: tuple[AgentTally, ...]
    reference: Reference | None
    errored: int
    not_run: int
    unknown: tuple[str, ...]
    noted: tuple[str, ...]
    rows: tuple[Row, ...]
    coverage: tuple[CanaryCoverage, ...] = ()
    """How many tests of each task carry a canary; the names of those that carry none."""
    spent: Spent = field(default_factory=Spent)


def tally(summary: RunSummary) -> Report:
    """Count `summary`. Rows come in the order of tasks; in a reference run disagreements come first."""
    rows = _rows(summary)
    reference = _reference(rows) if summary.expected else None
    agents = () if reference else tuple(_agents(rows, summary.tasks))
    because = tuple(_not_ranked_because(summary))
    return Report(
        schema="assay.report/1",
        ranked=not because and reference is None,
        not_ranked_because=because,
        headline=_headline(agents, reference, len(summary.tasks)),
        benchmark=summary.benchmark,
        version=summary.version,
        digest=summary.digest,
        protocol=summary.protocol,
        tasks=summary.tasks,
        benchmark_tasks=summary.benchmark_tasks,
        started=summary.started,
        finished=summary.finished,
        options={visible(name): visible(value) for name, value in summary.options.items()},
        agents=agents,
        reference=reference,
        errored=sum(row.outcome == "errored" for row in rows),
        not_run=sum(row.outcome == "not run" for row in rows),
        unknown=tuple(map(visible, summary.unknown)),
        noted=tuple(map(visible, summary.noted)),
        rows=rows,
        coverage=summary.coverage,
        spent=summary.spent,
    )


def _rows(summary: RunSummary) -> tuple[Row, ...]:
    known = {(item.task, item.agent): item.verdict for item in summary.expected}
    place = {task: index for index, task in enumerate(summary.tasks)}
    rows = [_row(result, known.get((result.task, result.agent)), summary) for result in summary.results]
    rows += _absent(summary, known)
    rank = {agent: index for index, agent in enumerate(_agent_names(summary))}
    rows.sort(
        key=lambda row: (not row.disagrees, place.get(row.task, len(place)), rank[row.agent], row.attempt)
    )
    return tuple(rows)


def _agent_names(summary: RunSummary) -> tuple[str, ...]:
    """Every agent once, in the order in which it was first named."""
    names = [
        *summary.agents,
        *(item.agent for item in summary.expected),
        *(result.agent for result in summary.results),
        *(agent for _, agent in summary.missing),
    ]
    return tuple(dict.fromkeys(names))


def _absent(summary: RunSummary, known: Mapping[tuple[str, str], VerdictName]) -> Iterator[Row]:
    """Rows for what has no result: no prediction, or not run (yet)."""
    judged = {(result.task, result.agent) for result in summary.results}
    missing = set(summary.missing)
    every = known or [(task, agent) for agent in _agent_names(summary) for task in summary.tasks]
    for task, agent in every:
        if (task, agent) in judged:
            continue
        if (task, agent) in missing:
            reason = "the predictions hold no patch for this task; it counts as not resolved"
            yield _empty_row(task, agent, "no prediction", reason, None)
        else:
            reason = "this submission has not run yet; run the same command with the same --out to go on"
            yield _empty_row(task, agent, "not run", reason, known.get((task, agent)))


def _row(result: Result, known: VerdictName | None, summary: RunSummary) -> Row:
    return Row(
        task=result.task,
        agent=result.agent,
        attempt=result.attempt,
        outcome=result.verdict,
        known=known,
        reason=result.reason,
        fix_rate=result.fix_rate,
        caught_by=result.caught_by,
        scope=result.scope,
        seconds=round(seconds_taken(result.timings), 3),
        canaries=result.canaries,
        identical_to_gold=result.identical_to_gold,
        review_flags=result.review_flags,
        patch=result.patch,
        evidence=result.evidence,
        repeat=_commands(result, summary),
    )


def _empty_row(task: str, agent: str, outcome: Outcome, reason: str, known: VerdictName | None) -> Row:
    return Row(
        task=task,
        agent=agent,
        attempt=1,
        outcome=outcome,
        known=known,
        reason=reason,
        fix_rate=0.0,
        caught_by=(),
        scope=None,
        seconds=0.0,
        canaries=False,
        identical_to_gold=False,
        review_flags=(),
        patch="",
        evidence="",
        repeat=None,
    )


def _commands(result: Result, summary: RunSummary) -> Commands:
    folder = visible(summary.folder).rstrip("/") or "."
    patch = f"{folder}/{summary.evidence_folder}/{result.patch[:2]}/{result.patch}"
    task = shlex.quote(result.task)
    return Commands(
        show=f"assay show {shlex.quote(folder)} {task}",
        evaluate=f"assay evaluate {task} --patch {shlex.quote(patch)}",
    )


def _agents(rows: Iterable[Row], tasks: tuple[str, ...]) -> Iterator[AgentTally]:
    """Tallies, best first; equal ones by name."""
    by_agent: dict[str, list[Row]] = {}
    for row in rows:
        if row.task in tasks:
            by_agent.setdefault(row.agent, []).append(row)
    tallies = [_agent(agent, own, len(tasks)) for agent, own in by_agent.items()]
    yield from sorted(tallies, key=lambda item: (-item.rate.numerator, item.agent))


def _agent(agent: str, rows: list[Row], tasks: int) -> AgentTally:
    first = [row for row in rows if row.attempt == 1]
    counts = Counter(row.outcome for row in first)
    attempts = max((row.attempt for row in rows), default=1)
    resolved_ever = {row.task for row in rows if row.outcome == "resolved"}
    return AgentTally(
        agent=agent,
        rate=wilson_rate(counts["resolved"], tasks),
        outcomes={outcome: counts[outcome] for outcome in OUTCOMES if counts[outcome]},
        attempts=attempts,
        any_attempt=wilson_rate(len(resolved_ever), tasks) if attempts > 1 else None,
    )


def _reference(rows: tuple[Row, ...]) -> Reference:
    compared = [row for row in rows if row.known is not None]
    wrong = tuple(row for row in compared if row.disagrees)
    return Reference(len(compared) - len(wrong), len(compared), wrong)


def _not_ranked_because(summary: RunSummary) -> Iterator[str]:
    bare = sum(not result.canaries for result in summary.results)
    if bare:
        yield f"{bare} of {len(summary.results)} results were made without canaries"
    if len(summary.tasks) < summary.benchmark_tasks:
        yield f"{len(summary.tasks)} of the benchmark's {summary.benchmark_tasks} tasks were chosen"
    foreign = sum(result.benchmark_digest != summary.digest for result in summary.results)
    if foreign:
        yield f"{foreign} results were made with another state of the benchmark"
    yield from summary.thin
    if not summary.results:
        yield "nothing was judged"


def _headline(agents: tuple[AgentTally, ...], reference: Reference | None, tasks: int) -> str:
    if reference:
        return f"{reference.as_known} of {reference.of} verdicts as known"
    if not agents:
        return f"nothing judged, {tasks} tasks"
    best = agents[0]
    level = sum(item.rate.numerator == best.rate.numerator for item in agents) - 1
    others = f" (level with {level} more)" if level else ""
    lead = f"{best.agent}{others}: {rate_sentence(best.rate)}"
    return lead if len(agents) == 1 else f"{len(agents)} agents; first {lead}"
