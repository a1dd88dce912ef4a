"""Numbers with their intervals."""

from __future__ import annotations

from dataclasses import dataclass

CONFIDENCE = 0.95


@dataclass(frozen=True, slots=True)
class Rate:
    """`numerator` of `denominator`, and the interval of the true rate at `confidence` (all from 0 to 1)."""

    numerator: int
    denominator: int
    low: float
    high: float
    confidence: float = CONFIDENCE

    @property
    def value(self) -> float:
        """The rate itself; 0 where nothing was counted."""
        return self.numerator / self.denominator if self.denominator else 0.0


def wilson_rate(numerator: int, denominator: int, confidence: float = CONFIDENCE) -> Rate:
    """A rate with its Wilson score interval, which stays honest near 0 and 1 and for few tasks.

    No tasks say nothing: the interval is then 0 to 1. Raises ValueError unless 0 <= numerator <= denominator.
    Source: E. B. Wilson, "Probable inference, the law of succession, and statistical inference", JASA 1927.
    """
    # SciPy takes about a second to import, and only a report needs it; it ships no types.
    from scipy.stats import binomtest  # type: ignore[import-untyped]  # noqa: PLC0415

    if not 0 <= numerator <= denominator:
        raise ValueError(f"a rate needs 0 <= numerator <= denominator, got {numerator} of {denominator}")
    if not denominator:
        return Rate(0, 0, 0.0, 1.0, confidence)
    interval = binomtest(numerator, denominator).proportion_ci(confidence, method="wilson")
    return Rate(numerator, denominator, float(interval.low), float(interval.high), confidence)


def percent(share: float) -> str:
    """A share as a person reads it; 0 % and 100 % only where it is exactly that."""
    whole = round(share * 100)
    if whole in (0, 100) and share not in (0.0, 1.0):
        return f"{share * 100:.1f} %"
    return f"{whole} %"


def interval(rate: Rate) -> str:
    """`18 % to 45 %`."""
    return f"{percent(rate.low)} to {percent(rate.high)}"


def rate_sentence(rate: Rate) -> str:
    """`12 of 40 tasks resolved, 30 % (95 % interval 18 % to 45 %)`."""
    confidence = percent(rate.confidence)
    share = f"{percent(rate.value)} ({confidence} interval {interval(rate)})"
    return f"{rate.numerator} of {rate.denominator} tasks resolved, {share}"
