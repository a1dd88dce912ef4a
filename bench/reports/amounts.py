"""Amounts in words for a person: time, bytes, how much of a suite carries a canary."""

from __future__ import annotations

from bench.reports.summary import CanaryCoverage, Spent
from bench.statistics import percent

_KILOBYTE = 1000


def duration(seconds: float) -> str:
    """`4 min 12 s`, `3.2 s`, `45 ms`."""
    if seconds >= 90:
        return f"{int(seconds // 60)} min {int(seconds % 60)} s"
    return f"{seconds:.1f} s" if seconds >= 0.1 or not seconds else f"{seconds * 1000:.0f} ms"


def size(count: int) -> str:
    """`1.4 GB`, `31 MB`, `2 kB`."""
    if count >= _KILOBYTE**3:
        return f"{count / _KILOBYTE**3:.1f} GB"
    if count >= _KILOBYTE**2:
        return f"{count / _KILOBYTE**2:.0f} MB"
    return f"{count / _KILOBYTE:.0f} kB"


def disk(spent: Spent) -> str:
    """The disk used, by what."""
    folder = f"results and evidence {size(spent.folder_bytes)}"
    return folder if spent.image_bytes is None else f"images {size(spent.image_bytes)}, {folder}"


def carried(coverage: CanaryCoverage) -> str:
    """`31 of 33 tests carry a canary, 94 %`."""
    return f"{coverage.carried} of {coverage.tests} tests carry a canary, {percent(coverage.share)}"
