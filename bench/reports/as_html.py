"""`report.html`: one file that needs nothing else, for a person to read."""

from __future__ import annotations

import base64
import hashlib
import re
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from importlib.resources import files
from itertools import accumulate

from jinja2 import Environment, PackageLoader, StrictUndefined
from markupsafe import Markup, escape

from bench.reports.amounts import duration, size
from bench.reports.summary import RunSummary
from bench.reports.tally import OUTCOMES, Outcome, Report, Row
from bench.reports.timings import phases
from bench.reports.visible import cut, visible
from bench.statistics import interval, percent
from grader.result import Curation, EnvironmentDocument, Result, TestDocument

_TEXT_CHARACTERS = 300
_LIST_ITEMS = 20
_NO_BREAK = "\u00a0"
_SPELLED_OUT = re.compile(r"⟨U\+[0-9A-F]{4,6}⟩")
_MEANINGS: tuple[tuple[Outcome, str], ...] = (
    ("resolved", "Every test passed as itself, every structure rule holds, every canary failed as it must."),
    ("incomplete", "Nothing broke, but a gain test or a structure rule is unmet."),
    ("broken", "Behaviour changed: a keep test failed or went missing, or something does not build."),
    ("exhausted", "A limit was reached: CPU time, wall clock, memory, processes, disk or output."),
    ("tampered", "A test passed both as itself and as its canary: results were forged."),
    ("rejected", "The patch is inadmissible: it does not apply exactly, or reaches where it must not."),
    ("errored", "Our side failed, and our side can show it. Not charged, but in the denominator."),
    ("no prediction", "The predictions hold no patch for the task. In the denominator."),
    ("not run", "Not judged yet. In the denominator."),
)


@dataclass(frozen=True, slots=True)
class Share:
    """One piece of a bar: `start` and `width` in percent of the bar, and what to write about it."""

    name: str
    start: float
    width: float
    label: str


@dataclass(frozen=True, slots=True)
class Bar:
    """A bar of pieces, with what it stands for and what a screen reader says of it."""

    title: str
    shares: tuple[Share, ...]
    spoken: str


@dataclass(frozen=True, slots=True)
class Listing:
    """The first of many things, and how many were left out."""

    items: tuple[object, ...]
    more: int


@dataclass(frozen=True, slots=True)
class Detail:
    """What stands behind one row: None where nothing ran."""

    result: Result
    environment: int
    """Number of its environment in the report, 0 if it has none."""
    findings: Listing
    unmet: Listing
    rules: Listing
    dropped: Listing
    flagged: Listing
    phases: Bar
    signed: str
    passed: int
    forged: int


@dataclass(frozen=True, slots=True)
class Submission:
    """One row of the table, numbered from 1, with its detail."""

    number: int
    row: Row
    detail: Detail | None


def render_html(report: Report, summary: RunSummary) -> str:
    """The page: `report` counted from `summary`, whose results give the details. Every text is escaped."""
    environments = tuple(dict.fromkeys(_key(result.environment) for result in summary.results))
    submissions = tuple(_submissions(report, summary, environments))
    script = files("bench.reports").joinpath("report.js").read_text(encoding="utf-8")
    return (
        _templates()
        .get_template("report.html.j2")
        .render(
            report=report,
            submissions=submissions,
            bars=tuple(_verdict_bars(report)),
            environments=_environments(summary, environments),
            outcomes=tuple(
                outcome for outcome in OUTCOMES if any(row.outcome == outcome for row in report.rows)
            ),
            meanings=_MEANINGS,
            publications=sorted({result.suite for result in summary.results}),
            minutes=(report.finished - report.started).total_seconds() / 60,
            script=Markup(script),  # noqa: S704 - our own file, shipped beside this module
            script_hash=base64.b64encode(hashlib.sha256(script.encode()).digest()).decode("ascii"),
            css=Markup(files("bench.reports").joinpath("report.css").read_text(encoding="utf-8")),  # noqa: S704
        )
    )


