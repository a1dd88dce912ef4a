"""What one evaluation will run. The type is the runner's; `grader.draw_plan` draws it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Literal

CanaryKind = Literal["value", "negate", "fail"]


@dataclass(frozen=True, slots=True)
class Canary:
    """One proven rewriting of one test: in `file`, the bytes `start`..`end` become `new`, under the same id.

    `start` and `end` are byte offsets into the suite file as it stands in the task; `old` is what is there.
    """

    test: str
    kind: CanaryKind
    file: str
    start: int
    end: int
    old: str
    new: str
    distance: int = 0
    """Summed feature distance between twin and original; 0 is a perfect match."""


@dataclass(frozen=True, slots=True)
class Pass:
    """One container's work: every test id once, in this order; those in `canaries` run rewritten."""

    order: tuple[str, ...]
    canaries: Mapping[str, Canary]


@dataclass(frozen=True, slots=True)
class Plan:
    """The passes of one evaluation. `seed` came from the operating system after the patch was in."""

    seed: int
    passes: tuple[Pass, ...]
