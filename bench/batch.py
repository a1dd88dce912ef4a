"""Many submissions: images first, workers as soon as a task is ready, every result on disk exactly once."""

from __future__ import annotations

import queue
import threading
from collections import defaultdict
from collections.abc import Callable, Iterable, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path

from bench.evaluate import Judging, Submission, evaluate
from bench.image_order import image_order
from bench.results_file import ResultsFile
from grader.result import Result
from runner.errors import HostFailure
from runner.evidence import EvidenceStore
from runner.host import Host
from runner.task import Task

EVIDENCE_NAME = "evidence"
IMAGE_BUILDERS = 2


@dataclass(frozen=True, slots=True)
class Watcher:
    """Who is told: `begun` when a submission starts, `ended` with its result, `image_failed` with the reason."""

    begun: Callable[[Submission], None]
    ended: Callable[[Submission, Result], None]
    image_failed: Callable[[Task, str], None]


def run_batch(
    submissions: Sequence[Submission],
    host: Host,
    results: ResultsFile,
    judging: Judging,
    *,
    workers: int,
    watcher: Watcher,
) -> None:
    """Judge what has no result yet, `workers` at a time, appending each result as it comes.

    Results that are `errored` are run again. An interrupt ends it after what is running; the rest is resumed
    by calling it again. Raises the first thing that kept a result from being written.
    """
    results.drop_errored()
    waiting = [submission for submission in submissions if submission.key not in results]
    store = evidence_store(results.path.parent)
    store.remove_unfinished()
    line = _Line(waiting, host, watcher)
    room = _Room(host, store, results, judging, watcher, line)
    with ThreadPoolExecutor(workers, thread_name_prefix="worker") as threads:
        running = [threads.submit(room.work) for _ in range(min(workers, len(waiting)))]
        try:
            line.build_images()
            for one in running:
                one.result()
        finally:
            line.stop()


class _Line:
    """Submissions waiting for a worker: those of a task join when its image is there."""

    def __init__(self, waiting: Iterable[Submission], host: Host, watcher: Watcher) -> None:
        self._host, self._watcher = host, watcher
        self._by_task: dict[str, list[Submission]] = defaultdict(list)
        for submission in waiting:
            self._by_task[submission.task.id].append(submission)
        self._ready: queue.Queue[Submission | None] = queue.Queue()
        self._stopped = threading.Event()

    def build_images(self) -> None:
        """Build every image that is missing, letting its task's submissions go as it is done."""
        there = {tag.partition(":")[0] for tag, _, _ in self._host.images().list()}
        tasks = [submissions[0].task for submissions in self._by_task.values()]
        with ThreadPoolExecutor(IMAGE_BUILDERS, thread_name_prefix="image") as threads:
            list(threads.map(self._release, image_order(tasks, there)))
        self._ready.put(None)

    def next(self) -> Submission | None:
        """The next submission; None when there is none and none will come."""
        submission = self._ready.get()
        if submission is None or self._stopped.is_set():
            self._ready.put(None)
            return None
        return submission

    def stop(self) -> None:
        """Let workers end after what they are doing."""
        self._stopped.set()
        self._ready.put(None)

    def _release(self, task: Task) -> None:
        if self._stopped.is_set():
            return
        try:
            self._host.image(task)
        except HostFailure as failure:
            self._watcher.image_failed(task, str(failure))
        for submission in self._by_task[task.id]:
            self._ready.put(submission)


@dataclass(frozen=True, slots=True)
class _Room:
    host: Host
    store: EvidenceStore
    results: ResultsFile
    judging: Judging
    watcher: Watcher
    line: _Line

    def work(self) -> None:
        """One worker's life."""
        try:
            while (submission := self.line.next()) is not None:
                self.watcher.begun(submission)
                result = evaluate(submission, self.host, self.store, self.judging)
                self.results.append(result)
                self.watcher.ended(submission, result)
        except BaseException:
            self.line.stop()
            raise


def evidence_store(folder: Path) -> EvidenceStore:
    """The evidence of an out folder."""
    return EvidenceStore(folder / EVIDENCE_NAME)
