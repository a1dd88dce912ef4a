"""What tests share: the shipped benchmark, its trees, and one host with an engine for the session."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from bench.evaluate import Judging, Submission, evaluate
from grader.result import Result
from runner.evidence import EvidenceStore
from runner.host import Host, default_cache
from runner.materials import Materials
from runner.mechanisms import Mechanisms
from runner.task import Benchmark
from runner.task_folder import load_benchmark

ROOT = Path(__file__).resolve().parent.parent

Judge = Callable[..., Result]


@pytest.fixture(scope="session")
def benchmark() -> Benchmark:
    """The benchmark that this checkout ships."""
    return load_benchmark(ROOT / "tasks")


@pytest.fixture(scope="session")
def materials() -> Materials:
    """Trees of the shipped tasks, from the checkout's cache."""
    return Materials(default_cache())


@pytest.fixture(scope="session")
def host(materials: Materials) -> Iterator[Host]:
    """The engine at hand; images of tasks are built when first used."""
    with Host(materials) as host:
        yield host


@pytest.fixture
def store(tmp_path: Path) -> EvidenceStore:
    """An evidence store of this test's own."""
    return EvidenceStore(tmp_path / "evidence")


@pytest.fixture
def judge(benchmark: Benchmark, host: Host, store: EvidenceStore) -> Judge:
    """`judge(task_id, patch, mechanisms=..., canaries=True)`: one submission through the whole path."""

    def judged(
        task_id: str, patch: bytes, *, mechanisms: Mechanisms = Mechanisms(), canaries: bool = True
    ) -> Result:
        judging = Judging(benchmark, canaries=canaries, mechanisms=mechanisms)
        return evaluate(Submission(benchmark.task(task_id), "test", patch), host, store, judging)

    return judged
