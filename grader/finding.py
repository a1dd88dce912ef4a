"""What a grader found: the mechanism that saw it, the verdict it asks for, and a reason to act on."""

from __future__ import annotations

from dataclasses import dataclass

from runner.task import VerdictName

ORDER: tuple[VerdictName, ...] = (
    "errored",
    "rejected",
    "tampered",
    "exhausted",
    "broken",
    "incomplete",
    "resolved",
)
"""Where several verdicts hold, the first in this order is the verdict."""


@dataclass(frozen=True, slots=True)
class Finding:
    """One reason why a submission is not `resolved`.

    `mechanism` is a field of `runner.mechanisms.Mechanisms`, or one of `tests` (a suite test's own outcome),
    `build`, `limits`, `admission`, `host`. `where` is a test id, a path with line, or a phase.
    """

    mechanism: str
    verdict: VerdictName
    message: str
    where: str = ""
