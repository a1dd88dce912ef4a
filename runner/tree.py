"""A repository state as a value: paths, modes and bytes, with a digest."""

from __future__ import annotations

import hashlib
import os
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path

REGULAR = "100644"
EXECUTABLE = "100755"
SYMLINK = "120000"


@dataclass(frozen=True, slots=True)
class Entry:
    """One file: git's mode as text ("100644", "100755", or "120000" with the target as `data`)."""

    mode: str
    data: bytes


class Tree(Mapping[str, Entry]):
    """An immutable tree. Paths are posix, relative, sorted; bytes that are not UTF-8 stand as surrogates."""

    def __init__(self, entries: Mapping[str, Entry]) -> None:
        self._entries = {path: entries[path] for path in sorted(entries)}

    def __getitem__(self, path: str) -> Entry:
        return self._entries[path]

    def __iter__(self) -> Iterator[str]:
        return iter(self._entries)

    def __len__(self) -> int:
        return len(self._entries)

    @cached_property
    def digest(self) -> str:
        """SHA-256 (hex) over every path, mode and content: equal trees and only they share it."""
        sha = hashlib.sha256()
        for path, entry in self._entries.items():
            blob = hashlib.sha256(entry.data).hexdigest()
            sha.update(os.fsencode(path) + f"\0{entry.mode} {blob}\n".encode())
        return sha.hexdigest()

    def text(self, path: str) -> str:
        """The file's text; bytes that are not UTF-8 are replaced."""
        return self[path].data.decode("utf-8", "replace")

    def changed(self, after: Tree) -> tuple[str, ...]:
        """Paths added, removed or altered (content or mode) from this tree to `after`, sorted."""
        return tuple(path for path in sorted({*self, *after}) if self.get(path) != after.get(path))


def read_tree(root: Path) -> Tree:
    """The folder `root` as a tree; `.git` at the top is left out, links are kept as links."""
    entries: dict[str, Entry] = {}
    for folder, names, files in os.walk(root):
        here = Path(folder)
        if here == root and ".git" in names:
            names.remove(".git")
        links = [name for name in names if (here / name).is_symlink()]
        for name in [*files, *links]:
            path = here / name
            entries[path.relative_to(root).as_posix()] = _entry(path)
    return Tree(entries)


def _entry(path: Path) -> Entry:
    if path.is_symlink():
        return Entry(SYMLINK, os.fsencode(os.readlink(path)))  # noqa: PTH115 - Path would tidy the target
    mode = EXECUTABLE if path.stat().st_mode & 0o100 else REGULAR
    return Entry(mode, path.read_bytes())


def write_tree(tree: Tree, root: Path) -> None:
    """Write `tree` into the empty or new folder `root`."""
    for path, entry in tree.items():
        target = root / path
        target.parent.mkdir(parents=True, exist_ok=True)
        if entry.mode == SYMLINK:
            target.symlink_to(os.fsdecode(entry.data))
            continue
        target.write_bytes(entry.data)
        target.chmod(0o755 if entry.mode == EXECUTABLE else 0o644)
