"""Every fault of a task folder at once, with file and line. Nothing of the task is executed."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterator
from pathlib import Path

from bench.check_changes import change_faults
from bench.check_suite import suite_faults
from bench.task_parts import TaskParts, read_parts
from grader.draw_plan import coverage_problems
from grader.structure import rule_fault
from runner.errors import Fault, TaskError
from runner.task import Measured, StructureRule, Suite, Task
from runner.task_folder import load_task
from runner.task_folder.digest import suite_digest
from runner.tree import Tree

CANARY_SHARE = 0.9
"""The share that `benchmark.toml` asks for when it says nothing."""
MODELS = re.compile(r"claude|gpt|gemini|llama|mistral|qwen|deepseek|copilot|\b(llm|model|bot|assay)\b", re.I)
"""Reviewers that are no person."""
AGAIN = "run `assay tasks lock`"


def check(
    folder: Path,
    *,
    suites: Path | None = None,
    canary_share: float = CANARY_SHARE,
    base: Tree | None = None,
    gold: Tree | None = None,
) -> list[Fault]:
    """Every fault of the task in `folder`, by file and line; empty if there is none.

    `suites` is the folder of private suites, `canary_share` the benchmark's smallest share of tests with a
    canary (0 to 1). Without `base` and `gold` (the task's trees) what needs them is left out: whether deltas
    fit and are our own, names that the statement leaves out, measurements of other trees.
    """
    parts = read_parts(folder, suites)
    faults: list[Fault] = []
    task = None
    try:
        task = load_task(folder, suites)
    except TaskError as error:
        faults += error.faults
    later = gold if parts.table and parts.table.gold.release else None
    faults += suite_faults(parts, canary_share, base, gold)
    faults += _structure_faults(parts)
    faults += change_faults(parts, base, later)
    faults += _review_faults(parts)
    faults += _measured_faults(parts, task, canary_share, base, gold)
    return sorted(set(faults), key=lambda fault: (fault.file, fault.line, fault.message))


def _structure_faults(parts: TaskParts) -> Iterator[Fault]:
    file = str(parts.folder / "structure.yml")
    for section, rules in (("gone", parts.structure.gone), ("present", parts.structure.present)):
        for number, rule in enumerate(rules):
            if not _is_said(rule.because, parts.statement):
                message = (
                    f"`because` of {rule.id} is not in statement.md; quote its sentence as it stands there"
                )
                yield Fault(file, parts.structure_line((section, number, "because")), message)
            fault = _rule_fault(rule, parts.language)
            if fault:
                message = f"the rule of {rule.id} cannot be used: {fault}"
                yield Fault(file, parts.structure_line((section, number, "rule")), message)
    if parts.kind == "refactor" and not parts.structure.gone:
        yield Fault(file, 0, "a refactor has at least one rule under `gone`; say what had to go")


def _rule_fault(rule: StructureRule, language: str) -> str | None:
    return None if rule.rule is None else rule_fault(rule.rule, language)


def _is_said(sentence: str, statement: str) -> bool:
    return _folded(sentence) in _folded(statement)


def _folded(text: str) -> str:
    return " ".join(text.split())


def _review_faults(parts: TaskParts) -> Iterator[Fault]:
    """A person's name on what no person signed. (Unknown tests are told when the folder is read.)"""
    kinds: dict[str, set[str]] = defaultdict(set)
    for review in parts.reviews:
        kinds[review.reviewer].add(review.reviewer_kind)
    for number, review in enumerate(parts.reviews, 1):
        impostor = MODELS.search(review.reviewer) or kinds[review.reviewer] & {"model"}
        if review.reviewer_kind == "person" and impostor:
            message = f"`{review.reviewer}` is no person; sign as `model`, `team` or `author`"
            yield Fault(str(parts.folder / "reviews.jsonl"), number, message)


def _measured_faults(
    parts: TaskParts, task: Task | None, canary_share: float, base: Tree | None, gold: Tree | None
) -> Iterator[Fault]:
    file = str(parts.home / "measured.json")
    measured = parts.measured
    if measured is None:
        if not (parts.home / "measured.json").exists():
            yield Fault(file, 0, f"is missing; {AGAIN}")
        return
    stale = list(_stale(measured, parts.suite, base, gold))
    if stale:
        yield Fault(file, 0, f"was measured on another {' and another '.join(stale)}; {AGAIN} again")
    elif task is not None:
        yield from (Fault(file, 0, problem) for problem in coverage_problems(task, canary_share))


def _stale(measured: Measured, suite: Suite | None, base: Tree | None, gold: Tree | None) -> Iterator[str]:
    if suite is not None and measured.suite_digest != suite_digest(suite):
        yield "suite"
    if base is not None and measured.base_tree != base.digest:
        yield "base"
    if gold is not None and measured.gold_tree != gold.digest:
        yield "gold"
