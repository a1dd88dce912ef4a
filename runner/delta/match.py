"""What the encoder knows of lines: which hunks two files differ in, and how one line becomes another."""

from __future__ import annotations

import difflib
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Literal

from runner.delta.edit import Edit, Subs, substitute, with_eol
from runner.git_command import run_git
from runner.scratch import scratch_folder, system_scratch

_TOKEN = re.compile(rb"[A-Za-z_][A-Za-z0-9_]*|\d+|\s+|[^\sA-Za-z_0-9]")
_IDENTIFIER = re.compile(rb"[A-Za-z_][A-Za-z0-9_]*")
_HUNK = re.compile(rb"^@@ -(\d+)(?:,(\d+))? \+(\d+)(?:,(\d+))? @@", re.MULTILINE)
_TRIVIAL = re.compile(rb"[\s{}()\[\];,]*(else:?|try:?|pass|return|break|end|\"\"\"|'''|#)?[\s{}()\[\];,]*\Z")
_DIFF = (
    *("diff", "--no-index", "--no-ext-diff", "--no-textconv", "--no-color", "--histogram", "--text", "-U0"),
    *("a", "b"),
)
_MAX_TOKENS = 120
"""Longer lines are not compared token by token: that is quadratic."""


@dataclass(frozen=True, slots=True)
class Hunk:
    """A place where two files differ: base lines `a`..`a_end` against edited lines `b`..`b_end`, from 0."""

    a: int
    a_end: int
    b: int
    b_end: int


def is_trivial(line: bytes) -> bool:
    """Is the line only brackets, blanks or a lone keyword, and so found everywhere?"""
    return _TRIVIAL.match(line) is not None


def hunks(base: Sequence[bytes], edited: Sequence[bytes]) -> list[Hunk]:
    """Where two files differ, by git's histogram diff (near linear, and it keeps functions together)."""
    with scratch_folder(system_scratch()) as folder:
        for name, lines in (("a", base), ("b", edited)):
            (folder / name).write_bytes(b"".join(lines))
        output = run_git(folder, _DIFF, {"GIT_DIR": str(folder / "none")})
    return [_hunk(match) for match in _HUNK.finditer(output.stdout)]


def _hunk(match: re.Match[bytes]) -> Hunk:
    a, a_count, b, b_count = int(match[1]), int(match[2] or 1), int(match[3]), int(match[4] or 1)
    a_start, b_start = a - bool(a_count), b - bool(b_count)
    return Hunk(a_start, a_start + a_count, b_start, b_start + b_count)


def relate(base: bytes, edited: bytes, *, splice: bool = True) -> Edit | None:
    """The edit that makes `edited` of `base`, if they are one line: renamed, moved, or (`splice`) mended."""
    if base == edited:
        return Edit()
    move = _move(base, edited)
    moved = move.moved(base) if move else None
    if move is None or moved is None:
        return None
    if moved == edited:
        return move
    old, new = _TOKEN.findall(moved), _TOKEN.findall(edited)
    subs = _renames(old, new)
    if subs and substitute(moved, subs) == edited:
        return replace(move, subs=subs)
    if not splice or move.eol:
        return None
    subs = _splices(old, new)
    return replace(move, subs=subs) if subs and substitute(moved, subs) == edited else None


def _move(base: bytes, edited: bytes) -> Edit | None:
    """The change of line end or indentation between two lines; None if it takes both, or another blank."""
    before, after = _indentation(base), _indentation(edited)
    if base.endswith(b"\n") and edited.endswith(b"\n"):
        eol = _eol(edited)
        if eol != _eol(base):
            same = before == after and with_eol(base, eol).strip(b"\r\n") == base.strip(b"\r\n")
            return Edit(eol=eol) if same else None
    if not edited.strip() or before == after:
        return Edit()
    if after.endswith(before):
        return Edit(indent=after[: len(after) - len(before)])
    return Edit(dedent=before[len(after) :]) if before.startswith(after) and base.strip() else None


