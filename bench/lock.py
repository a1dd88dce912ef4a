"""Measures a task: what every test does on base and gold, and which canaries hold. Writes `measured.json`."""

from __future__ import annotations

import dataclasses
import json
import random
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from bench.measure import MISSING, Progress, Repeated, RunPass, repeat
from bench.prove_canaries import half_plans, prove
from grader.canaries import WRITERS
from grader.canaries.twins import MOST_TWINS, propose, trimmed
from grader.syntax import SYNTAXES
from runner.errors import Fault, TaskError
from runner.plan import CanaryKind
from runner.task import Measured, SuiteTest, Task
from runner.task_folder.digest import suite_digest
from runner.tree import Tree

REPEATS = 10
"""How often base and gold run: a test that fails one time in four slips through one time in eighteen."""
LARGEST_TEXT_BYTES = 1_000_000
TEXT_SUFFIXES = (".cfg", ".json", ".md", ".rst", ".toml", ".txt", ".xml", ".yaml", ".yml")
"""Files that anybody may have read, beside the language's own sources."""
SECONDS_DIGITS = 4


@dataclass(frozen=True, slots=True)
class Trees:
    """The trees of a task: `resolved` holds those of its `resolved-*` controls by name."""

    base: Tree
    gold: Tree
    resolved: Mapping[str, Tree] = field(default_factory=dict)


def _silent(what: str, done: int, of: int) -> None:
    """Tell nobody."""


def lock(
    task: Task,
    trees: Trees,
    run: RunPass,
    *,
    seed: int,
    repeats: int = REPEATS,
    kinds: Sequence[CanaryKind] = ("value",),
    progress: Progress = _silent,
) -> Measured:
    """Measure a task: outcomes over `repeats` runs in random orders, then canaries, proven on right trees.

    Raises TaskError with all faults at once (flaky tests, demands that base or gold do not meet, each at its
    line), and whatever `run` raises.
    """
    rng = random.Random(seed)  # noqa: S311 - orders and halves; nothing secret
    tests = sorted(task.suite.tests)
    base, gold = (
        repeat(tree, tests, run, repeats=repeats, rng=rng, step=_Steps(name, progress, repeats))
        for name, tree in (("base", trees.base), ("gold", trees.gold))
    )
    faults = [*_flaky(task, base, gold), *_unmet(task, base, gold)]
    for name, tree in trees.resolved.items():
        faults += _wrong(
            task, name, repeat(tree, tests, run, repeats=1, rng=rng, step=_Steps(name, progress, 1))
        )
    if faults:
        raise TaskError(f"task {task.id} cannot be locked", faults)
    docs = public_text(task, trees.base)
    proposal = propose(task.framework, task.suite.files, tests, docs=docs, seed=seed, kinds=kinds)
    right = {"gold": trees.gold, **trees.resolved}
    step = _Steps("canaries", progress, len(right) * max(half_plans(len(proposal.canaries)), 2 * MOST_TWINS))
    proof = prove(right, tests, proposal.canaries, run, rng=rng, step=step)
    dropped = {test: f"no canary held: {reasons[0]}" for test, reasons in proof.dropped.items()}
    uncarried = {**dropped, **proposal.refused}
    return Measured(
        suite_digest=suite_digest(task.suite),
        base_tree=trees.base.digest,
        gold_tree=trees.gold.digest,
        repeats=repeats,
        base={test: base.outcome(test) for test in tests},
        gold={test: gold.outcome(test) for test in tests},
        canaries={test: trimmed(proof.proven[test]) for test in tests if test in proof.proven},
        uncarried={test: uncarried[test] for test in tests if test not in proof.proven},
        durations={test: round(gold.seconds[test], SECONDS_DIGITS) for test in tests},
    )


def write_measured(measured: Measured, path: Path) -> None:
    """Write `measured.json` (schema assay.measured/1) in one go, keys in an order that does not change."""
    document = dataclasses.asdict(measured)
    ordered = {"schema": document.pop("schema"), **document}
    scratch = path.with_name(f".{path.name}.new")
    scratch.write_text(json.dumps(ordered, indent=1, ensure_ascii=False) + "\n", encoding="utf-8")
    scratch.replace(path)


def public_text(task: Task, base: Tree) -> str:
    """What anybody may have read: the statement and every text file of the base."""
    suffixes = (*TEXT_SUFFIXES, *SYNTAXES[task.language].suffixes)
    files = [path for path in base if path.endswith(suffixes) and len(base[path].data) <= LARGEST_TEXT_BYTES]
    return "\n".join([task.statement, *(base.text(path) for path in files)])


@dataclass(slots=True)
class _Steps:
    """Counts steps and tells `progress`."""

    what: str
    progress: Progress
    of: int
    done: int = 0

    def __call__(self) -> None:
        self.done += 1
        self.progress(self.what, self.done, max(self.of, self.done))


def _flaky(task: Task, base: Repeated, gold: Repeated) -> Iterator[Fault]:
    for name, repeated in (("base", base), ("gold", gold)):
        for test, counts in repeated.flaky.items():
            yield _at(
                task, test, f"{test} is flaky on the {name}: {counts}; make it depend on nothing but the tree"
            )


def _unmet(task: Task, base: Repeated, gold: Repeated) -> Iterator[Fault]:
    for name, repeated in (("base", base), ("gold", gold)):
        for problem in repeated.problems:
            yield Fault(str(task.folder / "suite"), 0, f"on the {name}: {problem}")
    for test in task.suite.tests.values():
        for name, repeated in (("base", base), ("gold", gold)):
            outcome = repeated.outcome(test.id)
            if test.id not in repeated.flaky and (demand := _demand(test, name, outcome)):
                yield _at(task, test.id, f"{test.id} was {outcome} on the {name}; {demand}")


def _wrong(task: Task, name: str, control: Repeated) -> Iterator[Fault]:
    """What a `resolved-*` control does not do: it would drop canaries for its own failures."""
    failed = [f"{test} was {control.outcome(test)}" for test in control.outcomes]
    for problem in [*control.problems, *(each for each in failed if not each.endswith("passed"))]:
        file = task.folder / "controls" / f"{name}.delta"
        yield Fault(str(file), 0, f"{problem}; correct the control or the test, or name its verdict")


def _demand(test: SuiteTest, tree: str, outcome: str) -> str:
    """What a test ought to have done on a tree, '' if it did."""
    if tree == "gold" or test.demand == "keep":
        unmet = f"a {test.demand} test passes there: correct it, or its kind in suite.toml"
        return "" if outcome == "passed" else unmet
    if outcome in ("failed", MISSING):
        return ""
    return "a gain test fails or is missing there: correct it, or call it keep in suite.toml"


def _at(task: Task, test: str, message: str) -> Fault:
    file = test.split("::", maxsplit=1)[0]
    return Fault(str(task.folder / "suite" / file), _line(task, file, test), message)


def _line(task: Task, file: str, test: str) -> int:
    writer = WRITERS.get(task.framework)
    try:
        return writer.defined(file, task.suite.files.get(file, b"")).get(test, 0) if writer else 0
    except SyntaxError:
        return 0
