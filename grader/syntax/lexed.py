"""Tokens in normal form: what two pieces of code have in common whatever their layout."""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Callable
from dataclasses import dataclass
from typing import NamedTuple

from grader.source_text import SourceText
from runner.tree import Entry


class StringLiteral(NamedTuple):
    """A string or bytes literal: its value, where it starts, and whether it continues the one before it."""

    value: str
    start: int
    continues: bool


@dataclass(frozen=True, slots=True)
class Lexed:
    """A text's tokens without layout, comments and docstrings.

    `texts` are the tokens; `shapes` the same with every name that can be renamed without changing a call
    to anything outside as ''; `starts` character offsets; `literals` all string literals, docstrings too.
    """

    texts: tuple[str, ...]
    shapes: tuple[str, ...]
    starts: tuple[int, ...]
    literals: tuple[StringLiteral, ...]

    def within(self, start: int, end: int) -> Lexed:
        """The tokens that begin in `start`..`end` (characters)."""
        first = bisect_right(self.starts, start - 1)
        last = bisect_right(self.starts, end - 1)
        span = slice(first, last)
        return Lexed(self.texts[span], self.shapes[span], self.starts[span], ())


@dataclass(frozen=True, slots=True)
class Execution:
    """One place where text that is computed becomes code: what does it, and its character offset."""

    name: str
    start: int


@dataclass(frozen=True, slots=True)
class Syntax:
    """One language. `suffixes` are those of its source files; the functions never raise and are linear."""

    suffixes: tuple[str, ...]
    definition_kinds: tuple[str, ...]
    """tree-sitter kinds of what a file defines: functions and classes."""
    read: Callable[[Entry], SourceText]
    lex: Callable[[str], Lexed]
    executions: Callable[[Lexed], tuple[Execution, ...]]
    unparsed: str = ""
    """The tree-sitter kind of brackets around code that the grammar leaves as tokens; '' if it parses all."""
    constructs: tuple[tuple[str, re.Pattern[str]], ...] = ()
    """What a person should look at in what a patch adds: its name in a review flag, and how it is found."""
    second_names: tuple[re.Pattern[str], re.Pattern[str]] | None = None
    """What finds a function's name, and a plain assignment of such a name to another; None to look for none."""


def line_of(text: str, offset: int) -> int:
    """The line, from 1, of a character offset."""
    return text.count("\n", 0, offset) + 1
