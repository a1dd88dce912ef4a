"""The definitions of the base that had to go, as tokens: what the residue check looks for."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

from ast_grep_py import SgNode, SgRoot

from grader.structure import matched
from grader.syntax import SYNTAXES
from grader.syntax.lexed import Lexed, Syntax, line_of
from runner.globs import matches_any
from runner.task import Structure, StructureRule
from runner.tree import Tree


@dataclass(frozen=True, slots=True)
class Gone:
    """A node of the base that had to go. `start` and `end` are character offsets in `path`.

    `may_live_in` are the globs of each rule that names it: old code may live only where all of them say.
    `because` is the statement's sentence.
    """

    path: str
    name: str
    start: int
    end: int
    line: int
    tokens: Lexed
    because: str
    may_live_in: tuple[tuple[str, ...], ...]


def gone_definitions(structure: Structure, language: str, base: Tree) -> tuple[Gone, ...]:
    """What `gone` rules match in the base, and every function and class of files that had to go."""
    syntax = SYNTAXES[language]
    found: dict[tuple[str, int, int], Gone] = {}
    for path in base:
        rules = [rule for rule in structure.gone if matches_any(path, rule.files)]
        if rules and path.endswith(syntax.suffixes):
            for gone in _of_file(rules, path, syntax.read(base[path]).text, language):
                known = found.get((path, gone.start, gone.end))
                allowed = known.may_live_in if known else ()
                found[path, gone.start, gone.end] = replace(gone, may_live_in=(*allowed, *gone.may_live_in))
    return tuple(found.values())


def _of_file(rules: Sequence[StructureRule], path: str, text: str, language: str) -> Iterator[Gone]:
    syntax = SYNTAXES[language]
    tokens, root = syntax.lex(text), SgRoot(text, language).root()
    for rule in rules:
        for node in _nodes(rule, root, syntax):
            start, end = node.range().start.index, node.range().end.index
            yield Gone(
                path=path,
                name=_name(node),
                start=start,
                end=end,
                line=line_of(text, start),
                tokens=tokens.within(start, end),
                because=rule.because,
                may_live_in=(rule.may_live_in,),
            )


def _nodes(rule: StructureRule, root: SgNode, syntax: Syntax) -> list[SgNode]:
    if rule.rule is not None:
        return matched(root, rule.rule)
    return matched(root, {"any": [{"kind": kind} for kind in syntax.definition_kinds]})


def _name(node: SgNode) -> str:
    """A definition's name; a function's in C stands inside one declarator or several."""
    name = node.field("name") or node.field("left")
    inner = node.field("declarator")
    while name is None and inner is not None:
        deeper = inner.field("declarator") or inner.field("name")
        if deeper is None:
            name = inner
        inner = deeper
    return name.text() if name else node.kind()
