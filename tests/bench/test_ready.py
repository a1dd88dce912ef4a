"""A task whose canaries are missing, stale or too few is not judged with them."""

from __future__ import annotations

from dataclasses import replace

import pytest

from bench.ready import require_ready, too_few_canaries
from runner.errors import TaskError
from runner.task import Benchmark, Task


@pytest.fixture
def task(benchmark: Benchmark) -> Task:
    return benchmark.tasks[0]


def test_the_shipped_tasks_are_ready(benchmark: Benchmark) -> None:
    require_ready(benchmark.tasks)
    assert too_few_canaries(benchmark.tasks, benchmark.canary_share) == ()


def test_a_task_without_measurements_is_refused(task: Task) -> None:
    with pytest.raises(TaskError, match=f"not locked; run `assay tasks lock {task.id}`"):
        require_ready([replace(task, measured=None)])


def test_a_suite_that_changed_since_is_refused(task: Task) -> None:
    file = next(iter(task.suite.files))
    suite = replace(task.suite, files={**task.suite.files, file: task.suite.files[file] + b"\n"})
    with pytest.raises(TaskError, match="changed since it was locked"):
        require_ready([replace(task, suite=suite)])


def test_too_few_canaries_are_named(task: Task) -> None:
    assert task.measured is not None
    few = dict(list(task.measured.canaries.items())[:10])
    thin = replace(task, measured=replace(task.measured, canaries=few))
    require_ready([thin])
    sentences = too_few_canaries([thin], 0.9)
    assert [sentence.startswith(f"{task.id}: 10") for sentence in sentences] == [True, True]
