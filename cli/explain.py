"""One result as a person reads it: the verdict, why, and what to do next."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from bench.batch import EVIDENCE_NAME
from bench.reports.timings import seconds_taken
from bench.reports.visible import cut, visible
from grader.result import Result
from runner.evidence import EvidenceStore, PassRecord

MOST_FINDINGS = 4
MESSAGE_WIDTH = 400
OUTPUT_LINES = 15
LINE_WIDTH = 200


def explain(result: Result, store: EvidenceStore, folder: Path, *, full: bool = False) -> str:
    """Verdict, reason, findings, what was done to the patch; `full`: all findings, output, how to repeat."""
    return "\n".join(_lines(result, store, folder, full))


def _lines(result: Result, store: EvidenceStore, folder: Path, full: bool) -> Iterator[str]:
    yield f"{result.verdict}: {visible(result.reason)}"
    yield from _findings(result, full)
    if result.repairs:
        yield f"repaired before applying: {', '.join(result.repairs)}"
    if result.dropped:
        yield f"not taken into the sandbox: {', '.join(map(visible, result.dropped))}"
    if result.flagged:
        yield f"build files touched: {', '.join(map(visible, result.flagged))}"
    if result.review_flags:
        yield "for a person to look at: " + "; ".join(map(visible, result.review_flags))
    if result.identical_to_gold:
        yield "the patched tree is the gold's, byte for byte"
    if full:
        yield from (f"had no effect ({visible(what)})" for what in result.prevented)
        yield from _output(result, store)
    yield (
        f"fix rate {result.fix_rate:.0%}, canaries on {result.canary_share:.0%} of the tests, "
        f"took {seconds_taken(result.timings):.1f} s"
    )
    if full:
        patch = folder / EVIDENCE_NAME / result.patch[:2] / result.patch
        yield f"again: assay evaluate {result.task} --patch {patch}"
    else:
        yield f"all findings, and what the build said: assay show {folder} {result.task}"


def _findings(result: Result, full: bool) -> Iterator[str]:
    """Every finding but the first, which is the reason already."""
    others = result.findings[1:]
    shown = others if full else others[:MOST_FINDINGS]
    for finding in shown:
        mechanism = f" ({finding.mechanism})" if full else ""
        yield f"  {finding.verdict}{mechanism}: {cut(visible(finding.message), MESSAGE_WIDTH)}"
    if hidden := len(others) - len(shown):
        yield f"  and {hidden} more"


def _output(result: Result, store: EvidenceStore) -> Iterator[str]:
    evidence = store.load(result.evidence)
    for number, record in enumerate(evidence.passes, 1):
        yield from _pass_output(number, record, store)


def _pass_output(number: int, record: PassRecord, store: EvidenceStore) -> Iterator[str]:
    """Output of the build phases; a test phase's would show canaries."""
    for phase in record.phases:
        if phase.output is None or phase.name == "test":
            continue
        lines = store.get(phase.output).decode("utf-8", "replace").splitlines()[-OUTPUT_LINES:]
        yield f"pass {number}, {phase.name} (exit code {phase.exit_code}), its last lines:"
        yield from (f"    {visible(line)[:LINE_WIDTH]}" for line in lines)
