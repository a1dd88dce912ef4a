"""Writes one `file` entry: joins traced lines to copies and sets our own text."""

from __future__ import annotations

import hashlib
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

from runner.delta.edit import Edit, Subs, split_lines
from runner.delta.origins import Origin, Traced
from runner.delta.words import is_visible, path_bytes, quote, word
from runner.tree import REGULAR, Entry, Tree

_MAX_SUBS = 4
"""More substitutions on one copy are hard to read; a second copy begins instead."""


@dataclass(frozen=True, slots=True)
class _Copy:
    """Base lines `start`..`end` of `path` (from 0, end exclusive) under one edit."""

    path: str
    start: int
    end: int
    edit: Edit


def render_file(path: str, entry: Entry, origin: str | None, traced: Traced, base: Tree) -> str:
    """The entry of the file `path`, which becomes `entry`, from its `file` line to its digest."""
    rows = split_lines(entry.data)
    crlf = 2 * sum(row.endswith(b"\r\n") for row in rows) > len(rows)
    head = f"file {word(path_bytes(path))}"
    if origin is not None and origin != path:
        head += f" from {word(path_bytes(origin))}"
    if entry.mode != (REGULAR if origin is None else base[origin].mode):
        head += f" mode {entry.mode}"
    if crlf:
        head += " eol crlf"
    lines = {used.path: split_lines(base[used.path].data) for used in traced if used is not None}
    eol = b"\r\n" if crlf else b"\n"
    pieces = [
        _copy_line(piece, origin) if isinstance(piece, _Copy) else _own_line(piece, eol)
        for piece in _pieces(rows, traced, lines)
    ]
    digest = f"sha256 {hashlib.sha256(entry.data).hexdigest()}"
    return "\n  ".join([head, *pieces, digest]) + "\n"


def _pieces(rows: Sequence[bytes], traced: Traced, lines: dict[str, list[bytes]]) -> Iterator[_Copy | bytes]:
    copy: _Copy | None = None
    for row, origin in zip(rows, traced, strict=True):
        if copy is not None:
            longer = _extended(copy, origin, row, lines[copy.path]) if origin is not None else None
            if longer is not None:
                copy = longer
                continue
            yield copy
        copy = None if origin is None else _Copy(origin.path, origin.line, origin.line + 1, origin.edit)
        if copy is None:
            yield row
    if copy is not None:
        yield copy


def _extended(copy: _Copy, origin: Origin, row: bytes, lines: list[bytes]) -> _Copy | None:
    """The copy with one more line, under an edit that serves all of its lines; None if there is none."""
    if (origin.path, origin.line) != (copy.path, copy.end):
        return None
    edit = _joined(copy, origin.edit, lines)
    if edit is None or edit.apply(lines[copy.end]) != row:
        return None
    if edit != copy.edit:
        span = lines[copy.start : copy.end]
        if any(edit.apply(line) != copy.edit.apply(line) for line in span):
            return None
        if edit.idle([*span, lines[copy.end]]):
            return None
    return replace(copy, end=copy.end + 1, edit=edit)


def _joined(copy: _Copy, edit: Edit, lines: list[bytes]) -> Edit | None:
    subs = _merged(copy.edit.subs, edit.subs)
    if subs is None:
        return None
    moves = copy.edit
    if moves.moves != edit.moves:
        if not any(moves.moves) and not any(line.strip() for line in lines[copy.start : copy.end]):
            moves = edit
        elif lines[copy.end].strip():
            return None
    return replace(moves, subs=subs)


def _merged(subs: Subs, more: Subs) -> Subs | None:
    merged = dict(subs)
    for old, new in more:
        if merged.setdefault(old, new) != new:
            return None
    return tuple(merged.items()) if len(merged) <= _MAX_SUBS else None


def _copy_line(copy: _Copy, origin: str | None) -> str:
    words = ["copy"]
    if copy.path != origin:
        words.append(word(path_bytes(copy.path)))
    words.append(str(copy.end) if copy.end == copy.start + 1 else f"{copy.start + 1}-{copy.end}")
    if copy.edit.eol:
        words.append(f"eol {copy.edit.eol}")
    for sign, blank in (("+", copy.edit.indent), ("-", copy.edit.dedent)):
        if blank:
            counts = set(blank) == {32} and len(blank) <= 999
            words.append(f"indent {sign}{len(blank) if counts else quote(blank)}")
    if copy.edit.subs:
        words.append(", ".join(f"{word(old)} -> {word(new)}" for old, new in copy.edit.subs))
    return " ".join(words)


def _own_line(row: bytes, eol: bytes) -> str:
    text = row.removesuffix(eol).decode("utf-8", "surrogateescape")
    visible = all(char == "\t" or is_visible(char) for char in text)
    if not (row.endswith(eol) and text == text.rstrip() and visible):
        return f"= {quote(row)}"
    return f"| {text}" if text else "|"
