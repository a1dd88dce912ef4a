"""What the commands share: where the benchmark is, and finding a task in it."""

from __future__ import annotations

import difflib
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from runner.errors import UsageError

if TYPE_CHECKING:
    from runner.materials import Materials
    from runner.task import Benchmark, Task

ROOT = Path(__file__).resolve().parent.parent
NEAR_IDS = 3

TasksOption = Annotated[
    Path,
    typer.Option(
        "--tasks",
        metavar="DIR",
        help="The benchmark's folder, with benchmark.toml and one folder a task.",
        show_default="tasks/ of this checkout",
    ),
]

DEFAULT_TASKS = ROOT / "tasks"


def read_benchmark(folder: Path) -> Benchmark:
    """The benchmark in `folder`. Raises TaskError with every fault."""
    from runner.task_folder import load_benchmark

    return load_benchmark(folder)


def find_task(benchmark: Benchmark, task_id: str) -> Task:
    """The task of that id. Raises UsageError that names ids like it."""
    try:
        return benchmark.task(task_id)
    except KeyError:
        ids = [task.id for task in benchmark.tasks]
        near = difflib.get_close_matches(task_id, ids, NEAR_IDS, cutoff=0.4)
        hint = f"did you mean {' or '.join(near)}?" if near else f"there are: {', '.join(ids)}"
        raise UsageError(f"there is no task {task_id!r} in {benchmark.folder}; {hint}") from None


def materials() -> Materials:
    """Sources and trees, kept in the checkout's cache."""
    from runner.host import default_cache
    from runner.materials import Materials

    return Materials(default_cache())


def option(tasks: Path) -> str:
    """` --tasks DIR` for a command that a person is told to run next; nothing where it is the default."""
    return "" if tasks == DEFAULT_TASKS else f" --tasks {tasks}"
