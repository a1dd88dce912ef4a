"""Whether tasks may be judged with canaries: locked on the suite as it is, with enough tests that carry one."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from grader.draw_plan import coverage_problems
from runner.errors import Fault, TaskError
from runner.task import Task
from runner.task_folder.digest import suite_digest

REMEDY = "run `assay tasks lock {}`, or judge with --no-canaries, which is never ranked"


def require_ready(tasks: Sequence[Task], canary_share: float) -> None:
    """Raise TaskError with every task that a forged pass could not be told on, and why."""
    faults = [fault for task in tasks for fault in _faults(task, canary_share)]
    if faults:
        raise TaskError("these tasks cannot be judged with canaries:", faults)


def _faults(task: Task, canary_share: float) -> Iterator[Fault]:
    file, remedy = str(task.home / "measured.json"), REMEDY.format(task.id)
    if task.measured is None:
        yield Fault(file, 0, f"the task is not locked; {remedy}")
    elif task.measured.suite_digest != suite_digest(task.suite):
        yield Fault(file, 0, f"the suite was changed since it was locked; {remedy}")
    else:
        yield from (Fault(file, 0, problem) for problem in coverage_problems(task, canary_share))
