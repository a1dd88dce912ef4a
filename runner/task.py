"""A task and its benchmark, as values. `runner.task_folder` reads them from disk."""

from __future__ import annotations

import datetime
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Literal

from runner.plan import Canary

TaskKind = Literal["refactor", "evolve", "fix"]
Demand = Literal["keep", "gain"]
Publication = Literal["published", "private"]
VerdictName = Literal["errored", "rejected", "tampered", "exhausted", "broken", "incomplete", "resolved"]


@dataclass(frozen=True, slots=True)
class RegistrySource:
    """An archive of a package registry, by version and SHA-256 of the archive. `kind` names the client."""

    kind: Literal["pypi", "npm", "crate", "go", "maven", "debian"]
    package: str
    version: str
    sha256: str


@dataclass(frozen=True, slots=True)
class GitSource:
    """A commit (full hash) of a git URL."""

    url: str
    commit: str


@dataclass(frozen=True, slots=True)
class TreeSource:
    """A folder of the task itself: only for trees that we wrote."""

    path: Path


Source = RegistrySource | GitSource | TreeSource


@dataclass(frozen=True, slots=True)
class PatchChange:
    """A unified diff in the task folder: only for trees that we wrote."""

    path: Path


@dataclass(frozen=True, slots=True)
class DeltaChange:
    """A delta in the task folder (`runner.delta`)."""

    path: Path


@dataclass(frozen=True, slots=True)
class ReleaseChange:
    """A later release of the same package: the whole tree is replaced."""

    source: Source


Change = PatchChange | DeltaChange | ReleaseChange


@dataclass(frozen=True, slots=True)
class ImageSpec:
    """How the task's image is made. `import_roots` are tree folders; `requirements` a file of hashed pins.

    `options` are the keys that the task's toolchain alone reads (`Toolchain.image_keys`).
    """

    import_roots: tuple[str, ...] = (".",)
    requirements: Path | None = None
    options: Mapping[str, tuple[str, ...]] = field(default_factory=dict)

    def option(self, key: str) -> tuple[str, ...]:
        """The texts under a key, none if it is not there."""
        return self.options.get(key, ())


@dataclass(frozen=True, slots=True)
class Limits:
    """What one pass may use. CPU seconds decide; the wall clock is a wide backstop."""

    cpu_seconds: int = 60
    wall_seconds: int = 600
    memory_mb: int = 512
    disk_mb: int = 128
    processes: int = 64
    output_mb: int = 8


@dataclass(frozen=True, slots=True)
class Unit:
    """A suite file that builds and runs on its own, and the ids of its tests."""

    file: str
    demand: Demand
    tests: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class SuiteTest:
    """One hidden test: its id (`tests/test_x.py::test_y`), what it demands, what it proves."""

    id: str
    unit: str
    demand: Demand
    proves: str


@dataclass(frozen=True, slots=True)
class Suite:
    """The hidden tests. `files` are laid over the tree by relative path (suite.toml is not among them)."""

    units: tuple[Unit, ...]
    tests: Mapping[str, SuiteTest]
    files: Mapping[str, bytes]
    publication: Publication

    @property
    def folders(self) -> tuple[str, ...]:
        """The suite's own folders in the tree, none inside another: exclusive, and root's while tests run."""
        holders = {path.rpartition("/")[0] for path in self.files}
        return tuple(sorted(f for f in holders if not any(f.startswith(other + "/") for other in holders)))


@dataclass(frozen=True, slots=True)
class StructureRule:
    """One demand on the shape of the patched tree; `rule` is an ast-grep rule, None asks about the file itself."""

    id: str
    because: str
    files: tuple[str, ...]
    rule: Mapping[str, Any] | None
    may_live_in: tuple[str, ...] = ()
    """Only for `gone`: globs where the old code may honestly live now."""
    test: str = ""
    """Only for `present`: the gain test that goes with it."""


@dataclass(frozen=True, slots=True)
class Structure:
    """What must be gone and what must be there."""

    gone: tuple[StructureRule, ...] = ()
    present: tuple[StructureRule, ...] = ()


@dataclass(frozen=True, slots=True)
class Control:
    """A change whose verdict is known: `name` is the file's stem, `expected` its first word."""

    name: str
    expected: VerdictName
    change: Change


@dataclass(frozen=True, slots=True)
class Review:
    """Who signed a test off, or what they found."""

    test: str
    reviewer: str
    reviewer_kind: Literal["person", "team", "model", "author"]
    at: datetime.date
    verdict: Literal["fair", "narrow", "wide", "wrong"]
    why: str


@dataclass(frozen=True, slots=True)
class Measured:
    """`measured.json`: what `assay tasks lock` proved. Durations in seconds."""

    suite_digest: str
    base_tree: str
    gold_tree: str
    repeats: int
    base: Mapping[str, str]
    """Test id to outcome on the base: passed, failed or missing; the same in every repeat."""
    gold: Mapping[str, str]
    canaries: Mapping[str, tuple[Canary, ...]]
    """Test id to its proven twins."""
    uncarried: Mapping[str, str]
    """Test id to the reason why it can carry no canary."""
    durations: Mapping[str, float]
    schema: str = "assay.measured/1"


@dataclass(frozen=True, slots=True)
class Task:
    """One repository at a base state with all that judges a change of it."""

    id: str
    title: str
    kind: TaskKind
    language: str
    created_at: datetime.date
    licence: str
    folder: Path
    statement: str
    source: Source
    gold: Change
    image: ImageSpec
    limits: Limits
    upstream_tests: tuple[str, ...]
    allowed: tuple[str, ...]
    """Globs of otherwise protected build files that a patch may touch: taken, and flagged."""
    suite: Suite
    structure: Structure
    controls: tuple[Control, ...]
    reviews: tuple[Review, ...]
    measured: Measured | None
    digest: str
    """SHA-256 over what decides a verdict.

    Statement, source, gold, suite, structure, protection, limits, measured ids and canaries.
    """
    framework: str = "pytest"
    """The test framework that the suite is written for."""
    home: Path = Path()
    """The folder that holds suite/ and measured.json: the task folder, or a private one."""


@dataclass(frozen=True, slots=True)
class Protocol:
    """The fixed retry and effort budget of a benchmark."""

    attempts: int = 1
    runs_per_owner: int = 1
    infra_retries: int = 2
    reveal: Literal["after_close", "at_once"] = "after_close"
    wall_clock_minutes: int | None = None


@dataclass(frozen=True, slots=True)
class Benchmark:
    """A folder of tasks under one protocol. `digest` covers the protocol and every task's digest."""

    name: str
    version: str
    folder: Path
    protocol: Protocol
    canary_share: float
    """Smallest share of a suite's tests that must carry a canary (0 to 1)."""
    tasks: tuple[Task, ...]
    digest: str

    def task(self, task_id: str) -> Task:
        """The task of that id. Raises KeyError."""
        for task in self.tasks:
            if task.id == task_id:
                return task
        raise KeyError(task_id)
