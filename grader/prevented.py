"""What the mechanisms kept from taking effect: it decides nothing, and says who was in whose way."""

from __future__ import annotations

import re
from collections.abc import Iterator

from grader.passes import PassView
from grader.sentences import counted, one_line
from runner.evidence import Evidence, EvidenceStore
from runner.globs import matches_any
from runner.mechanisms import Mechanisms
from runner.sandbox.placement import closed_folders
from runner.task import Task
from runner.toolchains import REPORTS, TREE, TRUSTED, Toolchain

MOST_A_MECHANISM = 5
_REFUSED = re.compile(rb"(?:Permission denied|Operation not permitted)[^\n]{0,20}'(/sandbox/[^'\n]{1,300})'")


def prevented(
    task: Task,
    evidence: Evidence,
    views: tuple[PassView, ...],
    store: EvidenceStore,
    toolchain: Toolchain,
    mechanisms: Mechanisms,
) -> tuple[str, ...]:
    """Lines `mechanism: what`, a few a mechanism."""
    found: dict[str, list[str]] = {}
    for mechanism, what in _all(task, evidence, views, store, toolchain):
        if getattr(mechanisms, mechanism):
            lines = found.setdefault(mechanism, [])
            if what not in lines and len(lines) < MOST_A_MECHANISM:
                lines.append(what)
    return tuple(f"{mechanism}: {what}" for mechanism, lines in found.items() for what in lines)


def _all(
    task: Task, evidence: Evidence, views: tuple[PassView, ...], store: EvidenceStore, toolchain: Toolchain
) -> Iterator[tuple[str, str]]:
    closed = closed_folders(task)
    for path in evidence.dropped:
        inside = any(path == folder or path.startswith(f"{folder}/") for folder in closed)
        if inside:
            yield "test_roots", f"{one_line(path)} was not taken"
        if not inside or matches_any(path, toolchain.protected):
            yield "protected_paths", f"{one_line(path)} was not taken"
    for path in evidence.changed:
        if path in evidence.dropped:
            continue
        if matches_any(path, toolchain.steering):
            yield "trusted_launch", f"{one_line(path)} was not read"
        if any(path.startswith(f"{folder}/") for folder in task.suite.folders):
            yield "suite_ownership", f"{one_line(path)} was removed before the suite was laid"
    for view, record in zip(views, evidence.passes, strict=False):
        for phase in record.phases:
            if phase.swept:
                left = counted(phase.swept, "process").replace("processs", "processes")
                yield "sweep", f"{left} outlived the {phase.name} phase of pass {view.number}"
            for place in _refusals(store.get(phase.output) if phase.output else b"", task):
                yield "suite_ownership", f"writing to {place} was refused"


def _refusals(output: bytes, task: Task) -> Iterator[str]:
    """Paths of ours that a command says it could not write to: its word, good for a note only."""
    ours = (TRUSTED, REPORTS, *(f"{TREE}/{folder}" for folder in task.suite.folders))
    for match in _REFUSED.finditer(output):
        place = one_line(match[1].decode("utf-8", "replace"))
        if place.startswith(ours):
            yield place
