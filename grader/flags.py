"""Review flags: constructs in what a patch adds that a person should look at. They decide nothing."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import islice

from grader.searched import read_source
from grader.sentences import one_line
from grader.syntax import SYNTAXES
from grader.syntax.lexed import Lexed, Syntax, line_of
from runner.task import Task
from runner.tree import SYMLINK, Tree

_FLAGS_A_KIND = 3
_MOST_FLAGS = 200
_TABLE_LITERALS = 120
"""Literals in a stretch of literals and punctuation: a table in which answers could be looked up."""
_TABLE_TOKENS = frozenset("()[]{},:-")
_LITERAL = re.compile(r"'|\d|\.\d|(?:True|False|None)$")
_ENCODED = re.compile(r"[A-Za-z0-9+/=_-]{200,}")
_EVERYWHERE: tuple[tuple[str, re.Pattern[str]], ...] = (
    ("long encoded literal", _ENCODED),
    ("reads /proc", re.compile(r"/proc/")),
    ("reads the suite's folders", re.compile(r"/sandbox/(?:trusted|reports|build)\b")),
)
"""What to look at in every language."""
@dataclass(frozen=True, slots=True)
class _Side:
    """One file's text on one side of the change."""

    text: str
    tokens: Lexed


def review_flags(task: Task, base: Tree, patched: Tree) -> tuple[str, ...]:
    """Flags as `what: path:line`, for lines that no changed file of the base holds; a few a kind and file."""
    syntax = SYNTAXES[task.language]
    paths = base.changed(patched)
    old_lines = {line.strip() for path in paths for line in _text(path, base, syntax).split("\n")}
    found = (
        f"{name}: {one_line(path)}:{line}" if line else f"{name}: {one_line(path)}"
        for path in paths
        for name, line in _of_file(path, base, patched, syntax, old_lines)
    )
    return tuple(islice(found, _MOST_FLAGS))


def _text(path: str, tree: Tree, syntax: Syntax) -> str:
    entry = tree.get(path)
    return "" if entry is None or entry.mode == SYMLINK else read_source(path, entry, syntax).text


def _of_file(
    path: str, base: Tree, patched: Tree, syntax: Syntax, old_lines: set[str]
) -> Iterator[tuple[str, int]]:
    entry = patched.get(path)
    if entry is None:
        return
    if entry.mode == SYMLINK:
        yield "link", 0
        return
    problem = read_source(path, entry, syntax).problem
    if problem or b"\0" in entry.data:
        yield (f"not read, {problem}" if problem else "binary file"), 0
        return
    text = _text(path, patched, syntax)
    yield from _constructs(text, (*syntax.constructs, *_EVERYWHERE), old_lines)
    yield from _second_names(text, syntax, old_lines)
    if path.endswith(syntax.suffixes):
        yield from _tables(syntax.lex(text), syntax.lex(_text(path, base, syntax)), text)


def _constructs(
    text: str, constructs: Sequence[tuple[str, re.Pattern[str]]], old_lines: set[str]
) -> Iterator[tuple[str, int]]:
    for name, pattern in constructs:
        shown = 0
        for match in pattern.finditer(text):
            if shown < _FLAGS_A_KIND and _is_new(text, match, old_lines):
                shown += 1
                yield name, line_of(text, match.start())


def _second_names(text: str, syntax: Syntax, old_lines: set[str]) -> Iterator[tuple[str, int]]:
    """A function of the module bound to another name, by which rules do not know it."""
    if syntax.second_names is None:
        return
    function, second_name = syntax.second_names
    functions = set(function.findall(text))
    new = [match for match in second_name.finditer(text) if _is_new(text, match, old_lines)]
    found = [match for match in new if match[1] in functions]
    for match in found[:_FLAGS_A_KIND]:
        yield "second name for a function", line_of(text, match.start())


def _is_new(text: str, match: re.Match[str], old_lines: set[str]) -> bool:
    begin = text.rfind("\n", 0, match.start()) + 1
    end = text.find("\n", match.end())
    touched = text[begin : end if end >= 0 else len(text)].split("\n")
    return any(line.strip() not in old_lines for line in touched)


def _tables(after: Lexed, before: Lexed, text: str) -> Iterator[tuple[str, int]]:
    known = Counter(texts for _, texts in _stretches(before))
    for start, texts in _stretches(after):
        known[texts] -= 1
        if known[texts] < 0:
            yield "large literal table", line_of(text, after.starts[start])


def _stretches(tokens: Lexed) -> Iterator[tuple[int, Sequence[str]]]:
    """Each long stretch of literals: the number of its first token, and its tokens."""
    begin = literals = 0
    for place, token in enumerate((*tokens.texts, "")):
        if _LITERAL.match(token):
            literals += 1
        elif token not in _TABLE_TOKENS:
            if literals >= _TABLE_LITERALS:
                yield begin, tokens.texts[begin:place]
            begin, literals = place + 1, 0
