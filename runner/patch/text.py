"""Reads the shape of a patch (files, hunks, counts) as git does, to say in words what is wrong with it."""

from __future__ import annotations

import base64
import re
import zlib
from collections.abc import Sequence
from dataclasses import dataclass, field

from runner.errors import PatchRejected

_HUNK = re.compile(rb"@@ -(\d{1,9})(?:,(\d{1,9}))? \+(\d{1,9})(?:,(\d{1,9}))? @@")
_BINARY_BLOCK = re.compile(rb"(literal|delta) (\d{1,18})\Z")
_ESCAPE = re.compile(rb"\\([abfnrtv\"\\]|[0-3][0-7]{2})")
_CONTROL = dict(zip(b"abfnrtv", b"\a\b\f\n\r\t\v", strict=True))
NULL = "/dev/null"


@dataclass(slots=True)
class Hunk:
    """A hunk: its header's line in the patch (from 1), its place in the old file, its body's lines."""

    line: int
    old_start: int
    body: range


@dataclass(slots=True)
class Section:
    """What a patch says of one file. Paths are as written, `a/` and `b/` included; '' where not given."""

    line: int
    old: str = ""
    new: str = ""
    bare: list[str] = field(default_factory=list)
    """Paths of `rename` and `copy` lines, which have no `a/` and `b/`."""
    hunks: list[Hunk] = field(default_factory=list)
    binary_bytes: int = 0
    """What the binary blocks of this file unpack to, by their own declaration."""
    dataless: bool = False
    """`Binary files ... differ`: the content is not in the patch."""

    @property
    def paths(self) -> tuple[str, ...]:
        """Paths in the tree that it names, the old one first, without `a/` and `b/`."""
        written = [path.partition("/")[2] for path in (self.old, self.new) if path not in ("", NULL)]
        return tuple(dict.fromkeys([*written, *self.bare]))


def scan(lines: Sequence[bytes]) -> list[Section]:
    """The sections of a patch, given as lines without their ends.

    Raises PatchRejected `wrong-counts` for a hunk that has not the lines its header announces.
    """
    sections: list[Section] = []
    at = 0
    while at < len(lines):
        line = lines[at]
        section = sections[-1] if sections else None
        if line.startswith(b"diff --git "):
            sections.append(_git_section(line, at))
        elif _is_file_header(lines, at) and (section is None or section.hunks or section.old):
            sections.append(Section(at + 1))
            continue
        elif section is not None and _HUNK.match(line):
            at = _read_hunk(lines, at, section)
            continue
        elif section is not None and not section.hunks:
            at = _read_header(lines, at, section)
            continue
        at += 1
    return sections


def _is_file_header(lines: Sequence[bytes], at: int) -> bool:
    following = lines[at + 1] if at + 1 < len(lines) else b""
    return lines[at].startswith(b"--- ") and following.startswith(b"+++ ")


def _git_section(line: bytes, at: int) -> Section:
    section = Section(at + 1)
    names = line.removeprefix(b"diff --git ").rstrip(b"\r")
    half = len(names) // 2
    if not names.startswith(b'"') and names[half : half + 1] == b" ":
        old, new = names[:half], names[half + 1 :]
        if old.partition(b"/")[2] == new.partition(b"/")[2]:
            section.bare.append(_path(new).partition("/")[2])
    return section


def _read_header(lines: Sequence[bytes], at: int, section: Section) -> int:
    line = lines[at].rstrip(b"\r")
    if line.startswith(b"--- "):
        section.old = _path(line[4:])
    elif line.startswith(b"+++ "):
        section.new = _path(line[4:])
    elif line.startswith((b"rename from ", b"rename to ", b"copy from ", b"copy to ")):
        section.bare.append(_path(line.split(b" ", 2)[2]))
    elif line.startswith(b"Binary files ") and line.endswith(b" differ"):
        section.dataless = True
    else:
        block = _BINARY_BLOCK.match(line)
        if block:
            return _read_binary(lines, at + 1, section, block)
    return at + 1


def _read_binary(lines: Sequence[bytes], at: int, section: Section, block: re.Match[bytes]) -> int:
    data = bytearray()
    while at < len(lines) and lines[at].strip():
        try:
            data += base64.b85decode(lines[at][1:].strip())
        except ValueError:
            break
        at += 1
    size = int(block[2])
    section.binary_bytes += size if block[1] == b"literal" else max(size, _delta_outcome(bytes(data)))
    return at


def _delta_outcome(data: bytes) -> int:
    """The size that a packed git delta makes: the second of the two numbers that it begins with."""
    try:
        head = zlib.decompressobj().decompress(data, 32)
    except zlib.error:
        return 0
    sizes, value, shift = [], 0, 0
    for byte in head:
        value |= (byte & 127) << shift
        shift += 7
        if not byte & 128:
            sizes.append(value)
            value = shift = 0
    return sizes[1] if len(sizes) > 1 else 0


def _read_hunk(lines: Sequence[bytes], at: int, section: Section) -> int:
    header = at
    match = _HUNK.match(lines[header])
    assert match is not None
    old, new = int(match[2] or 1), int(match[4] or 1)
    wanted, seen = (old, new), [0, 0]
    at += 1
    while at < len(lines) and (seen[0] < old or seen[1] < new):
        kind = lines[at][:1].replace(b"\r", b"")
        if kind not in (b"", b" ", b"-", b"+", b"\\"):
            break
        seen[0] += kind in (b"", b" ", b"-")
        seen[1] += kind in (b"", b" ", b"+")
        at += 1
    end = at + 1 if at < len(lines) and lines[at].startswith(b"\\") else at
    section.hunks.append(Hunk(header + 1, int(match[1]), range(header + 2, end + 1)))
    extra = _extra(lines, end)
    if (seen[0], seen[1]) != wanted or extra:
        raise _wrong_counts(section, wanted, (seen[0], seen[1]), extra)
    return end


def _extra(lines: Sequence[bytes], at: int) -> int:
    """Lines that go on like a hunk's body after its last line: git would leave them out without a word."""
    found = 0
    while at < len(lines) and lines[at][:1] in (b" ", b"+", b"-") and not _is_file_header(lines, at):
        if lines[at].rstrip() == b"--":
            break  # the signature under a mailed patch
        found += 1
        at += 1
    return found


def _wrong_counts(
    section: Section, wanted: tuple[int, int], seen: tuple[int, int], extra: int
) -> PatchRejected:
    hunk = section.hunks[-1]
    name = section.paths[-1] if section.paths else "?"
    held = f"goes on for {extra} more lines" if extra else f"holds {seen[0]} old and {seen[1]} new"
    return PatchRejected(
        "wrong-counts",
        f"hunk {len(section.hunks)} of `{name}` (line {hunk.line} of the patch) announces {wanted[0]} old "
        f"and {wanted[1]} new lines and {held}: the patch was cut or edited. "
        "Hand in the output of `git diff` unaltered.",
        f"line {hunk.line}",
    )


def _path(written: bytes) -> str:
    """A path as a header names it: quoted like C, or plain up to a tab."""
    if written.startswith(b'"'):
        end = re.match(rb'"((?:[^"\\]|\\.)*)"', written)
        raw = _ESCAPE.sub(_unescaped, end[1] if end else written[1:])
    else:
        raw = written.split(b"\t")[0].rstrip(b"\r\n")
    return raw.decode("utf-8", "surrogateescape")


def _unescaped(match: re.Match[bytes]) -> bytes:
    escape = match[1]
    if len(escape) == 3:
        return bytes([int(escape, 8)])
    return bytes([_CONTROL.get(escape[0], escape[0])])
