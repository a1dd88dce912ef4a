"""Whether tasks may be judged with canaries, and ranked: locked on the suite as it is, enough of it carrying one."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from grader.draw_plan import coverage_problems
from runner.errors import Fault, TaskError
from runner.task import Task
from runner.task_folder.digest import suite_digest

REMEDY = "run `assay tasks lock {}`, or judge with --no-canaries, which is never ranked"


def require_ready(tasks: Sequence[Task]) -> None:
    """Raise TaskError with every task whose canaries are missing or were made for another suite."""
    faults = [fault for task in tasks for fault in _faults(task)]
    if faults:
        raise TaskError("these tasks cannot be judged with canaries:", faults)


def too_few_canaries(tasks: Sequence[Task], canary_share: float) -> tuple[str, ...]:
    """Why results on these tasks are not ranked: a sentence for each that a forger could pass by luck."""
    return tuple(f"{task.id}: {problem}" for task in tasks for problem in coverage_problems(task, canary_share))


def _faults(task: Task) -> Iterator[Fault]:
    file, remedy = str(task.home / "measured.json"), REMEDY.format(task.id)
    if task.measured is None:
        yield Fault(file, 0, f"the task is not locked; {remedy}")
    elif task.measured.suite_digest != suite_digest(task.suite):
        yield Fault(file, 0, f"the suite was changed since it was locked; {remedy}")
