"""What honest submissions share: every shipped task, evaluations whose seed a test fixes, busy cores."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Callable, Iterable, Iterator, Mapping
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

from bench.evaluate import Judging, Submission, judge
from grader.draw_plan import draw_plan
from grader.result import Result
from runner.evidence import EvidenceStore
from runner.execute import execute
from runner.host import Host
from runner.materials import Materials
from runner.task import Benchmark, Task
from runner.task_folder import load_benchmark
from runner.tree import Entry, Tree

ROOT = Path(__file__).resolve().parents[2]
AT_ONCE = 2
"""Evaluations side by side; each runs its two passes in the slots of the host."""
BUSY = """
import os
while os.getppid() == {parent}:
    sum(range(100_000))
"""
"""Keeps a core busy for as long as its parent lives."""

Seeded = Callable[[Task, bytes, int], Result]
SeededMany = Callable[[Iterable[tuple[Task, bytes, int]]], list[Result]]


def pytest_generate_tests(metafunc: pytest.Metafunc) -> None:
    """`task_id`: every shipped task; with `right`: each with `gold` and the valid alternatives it ships."""
    if "task_id" not in metafunc.fixturenames:
        return
    tasks = load_benchmark(ROOT / "tasks").tasks
    if "right" not in metafunc.fixturenames:
        metafunc.parametrize("task_id", [task.id for task in tasks])
        return
    metafunc.parametrize(
        ("task_id", "right"),
        [
            (task.id, name)
            for task in tasks
            for name in ("gold", *(each.name for each in task.controls if each.expected == "resolved"))
        ],
    )


@pytest.fixture
def task(benchmark: Benchmark, task_id: str) -> Task:
    """The task that the test is about."""
    return benchmark.task(task_id)


@pytest.fixture
def busy_cores() -> Iterator[None]:
    """A process a core that does nothing but compute, at our own priority, until the test is over."""
    code = BUSY.format(parent=os.getpid())
    burners = [subprocess.Popen([sys.executable, "-c", code]) for _ in range(os.cpu_count() or 1)]
    try:
        yield
        assert [burner.poll() for burner in burners] == [None] * len(burners), (
            "the load ended before the test"
        )
    finally:
        for burner in burners:
            burner.kill()
        for burner in burners:
            burner.wait()


@pytest.fixture
def seeded(benchmark: Benchmark, host: Host, store: EvidenceStore) -> Seeded:
    """`seeded(task, patch, seed)`: one evaluation under the plan of that seed, without a second try."""

    def judged(task: Task, patch: bytes, seed: int) -> Result:
        plan = draw_plan(task, seed)
        evidence = execute(task, patch, plan, host, store, benchmark_digest=benchmark.digest)
        submission = Submission(task, "honest", patch)
        return judge(submission, evidence, store, host.materials, Judging(benchmark))

    return judged


@pytest.fixture
def seeded_many(seeded: Seeded) -> SeededMany:
    """Several of them, side by side, results in the order asked for."""

    def judged(asked: Iterable[tuple[Task, bytes, int]]) -> list[Result]:
        with ThreadPoolExecutor(AT_ONCE) as threads:
            return list(threads.map(lambda one: seeded(*one), asked))

    return judged


def right_patch(task: Task, name: str, materials: Materials) -> bytes:
    """The patch of the gold, or of the control of that name."""
    if name == "gold":
        return materials.patch(task, materials.gold(task))
    control = next(each for each in task.controls if each.name == name)
    return materials.patch(task, materials.changed(task, control.change))


def with_files(tree: Tree, files: Mapping[str, bytes | None]) -> Tree:
    """The tree with these contents (None: without the file); modes stay, new files are regular."""
    entries = {path: entry for path, entry in tree.items() if files.get(path, b"") is not None}
    for path, data in files.items():
        if data is not None:
            entries[path] = Entry(tree[path].mode if path in tree else "100644", data)
    return Tree(entries)


def told(results: Iterable[Result]) -> list[str]:
    """Verdict and reason of each that is not `resolved`."""
    return [f"{result.verdict}: {result.reason}" for result in results if result.verdict != "resolved"]
