"""Reads a delta against its base. The grammar stands in `runner.delta`."""

from __future__ import annotations

import hashlib
import re
from collections.abc import Callable
from dataclasses import dataclass, field

from runner.delta.edit import Edit, Subs, split_lines
from runner.delta.words import LINE_RANGE, path_text, split_words, unquote, unword
from runner.errors import DeltaError
from runner.tree import EXECUTABLE, REGULAR, SYMLINK, Entry, Tree
from runner.tree_paths import link_fault, path_fault, place_fault

HEADER = "assay-delta 1"
_AGAIN = "Record the delta again from the edited tree, against this base."


def decode(text: str, base: Tree) -> Tree:
    """The tree that `text` makes of `base`.

    Raises DeltaError with the line and what to do: another base, a line that does not read, a substitution
    that does nothing, an outcome whose digest differs, a path or link that leaves the tree.
    """
    first, *rest = text.split("\n")
    if first != HEADER:
        raise DeltaError(f"line 1: {first[:40]!r} is not `{HEADER}`; this is no delta that we can read")
    reader = _Reader(base)
    for number, line in enumerate(rest, 2):
        try:
            reader.read(line.lstrip(" "), number)
        except ValueError as fault:
            raise DeltaError(f"line {number}: {fault}") from fault
    return reader.finish(len(rest) + 1)


@dataclass(slots=True)
class _Open:
    """A `file` entry that is being read."""

    path: str
    origin: str
    mode: str
    eol: bytes
    line: int
    data: bytearray = field(default_factory=bytearray)


class _Reader:
    """Reads line after line; every method raises ValueError with the fault, and the caller adds the line."""

    def __init__(self, base: Tree) -> None:
        self._base = base
        self._lines: dict[str, list[bytes]] = {}
        self._declared: dict[str, int] = {}
        self._used: set[str] = set()
        self._written: dict[str, Entry] = {}
        self._deleted: set[str] = set()
        self._open: _Open | None = None
        self._words: dict[str, Callable[[list[str], int], None]] = {
            "base": self._read_base,
            "delete": self._read_delete,
            "file": self._read_file,
            "copy": self._read_copy,
            "sha256": self._read_digest,
        }

    def read(self, line: str, number: int) -> None:
        """Take one line, without its leading blanks."""
        if not line or line.startswith("#"):
            return
        if line[0] == "|":
            self._read_text(line)
        elif line[0] == "=":
            self._entry().data.extend(unquote(line[1:].strip(" ")))
        else:
            first, *rest = split_words(line)
            if first not in self._words:
                raise ValueError(f"`{first}` begins no line of a delta")
            self._words[first](rest, number)

    def finish(self, last: int) -> Tree:
        """The outcome, once every line is read."""
        if self._open is not None:
            raise DeltaError(
                f"line {last}: the file entry of line {self._open.line} has no `sha256`. {_AGAIN}"
            )
        for path, number in self._declared.items():
            if path not in self._used:
                raise DeltaError(
                    f"line {number}: nothing reads, replaces or deletes `{path}`: a line is missing. {_AGAIN}"
                )
        kept = {path: entry for path, entry in self._base.items() if path not in self._deleted}
        outcome = {**kept, **self._written}
        for path, entry in outcome.items():
            fault = place_fault(path, outcome)
            if fault is None and path in self._written and entry.mode == SYMLINK:
                fault = link_fault(path, outcome)
            if fault is not None:
                raise DeltaError(f"`{path}` {fault}")
        return Tree(outcome)

    def _read_base(self, words: list[str], number: int) -> None:
        path, digest = self._path(words[:1]), words[1:]
        if path not in self._base:
            raise ValueError(f"the base has no `{path}`; use the base that this delta was recorded against")
        if digest != [hashlib.sha256(self._base[path].data).hexdigest()]:
            raise ValueError(
                f"`{path}` differs in this base; use the one that this delta was recorded against"
            )
        if path in self._declared:
            raise ValueError(f"`{path}` is declared a second time (first in line {self._declared[path]})")
        self._declared[path] = number

    def _read_delete(self, words: list[str], number: int) -> None:
        self._closed()
        path = self._path(words)
        self._use(path)
        if path in self._deleted or path in self._written:
            raise ValueError(f"`{path}` has an entry already; keep one")
        self._deleted.add(path)

    def _read_file(self, words: list[str], number: int) -> None:
        self._closed()
        path = self._path(words[:1])
        if path in self._deleted or path in self._written:
            raise ValueError(f"`{path}` has an entry already; keep one")
        if path in self._base:
            self._use(path)
        options = _options(words[1:])
        origin = self._path([options["from"]]) if "from" in options else path
        if "from" in options:
            self._use(origin)
        inherited = self._base[origin].mode if origin in self._base else REGULAR
        mode = options.get("mode", inherited)
        if mode not in (REGULAR, EXECUTABLE, SYMLINK):
            raise ValueError(f"mode {mode} is none of {REGULAR}, {EXECUTABLE}, {SYMLINK}")
        if options.get("eol", "crlf") != "crlf":
            raise ValueError("only `eol crlf` may stand here; LF needs no word")
        self._open = _Open(path, origin, mode, b"\r\n" if "eol" in options else b"\n", number)

    def _read_copy(self, words: list[str], _number: int) -> None:
        entry = self._entry()
        source = entry.origin
        if words and not LINE_RANGE.match(words[0]):
            source, words = self._path(words[:1]), words[1:]
        self._use(source)
        lines = self._range(source, words[:1])
        edit = _read_edit(words[1:])
        for idle in edit.idle(lines):
            raise ValueError(f"the substitution of {idle!r} does nothing in the lines copied. {_AGAIN}")
        for line in lines:
            outcome = edit.apply(line)
            if outcome is None:
                raise ValueError(
                    f"a line copied from `{source}` has less indentation than is taken off. {_AGAIN}"
                )
            entry.data.extend(outcome)

    def _read_text(self, line: str) -> None:
        entry = self._entry()
        if len(line) > 1 and line[1] != " ":
            raise ValueError("a blank belongs between `|` and the text")
        entry.data.extend(line[2:].encode() + entry.eol)

    def _read_digest(self, words: list[str], _number: int) -> None:
        entry = self._entry()
        if words != [hashlib.sha256(entry.data).hexdigest()]:
            raise ValueError(
                f"the outcome of `{entry.path}` has another digest: the delta was altered. {_AGAIN}"
            )
        self._written[entry.path] = Entry(entry.mode, bytes(entry.data))
        self._open = None

    def _entry(self) -> _Open:
        if self._open is None:
            raise ValueError("this line belongs into a `file` entry, and none is open")
        return self._open

    def _closed(self) -> None:
        if self._open is not None:
            raise ValueError(f"the file entry of line {self._open.line} has no `sha256`. {_AGAIN}")

    def _use(self, path: str) -> None:
        if path not in self._declared:
            raise ValueError(f"`{path}` has no `base` line with its digest. {_AGAIN}")
        self._used.add(path)

    def _range(self, source: str, words: list[str]) -> list[bytes]:
        match = LINE_RANGE.match(words[0]) if words else None
        if match is None:
            raise ValueError("`copy` needs the lines, as `12` or `12-20`")
        if source not in self._lines:
            self._lines[source] = split_lines(self._base[source].data)
        first, last = int(match[1]), int(match[2] or match[1])
        if not first <= last <= len(self._lines[source]):
            raise ValueError(f"`{source}` has {len(self._lines[source])} lines, not {words[0]}. {_AGAIN}")
        return self._lines[source][first - 1 : last]

    @staticmethod
    def _path(words: list[str]) -> str:
        if len(words) != 1:
            raise ValueError("one path belongs here")
        path = path_text(unword(words[0]))
        fault = path_fault(path)
        if fault is not None:
            raise ValueError(f"the path `{path}` {fault}")
        return path


