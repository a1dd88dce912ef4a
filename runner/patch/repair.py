"""The two repairs that change nothing an author could mean: the last line end, and a patch's line ends."""

from __future__ import annotations

from collections.abc import Sequence

from runner.patch.text import Section
from runner.tree import SYMLINK, Tree


def all_crlf(lines: Sequence[bytes]) -> bool:
    """Did every line of the patch (its headers too) get CRLF on its way?"""
    return bool(lines) and all(line.endswith(b"\r") or line == b"" for line in lines) and any(lines)


def match_line_ends(lines: Sequence[bytes], sections: Sequence[Section], base: Tree) -> list[bytes]:
    """The patch's lines with headers under LF and every hunk body under the line ends of the file it changes.

    Only a file that has one sort of line end, and a body that has one, are matched; a new file gets the sort
    that most of the base has, if the whole patch came under CRLF.
    """
    whole = all_crlf(lines)
    repaired = [line.rstrip(b"\r") if whole else line for line in lines]
    for section in sections:
        body = [number - 1 for hunk in section.hunks for number in hunk.body]
        wanted = _wanted(section, base, whole)
        for at in body:
            repaired[at] = lines[at]
        if wanted is not None and _uniform([lines[at] for at in body]) not in (None, wanted):
            for at in body:
                repaired[at] = _under(lines, at, crlf=wanted)
        for at in body:
            if lines[at].startswith(b"\\"):
                repaired[at] = lines[at].rstrip(b"\r")
    return repaired


def _wanted(section: Section, base: Tree, whole: bool) -> bool | None:
    """Should the body be under CRLF? None: leave it."""
    old = [path for path in section.paths if path in base]
    if not old:
        return _mostly_crlf(base) if whole else None
    return _uniform(base[old[0]].data.split(b"\n")[:-1])


def _uniform(lines: Sequence[bytes]) -> bool | None:
    """True if all lines end in CR, False if none does, None if they differ or there are none."""
    ends = {line.endswith(b"\r") for line in lines if not line.startswith(b"\\")}
    return ends.pop() if len(ends) == 1 else None


def _mostly_crlf(base: Tree) -> bool:
    texts = [
        entry.data for entry in base.values() if entry.mode != SYMLINK and b"\0" not in entry.data[:8000]
    ]
    crlf = sum(data.count(b"\r\n") for data in texts)
    return 2 * crlf > sum(data.count(b"\n") for data in texts)


def _under(lines: Sequence[bytes], at: int, *, crlf: bool) -> bytes:
    """The body line under CRLF or LF; one that is marked as having no end gets none."""
    bare = lines[at].rstrip(b"\r")
    unended = at + 1 < len(lines) and lines[at + 1].startswith(b"\\")
    if not crlf or unended or bare.startswith(b"\\"):
        return bare
    return (bare or b" ") + b"\r"
