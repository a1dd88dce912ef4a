"""A small task, its honest evidence, and a way to bend both."""

from __future__ import annotations

import datetime
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

import pytest
from pydantic import TypeAdapter

from grader.grade import grade
from grader.result import Effort, Result
from runner.evidence import (
    Environment,
    Evidence,
    EvidenceStore,
    PassRecord,
    PhaseRecord,
    Rejection,
    TreeFile,
)
from runner.mechanisms import Mechanisms
from runner.plan import Canary, Pass, Plan
from runner.task import (
    DeltaChange,
    ImageSpec,
    Limits,
    Structure,
    StructureRule,
    Suite,
    SuiteTest,
    Task,
    TreeSource,
    Unit,
)
from runner.toolchains import Report, Reported
from runner.tree import REGULAR, Entry, Tree

KEEP, GAIN = "tests/test_keep.py", "tests/test_gain.py"
K1, K2, K3 = f"{KEEP}::test_one", f"{KEEP}::test_two", f"{KEEP}::test_three"
G1, G2 = f"{GAIN}::test_one", f"{GAIN}::test_two"
CARRIED = ((K1, G1), (K2, G2))
"""The canaries of pass 1 and of pass 2; K3 carries none and is real in both."""
NOON = datetime.datetime(2026, 12, 1, 12, 0, tzinfo=datetime.UTC)
_REPORT = TypeAdapter(Report)

OLD = '''\
"""Old home."""


def chunked(source, size, fill=None):
    """Pieces of `source`, `size` long each."""
    if size < 1:
        raise ValueError("size must be positive")
    pieces = []
    piece = []
    for item in source:
        piece.append(item)
        if len(piece) == size:
            pieces.append(tuple(piece))
            piece = []
    if piece:
        piece.extend([fill] * (size - len(piece)))
        pieces.append(tuple(piece))
    return pieces


def first(source):
    return next(iter(source))
'''
CHUNKED = OLD[OLD.index("def chunked") : OLD.index("def first")].rstrip() + "\n"
WITHOUT = OLD.replace(CHUNKED + "\n\n", "")
ANEW = '''\
"""New home, written anew."""

from itertools import islice


def chunked(source, size, fill=None):
    """Pieces of `source`, `size` long each."""
    if size < 1:
        raise ValueError("size must be positive")
    stream = iter(source)
    taken = iter(lambda: list(islice(stream, size)), [])
    return [tuple(each + [fill] * (size - len(each))) for each in taken]
'''

STRUCTURE = Structure(
    gone=(
        StructureRule(
            "no-chunked-in-old",
            "`old.py` no longer defines `chunked`.",
            ("pkg/old.py",),
            {"kind": "function_definition", "has": {"field": "name", "regex": "^chunked$"}},
            may_live_in=("pkg/new.py",),
        ),
    ),
    present=(
        StructureRule(
            "chunked-in-new",
            "`new.py` defines `chunked`.",
            ("pkg/new.py",),
            {"kind": "function_definition", "has": {"field": "name", "regex": "^chunked$"}},
            test=G1,
        ),
    ),
)


def tree(**files: str | bytes) -> Tree:
    """A tree from `pkg__old_py="text"`: two underscores are a slash, the last single one a dot."""
    return Tree({_path(name): _entry(data) for name, data in files.items()})


def _path(name: str) -> str:
    stem, _, suffix = name.replace("__", "/").rpartition("_")
    return f"{stem}.{suffix}"


def _entry(data: str | bytes) -> Entry:
    return Entry(REGULAR, data if isinstance(data, bytes) else data.encode())


BASE = tree(pkg__old_py=OLD, README_md="A package.\n")
GOLD = tree(pkg__old_py=WITHOUT, pkg__new_py=f'"""New home."""\n\n\n{CHUNKED}', README_md="A package.\n")


def phase(name: str = "test", **bent: Any) -> PhaseRecord:
    """A phase that went well, or did not."""
    return replace(PhaseRecord(name, 2.0, 1.0, 0, None, None, 0, None), **bent)


class FakeToolchain:
    """Only what the grader asks of one."""

    steering: tuple[str, ...] = ()
    protected: tuple[str, ...] = ()

    def parse_report(self, data: bytes) -> Report:
        return _REPORT.validate_json(data)


