"""How a base line becomes a line of the outcome: end of line or indentation, then token substitutions."""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass, field
from functools import lru_cache
from typing import Literal

Subs = tuple[tuple[bytes, bytes], ...]
"""(old, new) tokens, in the order in which they are written."""


def split_lines(data: bytes) -> list[bytes]:
    """The lines of a file: the bytes up to and including LF, the last one perhaps without."""
    return re.findall(rb"[^\n]*\n|[^\n]+", data)


@dataclass(frozen=True, slots=True)
class Edit:
    """What is done to every line of a copy. At most one of `indent`, `dedent` and `eol` is set."""

    indent: bytes = b""
    dedent: bytes = b""
    eol: Literal["", "crlf", "lf"] = ""
    subs: Subs = field(default=())

    @property
    def moves(self) -> tuple[bytes, bytes, str]:
        """The edit without its substitutions, for comparison."""
        return self.indent, self.dedent, self.eol

    def moved(self, line: bytes) -> bytes | None:
        """`line` with its end of line or indentation changed; None if there is not that much to take off."""
        if self.eol:
            return with_eol(line, self.eol)
        if not line.strip():
            return line
        if self.dedent:
            return line[len(self.dedent) :] if line.startswith(self.dedent) else None
        return self.indent + line

    def apply(self, line: bytes) -> bytes | None:
        """The outcome of `line`; None if the edit does not fit it."""
        moved = self.moved(line)
        return None if moved is None else substitute(moved, self.subs)

    def idle(self, lines: Iterable[bytes]) -> tuple[bytes, ...]:
        """Old tokens that occur nowhere in `lines` (after moving): every substitution must do something."""
        if not self.subs:
            return ()
        seen: set[bytes] = set()
        for line in lines:
            seen.update(_pattern(self.subs).findall(self.moved(line) or b""))
        return tuple(old for old, _ in self.subs if old not in seen)


def with_eol(line: bytes, eol: Literal["crlf", "lf"]) -> bytes:
    """`line` under another end of line; one that has none keeps none."""
    if not line.endswith(b"\n"):
        return line
    return line.rstrip(b"\r\n") + (b"\r\n" if eol == "crlf" else b"\n")


def substitute(line: bytes, subs: Subs) -> bytes:
    """`line` with every old token replaced at once, the longest first, whole words where an end is a word."""
    if not subs:
        return line
    new = dict(subs)
    return _pattern(subs).sub(lambda match: new[match.group()], line)


@lru_cache(maxsize=1024)
def _pattern(subs: Subs) -> re.Pattern[bytes]:
    longest_first = sorted((old for old, _ in subs), key=len, reverse=True)
    return re.compile(b"|".join(_whole(old) for old in longest_first))


def _whole(old: bytes) -> bytes:
    before = rb"(?<!\w)" if re.match(rb"\w", old) else b""
    after = rb"(?!\w)" if re.search(rb"\w\Z", old) else b""
    return before + re.escape(old) + after
