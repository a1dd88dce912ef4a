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
from runner.evidence import EvidenceStore
from runner.materials import Materials
from runner.task import Benchmark, Task

EVIDENCE_EFFORT = ("evaluation wall clock", "evaluation CPU time")
"""What grading itself reads off the evidence."""


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

    Raises UsageError if a task is another one now, or if evidence is missing or was altered.
    """
    store, judging = evidence_store(folder), Judging(benchmark)
    tasks = {task.id: task for task in benchmark.tasks}
    for before in read_results(folder / RESULTS_NAME):
        task = tasks.get(before.task)
        if task is None or task.digest != before.task_digest:
            raise UsageError(
                f"task {before.task} is not what it was when {folder} was judged; "
                f"check out the benchmark of digest {before.benchmark_digest}, or run `assay bench` again"
            )
        try:
            yield Regraded(before, _again(before, task, store, materials, judging))
        except (FileNotFoundError, ValueError) as error:
            raise UsageError(
                f"the evidence of {before.task} {before.agent} in {folder} is not what was judged: {error}; "
                "restore it, or run `assay bench` into a new folder"
            ) from error


def _again(
    before: Result, task: Task, store: EvidenceStore, materials: Materials, judging: Judging
) -> Result:
    """The result of the same evidence; effort that was not read off the evidence is kept."""
    submission = Submission(task, before.agent, b"", before.attempt)
    told = tuple(effort for effort in before.effort if effort.name not in EVIDENCE_EFFORT)
    return judge(submission, store.load(before.evidence), store, materials, judging, effort=told)
