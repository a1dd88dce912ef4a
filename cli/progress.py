"""Progress on stderr: images as they are built, submissions as they are judged."""

from __future__ import annotations

from collections.abc import Callable
from types import TracebackType

from rich.console import Console
from rich.progress import (
    BarColumn,
    MofNCompleteColumn,
    Progress,
    SpinnerColumn,
    TaskID,
    TextColumn,
    TimeElapsedColumn,
)
from rich.text import Text

from bench.batch import Watcher
from bench.evaluate import Submission
from bench.reports.visible import visible
from grader.result import Result
from grader.sentences import one_line
from runner.image_build import BUILT
from runner.task import Task, VerdictName

STYLES: dict[VerdictName, str] = {
    "resolved": "green",
    "incomplete": "yellow",
    "broken": "red",
    "rejected": "magenta",
    "tampered": "bold red",
    "exhausted": "dark_orange",
    "errored": "bold magenta",
}
REASON_WIDTH = 110


class Board:
    """A bar a kind of work, a line above it for each thing done; no bars where stderr is no terminal."""

    def __init__(self, expected: dict[tuple[str, str], VerdictName] | None = None) -> None:
        self.console = Console(stderr=True, highlight=False)
        self._expected = expected or {}
        self._progress = Progress(
            SpinnerColumn(),
            TextColumn("{task.description}"),
            BarColumn(),
            MofNCompleteColumn(),
            TimeElapsedColumn(),
            console=self.console,
            transient=True,
        )
        self._images: dict[str, TaskID] = {}
        self._judging: TaskID | None = None

    def expect(self, submissions: int) -> None:
        """So many submissions are to be judged."""
        self._judging = self._progress.add_task("judging", total=submissions)

    def building(self, name: str, doing: str) -> None:
        """An image's build has come to a step."""
        if name not in self._images:
            self._images[name] = self._progress.add_task(f"image {name}", total=None)
        bar, goes_on = self._images[name], doing != BUILT
        self._progress.update(bar, description=f"image {name}: {doing}", visible=goes_on)
        if not self.console.is_terminal:
            self.console.print(f"image {name}: {doing}", markup=False, soft_wrap=True)

    def steps(self, name: str) -> Callable[[str, int, int], None]:
        """A bar for work that tells what it does, how much of it is done, and of how much."""
        bar = self._progress.add_task(name, total=None)

        def step(what: str, done: int, of: int) -> None:
            self._progress.update(bar, description=f"{name}: {what}", completed=done, total=of)

        return step

    @property
    def watcher(self) -> Watcher:
        """What `run_batch` tells."""
        return Watcher(begun=self._begun, ended=self._ended, image_failed=self._image_failed)

    def _begun(self, submission: Submission) -> None:
        """Nothing: the bar counts what has ended."""

    def _ended(self, submission: Submission, result: Result) -> None:
        if self._judging is not None:
            self._progress.advance(self._judging)
        known = self._expected.get((result.task, result.agent))
        line = Text.assemble(
            (f"{result.verdict:<10}", STYLES[result.verdict]),
            f" {result.task} ",
            (visible(result.agent), "bold"),
            f"  {one_line(visible(result.reason), REASON_WIDTH)}",
        )
        if known is not None and known != result.verdict:
            line.append(f"  known: {known}", style="bold red")
        self.console.print(line, soft_wrap=True)

    def _image_failed(self, task: Task, reason: str) -> None:
        if (bar := self._images.get(f"task-{task.id}")) is not None:
            self._progress.update(bar, visible=False)
        self.console.print(Text(f"image of {task.id}: {reason}", style="bold red"), soft_wrap=True)

    def __enter__(self) -> Board:
        if self.console.is_terminal:
            self._progress.start()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        if self.console.is_terminal:
            self._progress.stop()
