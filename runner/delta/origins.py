"""Where each line of an edited file comes from: its own base file first, then the rest of the base tree."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from runner.delta.edit import Edit, split_lines, substitute
from runner.delta.match import cost, hunks, is_trivial, pairs, relate
from runner.tree import SYMLINK, Tree

_CANDIDATES = 12
"""Places tried for a line that stands in the base several times."""
_LEAST_OWN, _LEAST_FOREIGN = 8, 24
"""Bytes (blanks at the ends not counted) that a copy must bring: from the own file, from another."""


@dataclass(frozen=True, slots=True)
class Origin:
    """A line of the base (`line` from 0) and what is done to it."""

    path: str
    line: int
    edit: Edit


Traced = list[Origin | None]
"""For each line of the edited file its origin; None for our own text."""


@dataclass(frozen=True, slots=True)
class Corpus:
    """Every text line of the base tree, and the renames (new, old) to look a line up under."""

    lines: Mapping[str, list[bytes]]
    places: Mapping[bytes, list[tuple[str, int]]]
    """By the line without blanks at its ends."""
    renames: Sequence[tuple[bytes, bytes]]

    @classmethod
    def of(cls, base: Tree, renames: Sequence[tuple[bytes, bytes]]) -> Corpus:
        """Index `base`; links and binary files are left out of the index."""
        lines = {path: split_lines(entry.data) for path, entry in base.items()}
        places: dict[bytes, list[tuple[str, int]]] = {}
        for path, rows in lines.items():
            if base[path].mode != SYMLINK and b"\0" not in base[path].data[:8000]:
                for number, row in enumerate(rows):
                    places.setdefault(row.strip(), []).append((path, number))
        return cls(lines, places, renames)

    def candidates(self, line: bytes, own: str | None) -> Iterator[tuple[str, int]]:
        """Places whose line is `line` but for its indentation, under its name or a former one."""
        for text in {line, *(substitute(line, (rename,)) for rename in self.renames)}:
            found = self.places.get(text.strip(), [])
            yield from [place for place in found if place[0] == own][:_CANDIDATES]
            yield from [place for place in found[: 4 * _CANDIDATES] if place[0] != own][:_CANDIDATES]


def trace(edited: Sequence[bytes], own: str | None, corpus: Corpus) -> Traced:
    """The origin of every line of `edited`, which goes on from the base file `own` (None: a new file)."""
    traced: Traced = [None] * len(edited)
    if own is not None:
        _trace_own(edited, own, corpus.lines[own], traced)
    _trace_moved(edited, own, corpus, traced)
    _trace_trivial(edited, corpus, traced)
    return traced


def _trace_own(edited: Sequence[bytes], own: str, base: list[bytes], traced: Traced) -> None:
    """By a diff against the own base file: equal lines, and lines that pair up inside a hunk."""
    a = b = 0
    found = hunks(base, edited)
    for hunk in found:
        for step in range(hunk.b - b):
            traced[b + step] = Origin(own, a + step, Edit())
        for base_line, line, edit in pairs(base, edited, hunk):
            traced[line] = Origin(own, base_line, edit)
        a, b = hunk.a_end, hunk.b_end
    for step in range(len(edited) - b):
        traced[b + step] = Origin(own, a + step, Edit())


def _trace_moved(edited: Sequence[bytes], own: str | None, corpus: Corpus, traced: Traced) -> None:
    """By the longest stretch of any base file that starts like the line, for what is left."""
    at = 0
    while at < len(edited):
        if traced[at] is not None or is_trivial(edited[at]):
            at += 1
            continue
        stretch = _best_stretch(edited, at, own, corpus, traced)
        traced[at : at + len(stretch)] = stretch
        at += max(1, len(stretch))


def _best_stretch(
    edited: Sequence[bytes], at: int, own: str | None, corpus: Corpus, traced: Traced
) -> list[Origin | None]:
    before = traced[at - 1] if at else None
    places = [(before.path, before.line + 1)] if before else []
    places += corpus.candidates(edited[at], own)
    best: list[Origin] = []
    best_gain = 0
    for path, line in dict.fromkeys(places):
        stretch = _stretch(edited, at, (path, line), corpus, traced)
        gain = sum(len(edited[at + step].strip()) - 3 * len(o.edit.subs) for step, o in enumerate(stretch))
        least = _LEAST_OWN if path == own or ((path, line) == places[0] and before) else _LEAST_FOREIGN
        if gain >= least and gain - 2 * (path != own) > best_gain:
            best, best_gain = stretch, gain - 2 * (path != own)
    return list(best)


def _stretch(
    edited: Sequence[bytes], at: int, place: tuple[str, int], corpus: Corpus, traced: Traced
) -> list[Origin]:
    """As many lines as follow from base lines in order; trivial ones at its end are left off."""
    path, line = place
    rows, stretch = corpus.lines[path], list[Origin]()
    while at + len(stretch) < len(edited) and line + len(stretch) < len(rows):
        step = len(stretch)
        if traced[at + step] is not None:
            break
        edit = relate(rows[line + step], edited[at + step], splice=step > 0)
        if edit is None or cost(edit) > len(edited[at + step].strip()):
            break
        stretch.append(Origin(path, line + step, edit))
    while stretch and is_trivial(edited[at + len(stretch) - 1]):
        stretch.pop()
    return stretch


def _trace_trivial(edited: Sequence[bytes], corpus: Corpus, traced: Traced) -> None:
    """Brackets and blank lines only go on from the line before them."""
    for at in range(1, len(edited)):
        before = traced[at - 1]
        if traced[at] is None and before is not None and is_trivial(edited[at]):
            rows, line = corpus.lines[before.path], before.line + 1
            if line < len(rows) and rows[line].strip() == edited[at].strip():
                edit = relate(rows[line], edited[at], splice=False)
                traced[at] = None if edit is None else Origin(before.path, line, edit)
