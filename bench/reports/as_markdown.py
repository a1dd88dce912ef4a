"""`report.md`: the report for a pull request, a log or a terminal."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator

from bench.reports.amounts import disk, duration
from bench.reports.summary import CanaryCoverage
from bench.reports.tally import AgentTally, Reference, Report, Row
from bench.reports.visible import cut, visible
from bench.statistics import interval, percent

_MARKUP = re.compile(r"([\\`*\[\]|~$]|(?<!\w)_|_(?!\w))")
_ENTITIES = {"&": "&amp;", "<": "&lt;", ">": "&gt;"}
_REASON_CHARACTERS = 300


def render_markdown(report: Report) -> str:
    """The report as GitHub-flavoured Markdown; text from patches and tests cannot become markup."""
    return "\n".join(_lines(report)) + "\n"


def _lines(report: Report) -> Iterator[str]:
    if report.not_ranked_because:
        yield f"**not ranked**: {_text('; '.join(report.not_ranked_because))}"
        yield ""
    yield f"# {_text(report.benchmark)} {_text(report.version)}"
    yield ""
    yield f"**{_text(report.headline)}**"
    yield ""
    yield from _remarks(report)
    if report.reference:
        yield from _disagreements(report.reference)
    if report.agents:
        yield from _agents(report.agents)
    yield from _submissions(report.rows)
    if report.coverage:
        yield from _canaries(report.coverage)
    yield from _about(report)


def _remarks(report: Report) -> Iterator[str]:
    remarks = []
    if report.errored:
        remarks.append(f"{report.errored} errored: our side failed there; they are in the denominator")
    if report.not_run:
        remarks.append(f"{report.not_run} not run yet; they are in the denominator")
    for remark in [*remarks, *report.unknown, *report.noted]:
        yield f"- {_text(remark)}"
    if remarks or report.unknown or report.noted:
        yield ""


def _disagreements(reference: Reference) -> Iterator[str]:
    if not reference.disagreements:
        return
    yield "## Not as known"
    yield ""
    yield from _table(
        ("task", "submission", "known", "now", "reason"),
        ((row.task, row.agent, row.known or "", row.outcome, row.reason) for row in reference.disagreements),
    )


def _agents(agents: Iterable[AgentTally]) -> Iterator[str]:
    yield "## Agents"
    yield ""
    yield from _table(
        ("agent", "resolved", "rate", "95 % interval", "verdicts", "pass@k"), map(_agent_cells, agents)
    )


def _agent_cells(item: AgentTally) -> tuple[str, ...]:
    verdicts = ", ".join(f"{count} {outcome}" for outcome, count in item.outcomes.items())
    again = item.any_attempt
    more = f"{again.numerator} in {item.attempts} attempts ({interval(again)})" if again else ""
    resolved = f"{item.rate.numerator} of {item.rate.denominator}"
    return item.agent, resolved, percent(item.rate.value), interval(item.rate), verdicts, more


def _submissions(rows: Iterable[Row]) -> Iterator[str]:
    yield "## Submissions"
    yield ""
    header = ("task", "agent", "attempt", "verdict", "reason", "files", "lines", "seconds")
    yield from _table(header, map(_row_cells, rows))


def _row_cells(row: Row) -> tuple[str, ...]:
    scope = row.scope
    files, lines = (str(scope.files), f"+{scope.lines_added} -{scope.lines_removed}") if scope else ("", "")
    verdict = f"{row.outcome} (known: {row.known})" if row.disagrees else row.outcome
    return row.task, row.agent, str(row.attempt), verdict, row.reason, files, lines, f"{row.seconds:.1f}"


def _canaries(coverage: Iterable[CanaryCoverage]) -> Iterator[str]:
    yield "## Canaries"
    yield ""
    yield from _table(("task", "tests", "carry one", "share", "without one"), map(_canary_cells, coverage))


def _canary_cells(item: CanaryCoverage) -> tuple[str, ...]:
    without = ", ".join(sorted(item.uncarried))
    return item.task, str(item.tests), str(item.carried), percent(item.share), without


def _about(report: Report) -> Iterator[str]:
    yield "## This run"
    yield ""
    protocol = report.protocol
    yield f"- started {report.started:%Y-%m-%d %H:%M:%S %Z}, finished {report.finished:%Y-%m-%d %H:%M:%S %Z}"
    if report.spent.seconds:
        yield f"- took {duration(report.spent.seconds)}; disk: {disk(report.spent)}"
    yield f"- {len(report.tasks)} of {report.benchmark_tasks} tasks; benchmark digest {_text(report.digest)}"
    yield f"- protocol: {protocol.attempts} attempts a task, {protocol.infra_retries} retries of errored ones"
    for name, value in report.options.items():
        yield f"- {_text(name)}: {_text(value)}"


def _table(header: tuple[str, ...], rows: Iterable[tuple[str, ...]]) -> Iterator[str]:
    yield f"| {' | '.join(header)} |"
    yield f"|{' --- |' * len(header)}"
    for row in rows:
        yield f"| {' | '.join(map(_text, row))} |"
    yield ""


def _text(text: str) -> str:
    plain = _MARKUP.sub(r"\\\1", visible(cut(text, _REASON_CHARACTERS)))
    return re.sub("[&<>]", lambda found: _ENTITIES[found.group()], plain)
