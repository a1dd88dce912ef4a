"""Grades frozen evidence again, without an engine."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from bench.batch import evidence_store
from bench.evaluate import Judging, Submission, judge
from bench.results_file import RESULTS_NAME, read_results
from grader.result import Result
from runner.errors import UsageError
from runner.materials import Materials
from runner.task import Benchmark


@dataclass(frozen=True, slots=True)
class Regraded:
    """A result as it was and as it is now."""

    before: Result
    after: Result

    @property
    def same(self) -> bool:
        """Equal but for the time of grading."""
        return self.before == self.after.model_copy(update={"graded_at": self.before.graded_at})


def regrade(folder: Path, benchmark: Benchmark, materials: Materials) -> Iterator[Regraded]:
    """Grade every result of an out folder again, in the file's order.

    Raises UsageError if a task is another one now.
    """
    store, judging = evidence_store(folder), Judging(benchmark)
    tasks = {task.id: task for task in benchmark.tasks}
    for before in read_results(folder / RESULTS_NAME):
        task = tasks.get(before.task)
        if task is None or task.digest != before.task_digest:
            raise UsageError(
                f"task {before.task} is not what it was when {folder} was judged; check out the benchmark of digest "
                f"{before.benchmark_digest}, or run `assay bench` again"
            )
        submission = Submission(task, before.agent, b"", before.attempt)
        yield Regraded(before, judge(submission, store.load(before.evidence), store, materials, judging))
