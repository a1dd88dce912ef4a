"""A result's timings, told apart: what follows each other on the host, and the phases of its passes."""

from __future__ import annotations

from collections.abc import Mapping

ENCLOSING = "execute"
"""The host's wait for all passes: the phases lie within it, those of two passes side by side."""
ON_THE_HOST = ("admit", ENCLOSING)


def seconds_taken(timings: Mapping[str, float]) -> float:
    """What the evaluation took from patch to evidence; of timings without the host's, the sum of the phases."""
    if ENCLOSING in timings:
        return sum(timings.get(name, 0.0) for name in ON_THE_HOST)
    return sum(timings.values())


def phases(timings: Mapping[str, float]) -> dict[str, float]:
    """Seconds by phase, without what encloses them."""
    return {name: seconds for name, seconds in timings.items() if name != ENCLOSING}
