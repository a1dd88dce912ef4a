"""One shipped task with low limits, a way to judge a patch of it, and a look at the host afterwards."""

from __future__ import annotations

import shutil
from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import pytest

from bench.evaluate import Judging, Submission, evaluate
from grader.result import Result
from runner.evidence import Evidence, EvidenceStore
from runner.host import Host
from runner.materials import Materials
from runner.sandbox.ownership import LABEL_OWNER
from runner.task import Benchmark, Limits, Task
from runner.tree import REGULAR, Entry, Tree

TASK = "cachetools-7-3-to-8-0"
MODULE = "src/cachetools/__init__.py"
LOOK_UP = "    def __getitem__(self, key):\n        try:\n            return self.__data[key]\n"
LIMITS = Limits(cpu_seconds=30, wall_seconds=240, memory_mb=96, disk_mb=32, processes=24, output_mb=2)
SHRUNK_BYTES = 1 << 29
"""Less free disk than before by this much is a harmed host; less than that, somebody else's work."""


@dataclass(frozen=True)
class Ground:
    """What a hostile patch is made of: base and gold, and git's diff between two trees."""

    task: Task
    materials: Materials
    base: Tree
    gold: Tree

    def patch(self, after: Tree) -> bytes:
        return self.materials.patch(self.task, after)

    def with_paths(
        self, files: dict[str, Entry | bytes], gone: tuple[str, ...] = (), tree: Tree | None = None
    ) -> bytes:
        """The patch that adds `files` to the base (or `tree`) and removes `gone`."""
        kept = {path: entry for path, entry in (tree or self.base).items() if path not in gone}
        added = {p: e if isinstance(e, Entry) else Entry(REGULAR, e) for p, e in files.items()}
        return self.patch(Tree({**kept, **added}))

    def gold_that_runs(self, body: str) -> bytes:
        """The gold, with a program that the first look into a `Cache` starts: inside a test."""
        lines = "".join(f"    {line}\n" for line in body.strip().splitlines())
        text = self.gold.text(MODULE)
        assert text.count(LOOK_UP) == 1
        text = text.replace(LOOK_UP, LOOK_UP.replace("\n", "\n        _at_first()\n", 1))
        text += "\n\n_begun = []\n\n\ndef _at_first():\n    if _begun:\n        return\n"
        text += f"    _begun.append(1)\n{lines}"
        return self.with_paths({MODULE: text.encode()}, tree=self.gold)


@dataclass(frozen=True)
class Outcome:
    """A result and what it was judged from."""

    result: Result
    evidence: Evidence
    store: EvidenceStore

    @property
    def facts(self) -> dict[str, Any]:
        """The evidence in the words of the table."""
        phases = [phase for record in self.evidence.passes for phase in record.phases]
        limited = [phase for phase in phases if phase.exhausted]
        return {
            "limit": limited[0].exhausted if limited else None,
            "phase": limited[0].name if limited else None,
            "code": self.evidence.rejection.code if self.evidence.rejection else None,
            "swept": max((phase.swept for phase in phases), default=0),
            "cut": any(phase.output_truncated for phase in phases),
            "repairs": self.evidence.repairs,
            "report": next((record.report_problem for record in self.evidence.passes), ""),
            "output": b"".join(self.store.get(phase.output) for phase in phases if phase.output),
        }


JudgePatch = Callable[..., Outcome]


@pytest.fixture(scope="session")
def ground(benchmark: Benchmark, materials: Materials) -> Ground:
    task = replace(benchmark.task(TASK), limits=LIMITS)
    return Ground(task, materials, materials.base(task), materials.gold(task))


@pytest.fixture
def judged(ground: Ground, host: Host, benchmark: Benchmark, tmp_path: Path) -> Iterator[JudgePatch]:
    """`judged(patch, canaries=False, **limits)`; at the end, nothing of it may be left on the host."""
    free = shutil.disk_usage("/").free
    store = EvidenceStore(tmp_path / "evidence")

    def judge(patch: bytes, *, canaries: bool = False, **limits: int) -> Outcome:
        task = replace(ground.task, limits=replace(LIMITS, **limits))
        result = evaluate(
            Submission(task, "hostile", patch), host, store, Judging(benchmark, canaries=canaries)
        )
        return Outcome(result, store.load(result.evidence), store)

    yield judge
    host.settle()
    own = {"label": f"{LABEL_OWNER}={host.owner.id}"}
    left = [c for c in host.client().containers(all=True, filters=own) if c["State"] != "running"]
    assert not left, f"containers were left: {left}"
    assert free - shutil.disk_usage("/").free < SHRUNK_BYTES, "the disk of the host shrank"