@dataclass
class Scene:
    """A submission: change what is to be bent, then `grade()`."""

    store: EvidenceStore
    task: Task
    base: Tree = field(default_factory=lambda: BASE)
    gold: Tree = field(default_factory=lambda: GOLD)
    patched: Tree = field(default_factory=lambda: GOLD)
    said: dict[tuple[int, str], Sequence[str]] = field(default_factory=dict)
    """(pass, id) to the outcomes listed; what is not here is as on an honest, right patch."""
    reports: dict[int, Mapping[str, Any]] = field(default_factory=dict)
    """Pass to fields of its report."""
    records: dict[int, Mapping[str, Any]] = field(default_factory=dict)
    """Pass to fields of its record."""
    evidence: dict[str, Any] = field(default_factory=dict)
    passes: int = 2
    canaries: bool = True
    mechanisms: Mechanisms = field(default_factory=Mechanisms)

    def grade(self) -> Result:
        evidence = self.frozen()
        return grade(
            self.task,
            evidence,
            self.store,
            self.base,
            self.gold,
            evidence_digest=self.store.save(evidence),
            agent="somebody",
            attempt=1,
            now=NOON,
            effort=(Effort(name="tokens", value=1200, unit="tokens", source="declared"),),
            mechanisms=self.mechanisms,
            toolchains={"python": FakeToolchain()},  # type: ignore[dict-item]  # the grader asks no more of it
        )

    def frozen(self) -> Evidence:
        plan = Plan(7, tuple(self.planned(number) for number in (1, 2)))
        made = Evidence(
            task=self.task.id,
            task_digest=self.task.digest,
            benchmark_digest="b" * 64,
            patch=self.store.put(b"patch"),
            repairs=(),
            rejection=None,
            base_tree=self.base.digest,
            patched_tree=self.patched.digest,
            changed={path: self._file(path) for path in self.base.changed(self.patched)},
            dropped=(),
            flagged=(),
            plan=plan,
            passes=tuple(
                self._record(number, plan.passes[number - 1]) for number in range(1, self.passes + 1)
            ),
            environment=Environment(
                "sha256:1", "i" * 64, "m" * 64, {"python": "3.13.5"}, "20.10", "v1", "s" * 64
            ),
            timings={"admit": 0.25},
        )
        return replace(made, **self.evidence)

    def reject(self, code: str, message: str, where: str) -> None:
        rejection = Rejection(code, message, where)
        self.evidence = {
            "rejection": rejection,
            "patched_tree": None,
            "changed": {},
            "plan": None,
            "passes": (),
        }

    def planned(self, number: int) -> Pass:
        carried = CARRIED[number - 1] if self.canaries else ()
        canaries = {test: Canary(test, "value", test.split("::")[0], 0, 1, "1", "2") for test in carried}
        return Pass(tuple(self.task.suite.tests), canaries)

    def _record(self, number: int, work: Pass) -> PassRecord:
        tests = tuple(
            Reported(test, outcome, "assert 3 == 4" if outcome == "failed" else "", 0.5)  # type: ignore[arg-type]  # literals come from the tables
            for test in (*work.order, *self._foreign(number))
            for outcome in self.said.get((number, test), ("failed" if test in work.canaries else "passed",))
        )
        report = replace(Report(tests, complete=True), **self.reports.get(number, {}))
        record = PassRecord((phase("build"), phase("test")), self.store.put(_REPORT.dump_json(report)))
        return replace(record, **self.records.get(number, {}))

    def _foreign(self, number: int) -> list[str]:
        return [test for known, test in self.said if known == number and test not in self.task.suite.tests]

    def _file(self, path: str) -> TreeFile:
        entry = self.patched.get(path)
        return TreeFile(None, None) if entry is None else TreeFile(entry.mode, self.store.put(entry.data))


def make_task(**bent: Any) -> Task:
    """The small task, or one like it."""
    tests = {
        test: SuiteTest(
            test, test.split("::")[0], "keep" if test.startswith(KEEP) else "gain", f"proves {test[-3:]}"
        )
        for test in (K1, K2, K3, G1, G2)
    }
    units = (Unit(KEEP, "keep", (K1, K2, K3)), Unit(GAIN, "gain", (G1, G2)))
    task = Task(
        id="toy-split",
        title="Split toy",
        kind="refactor",
        language="python",
        created_at=datetime.date(2026, 12, 1),
        licence="Apache-2.0",
        folder=Path("tasks/toy-split"),
        statement="Move chunked.",
        source=TreeSource(Path("tree")),
        gold=DeltaChange(Path("gold.delta")),
        image=ImageSpec(),
        limits=Limits(),
        upstream_tests=("tests",),
        allowed=(),
        suite=Suite(units, tests, {KEEP: b"", GAIN: b""}, "published"),
        structure=STRUCTURE,
        controls=(),
        reviews=(),
        measured=None,
        digest="t" * 64,
    )
    return replace(task, **bent)


@pytest.fixture
def task() -> Callable[..., Task]:
    return make_task


@pytest.fixture
def scene(tmp_path: Path) -> Scene:
    return Scene(EvidenceStore(tmp_path / "evidence"), make_task())
