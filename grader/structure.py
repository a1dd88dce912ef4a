"""The task's own demands on the shape of the patched tree: what must be gone, what must be there."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any, cast

from ast_grep_py import Config, SgNode, SgRoot

from grader.finding import Finding
from grader.result import RuleDocument
from grader.sentences import one_line
from grader.source_text import SourceText, followed
from grader.syntax import SYNTAXES
from runner.globs import matches_any
from runner.task import Structure, StructureRule
from runner.tree import Tree

MOST_NESTED = 8
"""Macros in macros that are looked into."""
_RELATIONS = frozenset({"inside", "has", "precedes", "follows"})
_KEYS = _RELATIONS | {"pattern", "kind", "regex", "nthChild", "range", "all", "any", "not", "matches"}
_RELATION_KEYS = _KEYS | {"stopBy", "field"}


@dataclass(frozen=True, slots=True)
class JudgedStructure:
    """Every rule with its outcome, and a finding for each that does not hold."""

    rules: tuple[RuleDocument, ...] = ()
    findings: tuple[Finding, ...] = ()


def judge_structure(structure: Structure, language: str, base: Tree, patched: Tree) -> JudgedStructure:
    """Every rule of the task on the patched tree. `base` tells which unreadable files are the patch's."""
    sources = _Sources(language, base, patched)
    gone = [_judge_gone(rule, sources) for rule in structure.gone]
    present = [_judge_present(rule, sources) for rule in structure.present]
    rules = (*gone, *present)
    return JudgedStructure(rules, tuple(_finding(rule) for rule in rules if not rule.holds))


def rule_fault(rule: Mapping[str, Any], language: str) -> str | None:
    """What is wrong with an ast-grep rule, for `tasks check`; None if it can be used."""
    if language not in SYNTAXES:
        return f"no grammar for `{language}`"
    shape = _shape_fault(rule, "rule", _KEYS)
    if shape:
        return shape
    try:
        SgRoot("", language).root().find_all(cast(Config, {"rule": rule}))
    except (RuntimeError, TypeError, ValueError) as error:
        return _cause(error)
    return None


def matched(root: SgNode, rule: Mapping[str, Any]) -> list[SgNode]:
    """The nodes that an ast-grep rule matches (the rule has passed `rule_fault`)."""
    return root.find_all(cast(Config, {"rule": rule}))


class _Sources:
    """The patched tree's files, each parsed once however many rules look at it."""

    def __init__(self, language: str, base: Tree, patched: Tree) -> None:
        self._language, self._base, self._patched = language, base, patched
        self._parsed: dict[str, tuple[SourceText, SgNode]] = {}
        self.nested: set[str] = set()
        """Files in which macros stand too deep in macros."""

    def paths(self, rule: StructureRule) -> Iterator[str]:
        return (path for path in self._patched if matches_any(path, rule.files))

    def is_changed(self, path: str) -> bool:
        return self._base.get(path) != self._patched[path]

    def parsed(self, path: str) -> tuple[SourceText, SgNode]:
        if path not in self._parsed:
            entry = followed(self._patched, path)
            source = (
                SYNTAXES[self._language].read(entry) if entry else SourceText(problem="is a link to nothing")
            )
            self._parsed[path] = source, SgRoot(source.text, self._language).root()
        return self._parsed[path]

    def roots(self, path: str) -> Iterator[tuple[int, SgNode]]:
        """The file's root, then those of what its grammar left unparsed; with the line that each begins on."""
        kind = SYNTAXES[self._language].unparsed
        level = [(0, self.parsed(path)[1])]
        for _ in range(MOST_NESTED + 1):
            yield from level
            if not kind:
                return
            level = [
                (first + node.range().start.line, SgRoot(node.text()[1:-1], self._language).root())
                for first, root in level
                for node in matched(root, {"kind": kind, "not": {"inside": {"kind": kind}}})
            ]
        if level:
            self.nested.add(path)


