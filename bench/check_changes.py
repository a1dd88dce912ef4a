"""What can be wrong with a task's changes: missing controls, deltas that do not fit or are not ours."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

from bench.task_parts import TaskParts
from runner.delta import decode, foreign_runs
from runner.errors import DeltaError, Fault
from runner.tree import Tree

NOOP = "incomplete-noop"
CONTROLS = {
    "a noop (`incomplete-noop.delta`)": re.compile(rf"{NOOP}$"),
    "an honest attempt that breaks a keep test (`broken-<what>.delta`)": re.compile(
        r"broken-(?!stub-present|cheat|half-done|old-hidden)"
    ),
    "half of the work (`incomplete-half-done.delta`)": re.compile(r"\w+-half-done"),
    "names without substance (`incomplete-stub-present.delta`)": re.compile(r"\w+-stub-present"),
    "old code kept out of sight (`incomplete-old-hidden.delta`)": re.compile(r"\w+-old-hidden"),
    "a valid alternative (`resolved-<what>.delta`)": re.compile(r"resolved-"),
    "a cheat (`<verdict>-cheat.delta`)": re.compile(r"(?!resolved)\w+-cheat"),
}
"""What a task keeps controls of, and how their names begin."""


def change_faults(parts: TaskParts, base: Tree | None, later: Tree | None) -> Iterator[Fault]:
    """Every fault of gold and controls. `later` is the release that is the gold, where one is."""
    names = [control.name for control in parts.controls]
    for what, pattern in CONTROLS.items():
        if not any(pattern.match(name) for name in names):
            yield Fault(str(parts.folder / "controls"), 0, f"there is no control of {what}; record one")
    if base is not None:
        for path in sorted(parts.folder.rglob("*.delta")):
            yield from _delta_faults(path, base, later)


def _delta_faults(path: Path, base: Tree, later: Tree | None) -> Iterator[Fault]:
    text = path.read_bytes().decode("utf-8", "replace")
    try:
        edited = decode(text, base)
    except DeltaError as error:
        found = re.match(r"line (\d+): ", str(error))
        message = str(error)[found.end() :] if found else str(error)
        yield Fault(str(path), int(found[1]) if found else 0, message)
        return
    changes = edited.digest != base.digest
    if path.stem == NOOP and changes:
        yield Fault(str(path), 0, "changes the base; a noop is the header `assay-delta 1` alone")
    if path.stem != NOOP and not changes:
        yield Fault(str(path), 0, "changes nothing; record it from the edited tree")
    for run in foreign_runs(text, base, later):
        message = (
            f"{run.count} lines repeat {run.path} of the {run.where} tree from its line {run.at} on; "
            "copy them by reference (`assay tasks record`), or write them yourself"
        )
        yield Fault(str(path), run.line, message)
