"""The texts that the residue check looks through: changed files as code, and what their strings hold."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from itertools import accumulate

from grader.source_text import SourceText, any_text
from grader.syntax.lexed import Lexed, StringLiteral, Syntax, line_of
from runner.tree import SYMLINK, Entry, Tree

_STRING_LEVELS = 2
"""Strings in strings that are looked into."""


@dataclass(frozen=True, slots=True)
class Searched:
    """One text: a file's code (`level` 0), or all its string literals, one after the other, read as code.

    `origins` pairs offsets in the text that was lexed with offsets in the file, ascending.
    """

    path: str
    level: int
    tokens: Lexed
    file_text: str
    origins: tuple[tuple[int, int], ...]

    @property
    def key(self) -> str:
        """The same for the same text of base and patched tree."""
        return f"{self.path}\0{self.level}"

    def line(self, token: int) -> int:
        """The line of the file, from 1, of the token of that number (of its literal, in strings)."""
        return line_of(self.file_text, self._offset(self.tokens.starts[token]))

    def _offset(self, start: int) -> int:
        if not self.level:
            return start
        return self.origins[bisect_right(self.origins, (start, len(self.file_text))) - 1][1]


def changed_texts(paths: Iterable[str], tree: Tree, syntax: Syntax) -> Iterator[Searched]:
    """The texts of those `paths` that are regular, readable files in `tree`."""
    for path in paths:
        entry = tree.get(path)
        if entry is not None and entry.mode != SYMLINK:
            source = read_source(path, entry, syntax)
            if not source.problem:
                yield from _levels(path, source.text, syntax)


def read_source(path: str, entry: Entry, syntax: Syntax) -> SourceText:
    """A source file in its own encoding, any other file as UTF-8."""
    return syntax.read(entry) if path.endswith(syntax.suffixes) else any_text(entry)


def _levels(path: str, text: str, syntax: Syntax) -> Iterator[Searched]:
    tokens = syntax.lex(text)
    here = Searched(path, 0, tokens, text, ())
    yield here
    for level in range(1, _STRING_LEVELS + 1):
        if not here.tokens.literals:
            return
        here = _strings(here, level, syntax)
        yield here


def _strings(outer: Searched, level: int, syntax: Syntax) -> Searched:
    """Every literal's value on a line of its own; one that continues another directly behind it."""
    literals = outer.tokens.literals
    pieces = [_piece(literal) for literal in literals]
    offsets = accumulate((len(piece) for piece in pieces[:-1]), initial=0)
    origins = tuple(
        (offset, outer._offset(literal.start)) for offset, literal in zip(offsets, literals, strict=True)
    )
    return Searched(outer.path, level, syntax.lex("".join(pieces)), outer.file_text, origins)


def _piece(literal: StringLiteral) -> str:
    return literal.value if literal.continues else f"\n{literal.value}"
