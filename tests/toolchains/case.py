"""A conformance case as data: the smoke task of a language with something wrong in it, and what must come of it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from pathlib import Path

from runner.task import Demand, Suite, SuiteTest, Task, Unit, VerdictName
from runner.task_folder import load_benchmark
from runner.tree import REGULAR, Entry, Tree

SMOKE = Path(__file__).resolve().parents[2] / "runner" / "toolchains" / "smoke"

REQUIRED = (
    "crash",  # a test ends the process by a signal, a panic nobody catches, an abort
    "exit",  # a test ends the process as if all were well
    "hang",  # a test that never ends
    "forged",  # a test that prints what a report line looks like, and fails
    "silent",  # a test that prints nothing and ends before its expectation
    "unloaded-gain",  # an empty patch: the gain unit does not build against the base
    "unloaded-keep",  # the product no longer has what a keep unit needs
    "broken-neighbour",  # a gain unit that cannot build takes no keep unit down
    "skipped",  # a test that is skipped
    "names",  # spaces, brackets, unicode, parameters, nesting: each its own entry
)
"""What every language has a case for."""
COMPILED = ("does-not-compile",)
"""What every compiled language has a case for besides: the patch does not compile."""


@dataclass(frozen=True, slots=True)
class Case:
    """`tree` edits the gold (or the base, if `from_base`), `suite` the suite's files; None removes a file.

    `units` replace units of the same file, or are added: file to demand and test names. `says` are parts
    of the reason; `uncaught` parts that must not be in it.
    """

    name: str
    verdict: VerdictName
    says: tuple[str, ...] = ()
    tree: Mapping[str, str | None] = field(default_factory=dict)
    suite: Mapping[str, str | None] = field(default_factory=dict)
    units: Mapping[str, tuple[Demand, tuple[str, ...]]] = field(default_factory=dict)
    from_base: bool = False
    limits: Mapping[str, int] = field(default_factory=dict)

    def __str__(self) -> str:
        return self.name

    def task(self, task: Task) -> Task:
        """The smoke task with the case's suite and limits."""
        suite = bent(task.suite, self.suite, self.units)
        return replace(
            task, suite=suite, limits=replace(task.limits, **self.limits), digest=f"{task.digest}-{self}"
        )


def smoke_task(language: str) -> Task:
    """The smoke task of a language."""
    return load_benchmark(SMOKE).task(f"smoke-{language}")


def bent(
    suite: Suite, files: Mapping[str, str | None], units: Mapping[str, tuple[Demand, tuple[str, ...]]]
) -> Suite:
    """The suite with other files and units."""
    laid = {path: data for path, data in suite.files.items() if files.get(path, "") is not None}
    laid |= {path: text.encode() for path, text in files.items() if text is not None}
    kept = {unit.file: unit for unit in suite.units if unit.file in laid}
    for file, (demand, names) in units.items():
        kept[file] = Unit(file, demand, tuple(f"{file}::{name}" for name in names))
    tests = {
        test: SuiteTest(test, unit.file, unit.demand, f"what {test} proves")
        for unit in kept.values()
        for test in unit.tests
    }
    return Suite(tuple(kept.values()), tests, laid, suite.publication)


def edited(tree: Tree, files: Mapping[str, str | None]) -> Tree:
    """The tree with files written or removed."""
    entries = {path: entry for path, entry in tree.items() if path not in files}
    entries |= {path: Entry(REGULAR, text.encode()) for path, text in files.items() if text is not None}
    return Tree(entries)
