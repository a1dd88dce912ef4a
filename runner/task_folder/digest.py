"""Digests of a task and a benchmark: over what decides a verdict, and nothing else."""

from __future__ import annotations

import dataclasses
import hashlib
import json
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from runner.task import (
    Change,
    GitSource,
    ImageSpec,
    Limits,
    Measured,
    Protocol,
    RegistrySource,
    ReleaseChange,
    Source,
    Structure,
    Suite,
    Task,
    TreeSource,
)
from runner.tree import read_tree


def task_digest(task: Task) -> str:
    """SHA-256 (hex) of `task` without title, dates, controls and reviews; its own `digest` is not read."""
    return _sha256(
        {
            "id": task.id,
            "kind": task.kind,
            "language": task.language,
            "framework": task.framework,
            "statement": _bytes(task.statement.encode()),
            "source": _source(task.source),
            "gold": _change(task.gold),
            "image": _image(task.image),
            "limits": _limits(task.limits),
            "upstream_tests": task.upstream_tests,
            "allowed": task.allowed,
            "suite": suite_digest(task.suite),
            "structure": _structure(task.structure),
            "measured": _measured(task.measured),
        }
    )


def benchmark_digest(protocol: Protocol, canary_share: float, tasks: Sequence[Task]) -> str:
    """SHA-256 (hex) of a benchmark: its protocol, its smallest canary share and every task's digest."""
    digests = {task.id: task.digest for task in tasks}
    return _sha256({"protocol": dataclasses.asdict(protocol), "canary_share": canary_share, "tasks": digests})


def suite_digest(suite: Suite) -> str:
    """SHA-256 (hex) of a suite: its files, its units, and what every test demands."""
    return _sha256(
        {
            "files": {path: _bytes(data) for path, data in suite.files.items()},
            "units": [[unit.file, unit.demand, unit.tests] for unit in suite.units],
            "tests": {test.id: test.demand for test in suite.tests.values()},
        }
    )


def _source(source: Source) -> list[str]:
    match source:
        case RegistrySource():
            return [source.kind, source.package, source.version, source.sha256]
        case GitSource():
            return ["git", source.commit]
        case TreeSource():
            return ["tree", read_tree(source.path).digest]


def _change(change: Change) -> list[str]:
    if isinstance(change, ReleaseChange):
        return ["release", *_source(change.source)]
    return [change.path.suffix, _file(change.path)]


def _image(image: ImageSpec) -> list[object]:
    options = [dict(image.options)] if image.options else []
    return [image.import_roots, _file(image.requirements) if image.requirements else None, *options]


def _limits(limits: Limits) -> Mapping[str, int]:
    return dataclasses.asdict(limits)


def _structure(structure: Structure) -> Mapping[str, Any]:
    return dataclasses.asdict(structure)


def _measured(measured: Measured | None) -> Mapping[str, Any] | None:
    if measured is None:
        return None
    canaries = {
        test: [dataclasses.asdict(twin) for twin in twins] for test, twins in measured.canaries.items()
    }
    return {"base": dict(measured.base), "gold": dict(measured.gold), "canaries": canaries}


def _file(path: Path) -> str:
    return _bytes(path.read_bytes())


def _bytes(data: bytes) -> str:
    return hashlib.sha256(data).hexdigest()


def _sha256(document: object) -> str:
    return _bytes(json.dumps(document, sort_keys=True, separators=(",", ":"), ensure_ascii=True).encode())