def _eol(line: bytes) -> Literal["crlf", "lf"]:
    return "crlf" if line.endswith(b"\r\n") else "lf"


def _indentation(line: bytes) -> bytes:
    return line[: len(line) - len(line.lstrip(b" \t"))]


def _renames(old: list[bytes], new: list[bytes]) -> Subs | None:
    """One or two identifiers renamed throughout, everything else equal."""
    if len(old) != len(new):
        return None
    subs: dict[bytes, bytes] = {}
    for before, after in zip(old, new, strict=True):
        if before != after:
            if not (_IDENTIFIER.fullmatch(before) and _IDENTIFIER.fullmatch(after)):
                return None
            if subs.setdefault(before, after) != after:
                return None
    return tuple(subs.items()) if 1 <= len(subs) <= 2 else None


def _splices(old: list[bytes], new: list[bytes]) -> Subs | None:
    """Up to three stretches of tokens replaced, each widened until it is unique in the line."""
    if not _alike(old, new):
        return None
    matcher = difflib.SequenceMatcher(None, old, new, autojunk=False)
    blocks = matcher.get_matching_blocks()
    line = b"".join(old)
    kept = sum(len(token) for a, _, size in blocks for token in old[a : a + size])
    if kept < 0.5 * max(len(line.strip()), 1):
        return None
    subs: dict[bytes, bytes] = {}
    for tag, a, a_end, b, b_end in matcher.get_opcodes():
        if tag != "equal":
            widened = _widen(line, old, new, [a, a_end, b, b_end])
            if widened is None or subs.setdefault(*widened) != widened[1]:
                return None
    short = sum(len(a) + len(b) for a, b in subs.items()) <= 1.2 * len(line.strip())
    return tuple(subs.items()) if len(subs) <= 3 and short else None


def _alike(old: list[bytes], new: list[bytes]) -> bool:
    """Cheap bounds, before the quadratic comparison."""
    before, after = sum(map(len, old)), sum(map(len, new))
    if not 0.5 < before / max(1, after) < 2 or max(len(old), len(new)) > _MAX_TOKENS:
        return False
    shared = len(set(old) & set(new))
    return shared >= 2 and shared >= 0.4 * min(len(set(old)), len(set(new)))


def _widen(line: bytes, old: list[bytes], new: list[bytes], at: list[int]) -> tuple[bytes, bytes] | None:
    """The stretch old[a:a_end] -> new[b:b_end] widened until it is unique and not blank."""
    a, a_end, b, b_end = at
    while True:
        before, after = b"".join(old[a:a_end]), b"".join(new[b:b_end])
        rest = b"".join(old[:a]) + after + b"".join(old[a_end:])
        if before.strip() and line.count(before) == 1 and substitute(line, ((before, after),)) == rest:
            return before, after
        left = a > 0 and b > 0 and old[a - 1] == new[b - 1]
        right = a_end < len(old) and b_end < len(new) and old[a_end] == new[b_end] and b"\n" not in old[a_end]
        if left and (not right or a_end - at[1] >= at[0] - a):
            a, b = a - 1, b - 1
        elif right:
            a_end, b_end = a_end + 1, b_end + 1
        else:
            return None


def pairs(base: Sequence[bytes], edited: Sequence[bytes], hunk: Hunk) -> Iterator[tuple[int, int, Edit]]:
    """(base line, edited line, edit) for the lines of a hunk that pair up in order, the cheapest of 40."""
    start = hunk.a
    for b in range(hunk.b, hunk.b_end):
        if is_trivial(edited[b]):
            continue
        found: list[tuple[int, int, Edit]] = []
        for a in range(start, min(hunk.a_end, start + 40)):
            edit = relate(base[a], edited[b])
            if edit is not None:
                found.append((cost(edit), a, edit))
                if not edit.subs:
                    break
        if found:
            _, a, edit = min(found, key=lambda each: each[:2])
            yield a, b, edit
            start = a + 1


def cost(edit: Edit) -> int:
    """Bytes that the edit's substitutions hold."""
    return sum(len(old) + len(new) for old, new in edit.subs)
