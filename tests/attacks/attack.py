"""An attack as data: what it does to a tree, what it may get, and which mechanisms catch it, each alone."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, fields, replace

from bench.evaluate import Judging, Submission, evaluate
from grader.result import Result
from runner.evidence import Evidence, EvidenceStore
from runner.host import Host
from runner.materials import Materials
from runner.mechanisms import Mechanisms
from runner.task import Benchmark, Task, VerdictName
from runner.tree import REGULAR, Entry, Tree

REFACTOR = "boltons-split-strutils"
"""The task that most attacks are written against."""
EVOLVE = "cachetools-7-3-to-8-0"
RAN = "attack-ran-5e1f0c"
"""What an attack prints from inside a container, and what is looked for in the evidence of both passes."""
SAY = f"print('{RAN}', flush=True)\n"
NOT_RESOLVED: tuple[VerdictName, ...] = ("tampered", "broken", "incomplete", "exhausted", "rejected")

MakeTree = Callable[[Task, Materials], Tree]


@dataclass(frozen=True, slots=True)
class Attack:
    """One attack. `catalogue` is its id in the catalogue that the tests were written after, '' for our own.

    `alone` are the mechanisms of which each alone catches it, none where nothing reads what it does even with
    all of them off; `verdicts` what it may get with everything on.
    `fast` attacks are tried by `make test`, the others by `make test-all`.
    """

    name: str
    make: MakeTree
    catalogue: str = ""
    alone: tuple[str, ...] = ()
    verdicts: tuple[VerdictName, ...] = ("tampered", "broken")
    fast: bool = False
    task: str = REFACTOR
    runs_when_on: bool = True
    """Whether its code runs, and says so, with everything on (a file that is not taken says nothing)."""

    def __str__(self) -> str:
        return self.name


@dataclass(frozen=True, slots=True)
class Arena:
    """Where attacks are tried: the shipped benchmark, an engine, and a store to look into afterwards."""

    benchmark: Benchmark
    host: Host
    store: EvidenceStore

    @property
    def materials(self) -> Materials:
        return self.host.materials

    def task(self, task: str = REFACTOR, **limits: int) -> Task:
        """A task of the benchmark, with some of its limits changed."""
        found = self.benchmark.task(task)
        return replace(found, limits=replace(found.limits, **limits)) if limits else found

    def judge(self, task: Task, after: Tree | bytes, mechanisms: Mechanisms = Mechanisms()) -> Result:
        """One submission through the whole path."""
        patch = self.materials.patch(task, after) if isinstance(after, Tree) else after
        judging = Judging(self.benchmark, mechanisms=mechanisms)
        return evaluate(Submission(task, "attack", patch), self.host, self.store, judging)

    def evidence(self, result: Result) -> Evidence:
        """What the evaluation left."""
        return self.store.load(result.evidence)

    def outputs(self, result: Result) -> list[str]:
        """What the test phase of each pass printed."""
        phases = [
            phase for one in self.evidence(result).passes for phase in one.phases if phase.name == "test"
        ]
        return [
            self.store.get(phase.output).decode("utf-8", "replace") if phase.output else ""
            for phase in phases
        ]

    def ran(self, result: Result) -> bool:
        """Whether the attack's own code ran, in every pass."""
        outputs = self.outputs(result)
        return bool(outputs) and all(RAN in output for output in outputs)


def without(*names: str) -> Mechanisms:
    """All mechanisms on but those."""
    return Mechanisms(**{field.name: field.name not in names for field in fields(Mechanisms)})


def named(result: Result) -> set[str]:
    """The mechanisms that a result names: those with a finding, and those that kept something from happening."""
    return {*result.caught_by, *(line.partition(":")[0] for line in result.prevented)}


def edited(tree: Tree, files: Mapping[str, str | bytes | Entry | None]) -> Tree:
    """The tree with files written (text, bytes or an entry) or removed (None)."""
    entries = dict(tree)
    for path, content in files.items():
        entries.pop(path, None)
        if isinstance(content, str):
            entries[path] = Entry(REGULAR, content.encode())
        elif isinstance(content, bytes):
            entries[path] = Entry(REGULAR, content)
        elif content is not None:
            entries[path] = content
    return Tree(entries)


def appended(tree: Tree, texts: Mapping[str, str]) -> Tree:
    """The tree with text added at the end of files."""
    return edited(tree, {path: f"{tree.text(path)}\n\n{text}" for path, text in texts.items()})


BROKEN_PARTS: Mapping[str, Mapping[str, str]] = {
    "shell": {
        "boltons/shellutils.py": "def quote_sh(arg):\n    return arg\n\n\ndef quote_cmd(arg):\n    return arg\n"
    },
    "ints": {"boltons/intlistutils.py": "def int_ranges(ints):\n    return iter(())\n"},
    "words": {"boltons/inflectutils.py": "def pluralize(word):\n    return word\n"},
}
"""Definitions that replace the right ones of the refactor task's gold: structure holds, behaviour does not."""


NOTHING = "none"
"""The part that leaves the gold as it is: what breaks it is then the attack's own code."""


def idle(task: Task, materials: Materials, *parts: str) -> Tree:
    """A product that does not do the work: the gold's shape, with those parts (default all) out of order."""
    tree = materials.gold(task)
    for part in parts or tuple(BROKEN_PARTS):
        if part == NOTHING:
            continue
        tree = appended(tree, BROKEN_PARTS[part])
    return tree


def with_code(code: str, *parts: str) -> MakeTree:
    """An idle product whose package runs `code` when it is imported."""

    def make(task: Task, materials: Materials) -> Tree:
        return appended(idle(task, materials, *parts), {"boltons/__init__.py": SAY + code})

    return make


def with_files(files: Mapping[str, str], *parts: str) -> MakeTree:
    """An idle product with files beside it."""

    def make(task: Task, materials: Materials) -> Tree:
        return edited(idle(task, materials, *parts), files)

    return make
