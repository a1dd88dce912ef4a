"""Text from outside, made fit to stand in a sentence of ours."""

from __future__ import annotations

from collections.abc import Sequence


def one_line(text: str, limit: int = 200) -> str:
    """`text` on one line of at most `limit` characters: blanks folded, unprintable ones as `?`."""
    folded = " ".join(text[: limit * 8].split())
    shown = "".join(char if char.isprintable() else "?" for char in folded)
    return shown if len(shown) <= limit else shown[: limit - 1] + "…"


def last_line(output: bytes, limit: int = 200) -> str:
    """The last line of a program's output that says something, or ''."""
    lines = output[-64_000:].decode("utf-8", "replace").splitlines()
    spoken = [line for line in lines if any(char.isalnum() for char in line)]
    return one_line(spoken[-1], limit) if spoken else ""


def listed(names: Sequence[str], most: int = 3) -> str:
    """Up to `most` names, and how many more there are."""
    shown = ", ".join(one_line(name) for name in names[:most])
    return shown if len(names) <= most else f"{shown} and {len(names) - most} more"


def counted(count: int, noun: str) -> str:
    """`1 test`, `3 tests`."""
    return f"{count} {noun}" if count == 1 else f"{count} {noun}s"