def _judge_gone(rule: StructureRule, sources: _Sources) -> RuleDocument:
    return _document(rule, "gone", next(_still_there(rule, sources), ""))


def _still_there(rule: StructureRule, sources: _Sources) -> Iterator[str]:
    for path in sources.paths(rule):
        if rule.rule is None:
            yield f"{path} is still there"
            continue
        source, _ = sources.parsed(path)
        if source.problem and sources.is_changed(path):
            yield f"{path} cannot be checked: it {source.problem}"
        for first, root in sources.roots(path):
            for node in matched(root, rule.rule)[:1]:
                yield f"{path}:{first + node.range().start.line + 1} still has it"
        if path in sources.nested and sources.is_changed(path):
            yield f"{path} cannot be checked: macros stand too deep in macros"


def _judge_present(rule: StructureRule, sources: _Sources) -> RuleDocument:
    wanted = " or ".join(rule.files)
    if rule.rule is None:
        missing = not any(True for _ in sources.paths(rule))
        return _document(rule, "present", f"there is no {wanted}" if missing else "")
    problem = f"nothing in {wanted} matches"
    for path in sources.paths(rule):
        source, root = sources.parsed(path)
        if matched(root, rule.rule):
            return _document(rule, "present", "")
        if source.problem:
            problem = f"{path} cannot be checked: it {source.problem}"
    return _document(rule, "present", problem)


def _document(rule: StructureRule, section: str, where: str) -> RuleDocument:
    return RuleDocument.model_validate(
        {
            "id": rule.id,
            "section": section,
            "holds": not where,
            "because": rule.because,
            "where": one_line(where, 300),
        }
    )


def _finding(rule: RuleDocument) -> Finding:
    because = f'(the statement: "{one_line(rule.because)}")'
    message = f"{rule.section} rule `{rule.id}` does not hold: {rule.where} {because}"
    return Finding(
        "structure", "incomplete", message, rule.where.split(" ")[0] if rule.section == "gone" else rule.id
    )


def _shape_fault(rule: object, place: str, keys: frozenset[str]) -> str | None:
    if not isinstance(rule, Mapping):
        return f"`{place}` must be a mapping"
    for key, value in rule.items():
        fault = _key_fault(str(key), value, f"{place}.{key}", keys)
        if fault:
            return fault
    return None


def _key_fault(key: str, value: object, place: str, keys: frozenset[str]) -> str | None:
    if key not in keys:
        return f"`{place}` is not known; known here: {', '.join(sorted(keys))}"
    if key in ("all", "any"):
        return _list_fault(value, place)
    if key in _RELATIONS:
        return _shape_fault(value, place, _RELATION_KEYS)
    if key == "not" or (key == "stopBy" and isinstance(value, Mapping)):
        return _shape_fault(value, place, _KEYS)
    return _value_fault(key, value, place)


def _value_fault(key: str, value: object, place: str) -> str | None:
    if key in ("kind", "regex", "field") and not isinstance(value, str):
        return f"`{place}` must be a string"
    if key == "pattern" and not (
        isinstance(value, str) or (isinstance(value, Mapping) and "context" in value)
    ):
        return f"`{place}` must be a string, or a mapping with `context`"
    if key == "stopBy" and value not in ("neighbor", "end"):
        return f"`{place}` must be `neighbor`, `end` or a rule"
    return None


def _list_fault(value: object, place: str) -> str | None:
    if not isinstance(value, list | tuple) or not value:
        return f"`{place}` must be a list of rules"
    faults = (_shape_fault(rule, f"{place}[{number}]", _KEYS) for number, rule in enumerate(value))
    return next((fault for fault in faults if fault), None)


def _cause(error: Exception) -> str:
    """The innermost cause that ast-grep names, without its backtrace."""
    said = str(error).split("Stack backtrace")[0]
    return one_line(re.split(r"^ *\d+: ", said, flags=re.MULTILINE)[-1])
