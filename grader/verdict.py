"""One verdict and one sentence out of all findings."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from grader.behaviour import JudgedTest
from grader.finding import ORDER, Finding
from grader.result import RuleDocument
from grader.sentences import counted
from runner.task import VerdictName


@dataclass(frozen=True, slots=True)
class Judged:
    """The verdict, its reason, the findings by weight, and the mechanisms that have one."""

    verdict: VerdictName
    reason: str
    findings: tuple[Finding, ...]
    caught_by: tuple[str, ...]


def decide(findings: Sequence[Finding], resolved_reason: str) -> Judged:
    """The first verdict in ORDER that a finding asks for; `resolved_reason` is the sentence if there is none.

    Findings of equal weight keep their order: causes are found before what follows from them.
    """
    ranked = tuple(sorted(findings, key=lambda finding: ORDER.index(finding.verdict)))
    if not ranked:
        return Judged("resolved", resolved_reason, (), ())
    caught_by = tuple(dict.fromkeys(finding.mechanism for finding in ranked))
    return Judged(ranked[0].verdict, _reason(ranked), ranked, caught_by)


def _reason(ranked: Sequence[Finding]) -> str:
    first = ranked[0]
    others = sum(1 for finding in ranked if finding.verdict == first.verdict) - 1
    more = f" (and {counted(others, 'more finding')})" if others else ""
    said = first.message.rstrip(".")
    word, _, _ = said.partition(" ")
    return f"{said[:1].upper() if word.isalpha() else said[:1]}{said[1:]}{more}."


def resolved_reason(tests: Sequence[JudgedTest], rules: Sequence[RuleDocument]) -> str:
    """What a resolved submission proved, in one sentence."""
    keeps = sum(1 for one in tests if one.test.demand == "keep")
    canaries = sum(1 for one in tests if one.canary)
    caught = (
        f", {counted(canaries, 'canary').replace('canarys', 'canaries')} failed as they must"
        if canaries
        else ""
    )
    return (
        f"All {keeps} keep and {len(tests) - keeps} gain tests passed as themselves{caught}, "
        f"and {counted(len(rules), 'structure rule')} held."
    )