def _templates() -> Environment:
    made = Environment(
        loader=PackageLoader("bench", "reports"),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    made.filters |= {
        "seen": _seen,
        "plain": lambda text: visible(cut(str(text), _TEXT_CHARACTERS)),
        "percent": lambda share: percent(share).replace(" ", _NO_BREAK),
        "interval": lambda rate: interval(rate).replace(" %", f"{_NO_BREAK}%"),
        "seconds": duration,
        "size": size,
        "slug": lambda outcome: str(outcome).replace(" ", "-"),
    }
    return made


def _seen(text: str, limit: int = _TEXT_CHARACTERS) -> Markup:
    """Escaped text; what would not be seen is spelled out and set apart."""
    escaped = str(escape(visible(cut(str(text), limit))))
    return Markup(_SPELLED_OUT.sub(r'<b class="cc">\g<0></b>', escaped))  # noqa: S704 - escaped one line above


def _submissions(report: Report, summary: RunSummary, environments: tuple[str, ...]) -> Iterator[Submission]:
    results = {(result.task, result.agent, result.attempt): result for result in summary.results}
    for number, row in enumerate(report.rows, 1):
        result = results.get((row.task, row.agent, row.attempt))
        yield Submission(number, row, _detail(result, environments) if result else None)


def _detail(result: Result, environments: tuple[str, ...]) -> Detail:
    kept = [rule for rule in result.rules if rule.holds]
    return Detail(
        result=result,
        environment=environments.index(_key(result.environment)) + 1 if result.environment else 0,
        findings=_first(result.findings),
        unmet=_first([test for test in result.tests if _unmet(test)]),
        rules=_first([*(rule for rule in result.rules if not rule.holds), *kept]),
        dropped=_first(result.dropped),
        flagged=_first(result.flagged),
        phases=_phase_bar(result),
        signed=_signed(result.curation),
        passed=sum(not _unmet(test) for test in result.tests),
        forged=sum(test.outcome == test.canary == "passed" for test in result.tests),
    )


def _signed(curation: Curation) -> str:
    """Who signed how many of the suite's tests off, in words; nobody is named last."""
    by = {
        "a person": curation.person,
        "a team": curation.team,
        "a model": curation.model,
        "their author": curation.author,
        "nobody": curation.nobody,
    }
    signed = ", ".join(f"{count} by {who}" for who, count in by.items() if count)
    return f"{curation.tests} tests, signed off: {signed}" if signed else f"{curation.tests} tests"


def _unmet(test: TestDocument) -> bool:
    return test.outcome != "passed" or test.canary == "passed"


def _first(items: Iterable[object]) -> Listing:
    every = tuple(items)
    return Listing(every[:_LIST_ITEMS], max(0, len(every) - _LIST_ITEMS))


def _phase_bar(result: Result) -> Bar:
    shown = phases(result.timings)
    labels = {name: f"{name} {duration(seconds)}" for name, seconds in shown.items()}
    return Bar("phases", tuple(_shares(shown.items(), labels)), ", ".join(labels.values()))


def _shares(amounts: Iterable[tuple[str, float]], labels: Mapping[str, str]) -> Iterator[Share]:
    pairs = [(name, amount) for name, amount in amounts if amount > 0]
    total = sum(amount for _, amount in pairs)
    starts = accumulate((amount for _, amount in pairs), initial=0.0)
    for (name, amount), start in zip(pairs, starts, strict=False):
        yield Share(name, 100 * start / total, 100 * amount / total, labels[name])


def _verdict_bars(report: Report) -> Iterator[Bar]:
    """A bar a task in a reference run, else a bar an agent; what is most resolved comes first."""
    counts: dict[str, Counter[Outcome]] = {}
    for row in report.rows:
        if row.attempt == 1:
            counts.setdefault(row.task if report.reference else row.agent, Counter())[row.outcome] += 1
    titles = report.tasks if report.reference else tuple(item.agent for item in report.agents)
    for title in titles:
        if title in counts:
            amounts: list[tuple[str, int]] = [(outcome, counts[title][outcome]) for outcome in OUTCOMES]
            labels = {outcome: str(amount) for outcome, amount in amounts}
            spoken = ", ".join(f"{amount} {outcome}" for outcome, amount in amounts if amount)
            yield Bar(title, tuple(_shares(amounts, labels)), spoken)


def _key(environment: EnvironmentDocument | None) -> str:
    return environment.model_dump_json() if environment else ""


def _environments(
    summary: RunSummary, keys: tuple[str, ...]
) -> tuple[tuple[int, EnvironmentDocument, int], ...]:
    """Each environment once: its number, itself, and how many results ran in it."""
    used = Counter(_key(result.environment) for result in summary.results)
    return tuple(
        (number, EnvironmentDocument.model_validate_json(key), used[key])
        for number, key in enumerate(keys, 1)
        if key
    )