def _options(words: list[str]) -> dict[str, str]:
    options = dict(zip(words[::2], words[1::2], strict=False))
    if len(words) != 2 * len(options) or not options.keys() <= {"from", "mode", "eol"}:
        raise ValueError(
            f"after the path come `from PATH`, `mode OCTAL` and `eol crlf`, not `{' '.join(words)}`"
        )
    return options


def _read_edit(words: list[str]) -> Edit:
    if words[:1] == ["eol"]:
        return _read_eol(words[1:2], _read_subs(words[2:]))
    if words[:1] == ["indent"]:
        return _read_indent(words[1:])
    return Edit(subs=_read_subs(words))


def _read_eol(words: list[str], subs: Subs) -> Edit:
    match words:
        case ["crlf"]:
            return Edit(eol="crlf", subs=subs)
        case ["lf"]:
            return Edit(eol="lf", subs=subs)
    raise ValueError("`eol` needs `crlf` or `lf`")


def _read_indent(words: list[str]) -> Edit:
    sign = words[0] if words else ""
    if sign in ("+", "-"):
        blank, rest = unquote(words[1] if len(words) > 1 else ""), words[2:]
    elif re.fullmatch(r"[+-][1-9]\d{0,2}", sign, re.ASCII):
        blank, rest = b" " * int(sign[1:]), words[1:]
    else:
        raise ValueError('`indent` needs a sign and a width or a quoted blank, as `+4` or `-"\\t"`')
    if not blank or blank.strip(b" \t"):
        raise ValueError("an indentation consists of blanks and tabs")
    subs = _read_subs(rest)
    return Edit(indent=blank, subs=subs) if sign[0] == "+" else Edit(dedent=blank, subs=subs)


def _read_subs(words: list[str]) -> Subs:
    subs: list[tuple[bytes, bytes]] = []
    while words:
        if len(words) < 3 or words[1] != "->" or words[3:4] not in ([], [","]) or words[3:] == [","]:
            raise ValueError(
                f"`{' '.join(words[:4])}` is no substitution; write `old -> new`, commas between them"
            )
        subs.append((unword(words[0]), unword(words[2])))
        words = words[4:]
    olds = [old for old, _ in subs]
    if b"" in olds or len(set(olds)) != len(olds):
        raise ValueError("every substitution needs its own old text, and one that is not empty")
    return tuple(subs)
