"""What the patch touched, counted from the trees, so that the form of the diff does not matter."""

from __future__ import annotations

from collections import Counter

from grader.result import ScopeDocument
from runner.tree import Entry, Tree

_BINARY_PROBE_BYTES = 8000
"""git's own test: a NUL byte in the first 8000 bytes makes a file binary."""


def scope(base: Tree, patched: Tree) -> ScopeDocument:
    """Files changed, and lines added and removed: the lines a file has more, or fewer, of than before.

    A line moved within its file counts as neither; binary files count as files only.
    """
    paths = base.changed(patched)
    added = removed = 0
    for path in paths:
        before, after = _lines(base.get(path)), _lines(patched.get(path))
        added += (after - before).total()
        removed += (before - after).total()
    return ScopeDocument(files=len(paths), lines_added=added, lines_removed=removed)


def _lines(entry: Entry | None) -> Counter[bytes]:
    if entry is None or b"\0" in entry.data[:_BINARY_PROBE_BYTES]:
        return Counter()
    return Counter(entry.data.splitlines())
