"""Writes a delta: finds for every edited line the base line that it comes from. Proves the round trip."""

from __future__ import annotations

import hashlib
from collections import Counter
from collections.abc import Sequence

from runner.delta.decode import HEADER, decode
from runner.delta.edit import split_lines
from runner.delta.match import hunks, relate
from runner.delta.origins import Corpus, trace
from runner.delta.render import render_file
from runner.delta.words import path_bytes, word
from runner.errors import DeltaError
from runner.tree import SYMLINK, Tree


def encode(base: Tree, edited: Tree) -> str:
    """The delta from `base` to `edited`, decoded once to prove it.

    Raises DeltaError if a binary file was added or altered (a delta holds text), or if a path may not
    stand in a tree.
    """
    gone = [path for path in base if path not in edited]
    changed = [path for path in edited if base.get(path) != edited[path]]
    origins = {path: _origin(path, base, edited, gone) for path in changed}
    _refuse_binaries(base, edited, origins)
    corpus = Corpus.of(base, renames=_renames(base, edited, changed))
    used, entries = set(gone), []
    for path, origin in origins.items():
        traced = trace(split_lines(edited[path].data), origin, corpus)
        used.update(each.path for each in traced if each is not None)
        used.update(each for each in (origin, path) if each is not None and each in base)
        entries.append(render_file(path, edited[path], origin, traced, base))
    header = "".join(f"base {word(path_bytes(path))} {_sha256(base, path)}\n" for path in sorted(used))
    deletions = [f"delete {word(path_bytes(path))}\n" for path in gone]
    text = "\n".join([f"{HEADER}\n{header}", *entries, *deletions])
    if decode(text, base) != edited:
        raise DeltaError("the delta does not give the edited tree back: a fault of ours, please report it")
    return text


def _sha256(base: Tree, path: str) -> str:
    return hashlib.sha256(base[path].data).hexdigest()


def _origin(path: str, base: Tree, edited: Tree, gone: Sequence[str]) -> str | None:
    """The base file that `path` goes on from: itself, or the vanished one that shares most of its lines."""
    if path in base:
        return path
    if edited[path].mode == SYMLINK:
        return None
    lines = set(split_lines(edited[path].data))
    best, share = None, 0.4
    for candidate in gone:
        shared = len(lines.intersection(split_lines(base[candidate].data))) / max(1, len(lines))
        if shared > share:
            best, share = candidate, shared
    return best


def _refuse_binaries(base: Tree, edited: Tree, origins: dict[str, str | None]) -> None:
    for path, origin in origins.items():
        data = edited[path].data
        if b"\0" in data[:8000] and (origin is None or base[origin].data != data):
            raise DeltaError(
                f"`{path}` is binary and was added or altered; a delta holds text only, so leave it as it is"
            )


def _renames(base: Tree, edited: Tree, changed: Sequence[str]) -> list[tuple[bytes, bytes]]:
    """(new, old) identifiers that the edit seems to rename, the most frequent first."""
    votes: Counter[tuple[bytes, bytes]] = Counter()
    for path in changed:
        if path in base and base[path].data != edited[path].data:
            votes.update(_renames_in(split_lines(base[path].data), split_lines(edited[path].data)))
    return [rename for rename, _ in votes.most_common(8)]


def _renames_in(old: list[bytes], new: list[bytes]) -> list[tuple[bytes, bytes]]:
    found = []
    for hunk in hunks(old, new):
        if hunk.a_end - hunk.a == hunk.b_end - hunk.b:
            for before, after in zip(old[hunk.a : hunk.a_end], new[hunk.b : hunk.b_end], strict=True):
                edit = relate(before, after, splice=False)
                if edit is not None and len(edit.subs) == 1:
                    found.append((edit.subs[0][1], edit.subs[0][0]))
    return found
