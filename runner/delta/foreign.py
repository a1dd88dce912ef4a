"""Finds upstream's lines in a delta's own text, for `assay tasks check`: our text must be ours."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from runner.delta.edit import split_lines
from runner.delta.match import is_trivial
from runner.delta.words import unquote
from runner.tree import Tree

LONGEST_RUN = 4
"""So many consecutive lines of upstream may stand in own text; one more is a run."""


@dataclass(frozen=True, slots=True)
class ForeignRun:
    """`count` lines from `line` (of the delta, from 1) on repeat those of `path` from line `at` (from 1) on.

    Trivial lines (brackets, blank ones) are not counted. `where` is `base` or `later`.
    """

    line: int
    count: int
    where: str
    path: str
    at: int


_Numbered = list[tuple[int, bytes]]


def foreign_runs(text: str, base: Tree, later: Tree | None = None) -> tuple[ForeignRun, ...]:
    """Runs of more than LONGEST_RUN lines of own text (`|`, `=`) that stand in a row in an upstream tree too.

    `later` is a later release, where there is one. Lines are compared without blanks at their ends.
    """
    own = list(_own_stretches(text))
    if not any(len(stretch) > LONGEST_RUN for stretch in own):
        return ()
    upstream = {("base", path): _numbered(entry.data) for path, entry in base.items()}
    if later is not None:
        upstream |= {("later", path): _numbered(entry.data) for path, entry in later.items()}
    places: dict[tuple[bytes, ...], tuple[str, str, int]] = {}
    for (where, path), rows in upstream.items():
        for start in range(len(rows) - LONGEST_RUN):
            places.setdefault(_window(rows, start), (where, path, start))
    return tuple(run for stretch in own for run in _runs(stretch, places, upstream))


def _runs(
    stretch: _Numbered,
    places: dict[tuple[bytes, ...], tuple[str, str, int]],
    upstream: dict[tuple[str, str], _Numbered],
) -> Iterator[ForeignRun]:
    start = 0
    while start < len(stretch) - LONGEST_RUN:
        place = places.get(_window(stretch, start))
        if place is None:
            start += 1
            continue
        where, path, at = place
        rows = upstream[where, path]
        count = LONGEST_RUN + 1
        while (
            start + count < len(stretch)
            and at + count < len(rows)
            and stretch[start + count][1] == rows[at + count][1]
        ):
            count += 1
        yield ForeignRun(stretch[start][0], count, where, path, rows[at][0])
        start += count


def _window(rows: _Numbered, start: int) -> tuple[bytes, ...]:
    return tuple(row for _, row in rows[start : start + LONGEST_RUN + 1])


def _numbered(data: bytes) -> _Numbered:
    """Line numbers (from 1) and stripped lines, without trivial ones."""
    rows = enumerate(split_lines(data), 1)
    return [(number, row.strip()) for number, row in rows if not is_trivial(row)]


def _own_stretches(text: str) -> Iterator[_Numbered]:
    """Own lines of the delta that follow each other directly, without trivial ones."""
    stretch: _Numbered = []
    for number, line in enumerate(text.split("\n"), 1):
        row = _own_line(line.lstrip(" "))
        if row is None:
            yield stretch
            stretch = []
        elif not is_trivial(row):
            stretch.append((number, row.strip()))
    yield stretch


def _own_line(line: str) -> bytes | None:
    if line.startswith("|"):
        return line[1:].encode("utf-8", "surrogatepass")
    if line.startswith("="):
        try:
            return unquote(line[1:].strip(" "))
        except ValueError:
            return None
    return None
