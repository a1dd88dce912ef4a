"""Which paths may stand in a tree that a change made, and where a link in it may lead."""

from __future__ import annotations

import posixpath
import re
from collections.abc import Iterable, Mapping

from runner.tree import SYMLINK, Entry

_GIT_FOLDER = re.compile(r"\.git[ .]*(:.*)?|git~\d+", re.IGNORECASE)
"""Names that a file system may take for `.git`: any case, trailing dots and blanks, NTFS short names."""
MAX_TARGET_BYTES = 4095
"""Linux makes no link with a longer target."""
_IGNORABLE = re.compile("[\u200c-\u200f\u202a-\u202e\u206a-\u206f\ufeff]")
"""Characters that HFS+ ignores in names (CVE-2014-9390)."""


def path_fault(path: str) -> str | None:
    """Why `path` may not stand in a tree, as the end of a sentence; None if it may."""
    if not path or path.startswith("/") or re.match(r"[A-Za-z]:[\\/]", path):
        return "is absolute or empty; paths are relative to the repository's root"
    if any(ord(char) < 32 or 127 <= ord(char) < 160 for char in path):
        return "holds a control character"
    if "\\" in path:
        return "holds a backslash; folders are separated by `/`"
    for part in path.split("/"):
        if part in ("", ".", ".."):
            return f"has the component `{shown(part)}`; write it without empty, `.` and `..` components"
        if _GIT_FOLDER.fullmatch(_IGNORABLE.sub("", part)):
            return (
                f"has the component `{shown(part)}`; git's own folder is not part of the repository's content"
            )
    return None


def shown(path: str) -> str:
    """`path` as it can be printed: controls, odd blanks, bad UTF-8 escaped; 200 characters at most."""
    return printable(path[:200])


def printable(text: str) -> str:
    """`text` with everything escaped that a terminal would act on or UTF-8 cannot hold."""
    return "".join(char if char.isprintable() else ascii(char)[1:-1] for char in text)


def resolve_link(path: str, entry: Entry) -> str | None:
    """Where the link at `path` leads, relative to the tree's root; None if that is outside."""
    target = entry.data.decode("utf-8", "surrogateescape")
    if not target or target.startswith("/") or "\0" in target or "\\" in target:
        return None
    inside = posixpath.normpath(posixpath.join(posixpath.dirname(path), target))
    return None if inside == ".." or inside.startswith("../") else inside


def link_fault(path: str, entries: Mapping[str, Entry]) -> str | None:
    """Why the link at `path` may not stand there, as the end of a sentence; None if it may.

    A link's way may not pass through another link: where that one leads can be changed later.
    """
    if len(entries[path].data) > MAX_TARGET_BYTES:
        return f"is a link whose target has more than {MAX_TARGET_BYTES:,} bytes"
    inside = resolve_link(path, entries[path])
    if inside is None:
        return "is a link that leads out of the repository; link to a relative path inside"
    if path == inside or path.startswith(f"{inside}/") or inside == ".":
        return "is a link to itself or to a folder that it stands in"
    for step in _steps(path, entries[path]):
        other = entries.get(step)
        if other is not None and other.mode == SYMLINK:
            return f"is a link that passes through another link, `{step}`; link to the file itself"
    return None


def _steps(path: str, entry: Entry) -> Iterable[str]:
    """Every path that the kernel visits on the way from the link to its end, `..` taken as it comes."""
    here = path.split("/")[:-1]
    for part in entry.data.decode("utf-8", "surrogateescape").split("/"):
        if part == "..":
            here = here[:-1]
        elif part not in ("", "."):
            here = [*here, part]
            yield "/".join(here)


def parents(path: str) -> tuple[str, ...]:
    """The folders above `path`, outermost first."""
    parts = path.split("/")
    return tuple("/".join(parts[:end]) for end in range(1, len(parts)))


def place_fault(path: str, entries: Mapping[str, Entry]) -> str | None:
    """Why `path` cannot stand beside the other entries: a file or link stands where it needs a folder."""
    for folder in parents(path):
        if folder in entries:
            kind = "link" if entries[folder].mode == SYMLINK else "file"
            return f"lies beyond `{folder}`, which is a {kind} and not a folder"
    return None
