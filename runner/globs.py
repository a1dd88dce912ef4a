"""Path globs as task files write them: `*` and `?` stay in a folder, `**` crosses folders."""

from __future__ import annotations

import re
from collections.abc import Iterable
from functools import lru_cache

_PIECE = re.compile(r"\*\*/|\*\*|\*|\?|\[!?\]?[^\]/]*\]|.", re.DOTALL)


def matches_any(path: str, globs: Iterable[str]) -> bool:
    """Whether the posix `path` is matched, as a whole, by one of `globs`."""
    return any(_compiled(glob).fullmatch(path) for glob in globs)


def regex(glob: str) -> str:
    """A glob as a regular expression for `re.fullmatch` with `re.DOTALL`: for scripts that cannot import this."""
    return "".join(_regex(piece) for piece in _PIECE.findall(glob))


@lru_cache(maxsize=1024)
def _compiled(glob: str) -> re.Pattern[str]:
    return re.compile(regex(glob), re.DOTALL)


def _regex(piece: str) -> str:
    if piece == "**/":
        return "(?:[^/]+/)*"
    if piece == "**":
        return ".*"
    if piece == "*":
        return "[^/]*"
    if piece == "?":
        return "[^/]"
    if len(piece) > 1:
        inner = piece[1:-1].replace("\\", "\\\\").replace("[", "\\[").replace("&&", "&\\&")
        return f"(?!/)[^{inner[1:]}]" if inner.startswith("!") else f"[{inner}]"
    return re.escape(piece)
