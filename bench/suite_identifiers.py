"""The names of a change that a suite uses, in any language with a lexer: an agent has to know them."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import PurePosixPath

from bench.defined_names import defined_names
from grader.syntax.lexed import Lexed, Syntax, line_of
from runner.tree import SYMLINK, Tree

_WORD = re.compile(r"[^\W\d]\w*")


@dataclass(frozen=True, slots=True)
class UntoldName:
    """A name that nobody is told of, and where the suite uses it first."""

    name: str
    file: str
    line: int


def untold_names(
    files: Mapping[str, bytes], statement: str, base: Tree, gold: Tree, *, language: str, syntax: Syntax
) -> tuple[UntoldName, ...]:
    """What the suite's files name, that gold brings, and neither statement, base nor the suite itself has.

    Names that gold defines, and its new files and folders where the suite names them as a path.
    """
    suite = {file: _decoded(data) for file, data in files.items() if file.endswith(syntax.suffixes)}
    told = {*_WORD.findall(statement)}
    new = _brought(base, gold, language, syntax) - told
    new -= {name for text in suite.values() for name in defined_names(text, language)}
    places = {path for path in _places(gold) - _places(base) if not _is_told(path, statement)}
    found: dict[str, UntoldName] = {}
    for file, text in suite.items():
        tokens = syntax.lex(text)
        for name, start in (*_names(tokens, new), *_paths(tokens, places)):
            found.setdefault(name, UntoldName(name, file, line_of(text, start)))
    return tuple(found.values())


def _brought(base: Tree, gold: Tree, language: str, syntax: Syntax) -> set[str]:
    """Names that gold's changed sources define, or its new places have, and no code of the base holds."""
    changed = [path for path in base.changed(gold) if path in gold]
    new = {name for text in _sources(changed, gold, syntax) for name in defined_names(text, language)}
    new |= {PurePosixPath(place).name for place in _places(gold) - _places(base)}
    for text in _sources(base, base, syntax):
        if not new:
            break
        if not new.isdisjoint(_WORD.findall(text)):
            new.difference_update(syntax.lex(text).texts)
    return new


def _sources(paths: Iterable[str], tree: Tree, syntax: Syntax) -> Iterator[str]:
    for path in paths:
        if path.endswith(syntax.suffixes) and tree[path].mode != SYMLINK:
            yield syntax.read(tree[path]).text


def _names(tokens: Lexed, wanted: set[str]) -> Iterator[tuple[str, int]]:
    return ((text, start) for text, start in zip(tokens.texts, tokens.starts, strict=True) if text in wanted)


def _places(tree: Tree) -> set[str]:
    """Every file's name, and every file and folder's path without its suffix."""
    found = set[str]()
    for path in map(PurePosixPath, tree):
        found |= {path.name, str(path.with_suffix("")), *map(str, path.parents)}
    return found


def _paths(tokens: Lexed, places: set[str]) -> Iterator[tuple[str, int]]:
    """Texts that end in a new place: a header, a module beside others, a package by its folder."""
    for literal in tokens.literals:
        path = PurePosixPath(literal.value)
        ends = {path.name} if path.suffix else set[str]()
        if "/" in literal.value and path.name:
            stem = path.with_suffix("").parts
            ends |= {"/".join(stem[number:]) for number in range(len(stem))}
        if ends & places:
            yield literal.value, literal.start


def _is_told(path: str, statement: str) -> bool:
    return re.search(rf"(?<!\w){re.escape(PurePosixPath(path).name)}(?!\w)", statement) is not None


def _decoded(data: bytes) -> str:
    return data.decode("utf-8", "replace")
