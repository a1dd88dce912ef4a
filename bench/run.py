"""A whole run: what to judge, judging it, and its reports. `assay bench` is this and a progress bar."""

from __future__ import annotations

import datetime
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path

from bench.batch import Watcher, run_batch
from bench.evaluate import Judging, Submission
from bench.predictions import read_predictions, without_prediction
from bench.ready import too_few_canaries
from bench.reference import reference_submissions
from bench.reports import CanaryCoverage, Expectation, Report, RunSummary, Spent, write_reports
from bench.results_file import ResultsFile, open_results
from bench.run_file import RUN_NAME, read_run, write_run
from grader.draw_plan import coverage
from runner.errors import UsageError
from runner.host import Host
from runner.materials import Materials
from runner.task import Benchmark, Task


@dataclass(frozen=True, slots=True)
class Work:
    """What a run is asked to judge, and what is known of it beforehand."""

    benchmark: Benchmark
    tasks: tuple[Task, ...]
    submissions: tuple[Submission, ...]
    expected: tuple[Expectation, ...] = ()
    agents: tuple[str, ...] = ()
    missing: tuple[tuple[str, str], ...] = ()
    unknown: tuple[str, ...] = ()
    noted: tuple[str, ...] = ()
    options: Mapping[str, str] = field(default_factory=dict)


def reference_work(benchmark: Benchmark, tasks: Sequence[Task], materials: Materials) -> Work:
    """Gold, noop and every control of the tasks. Raises SourceUnavailable, DeltaError."""
    pairs = [pair for task in tasks for pair in reference_submissions(task, materials)]
    return Work(
        benchmark,
        tuple(tasks),
        tuple(submission for submission, _ in pairs),
        expected=tuple(expectation for _, expectation in pairs),
    )


def predictions_work(benchmark: Benchmark, tasks: Sequence[Task], path: Path) -> Work:
    """Somebody's patches for the tasks. Raises PredictionsError with every fault of the file."""
    known = [task.id for task in benchmark.tasks]
    predictions = read_predictions(path, known, attempts=benchmark.protocol.attempts)
    chosen = {task.id: task for task in tasks}
    items = [item for item in predictions.items if item.task in chosen]
    return Work(
        benchmark,
        tuple(tasks),
        tuple(Submission(chosen[item.task], item.agent, item.patch, item.attempt) for item in items),
        agents=tuple(dict.fromkeys(item.agent for item in predictions.items)),
        missing=without_prediction(list(chosen), predictions.items),
        unknown=tuple(map(str, predictions.unknown)),
        noted=tuple(map(str, predictions.noted)),
    )


def choose(
    benchmark: Benchmark, ids: Sequence[str] = (), language: str = "", kind: str = ""
) -> tuple[Task, ...]:
    """The tasks of the benchmark that all given filters let through. Raises UsageError if none does."""
    tasks = tuple(
        task
        for task in benchmark.tasks
        if (not ids or task.id in ids) and language in ("", task.language) and kind in ("", task.kind)
    )
    if not tasks:
        raise UsageError("no task is left to judge; `assay tasks list` shows ids, languages and kinds")
    return tasks


def run(
    work: Work,
    folder: Path,
    host: Callable[[], Host],
    *,
    workers: int,
    watcher: Watcher,
    canaries: bool = True,
) -> Report:
    """Judge the work into `folder` (resuming what is there) and write its reports.

    The engine is started only if something is left to judge. Raises UsageError if the folder holds a run of
    something else.
    """
    begun = time.monotonic()
    with open_results(folder) as results:
        summary = _begin(work, folder)
        image_bytes = None
        try:
            image_bytes = _judge(work, results, host, workers, watcher, canaries)
        finally:
            spent = _spent(summary.spent, time.monotonic() - begun, image_bytes, folder)
            summary = replace(summary, results=results.results, finished=_now(), spent=spent)
            write_run(summary, folder)
            report = write_reports(summary, folder)
    return report


def _judge(
    work: Work,
    results: ResultsFile,
    host: Callable[[], Host],
    workers: int,
    watcher: Watcher,
    canaries: bool,
) -> int | None:
    """Judge what is left; the bytes of the images that this took, None if nothing was left."""
    errored = {(r.task, r.agent, r.attempt) for r in results.results if r.verdict == "errored"}
    if all(s.key in results and s.key not in errored for s in work.submissions):
        return None
    with host() as room:
        judging = Judging(work.benchmark, canaries=canaries)
        run_batch(work.submissions, room, results, judging, workers=workers, watcher=watcher)
        return room.image_bytes(
            {submission.task.id: submission.task for submission in work.submissions}.values()
        )


def _spent(before: Spent, seconds: float, image_bytes: int | None, folder: Path) -> Spent:
    """With what earlier sittings over the same folder took."""
    return Spent(
        seconds=round(before.seconds + seconds, 3),
        folder_bytes=sum(path.stat().st_size for path in folder.rglob("*") if path.is_file()),
        image_bytes=before.image_bytes if image_bytes is None else image_bytes,
    )


def _coverage(task: Task) -> CanaryCoverage:
    covered = coverage(task)
    return CanaryCoverage(task.id, covered.total, covered.carried, dict(sorted(covered.uncarried.items())))


def _begin(work: Work, folder: Path) -> RunSummary:
    started, spent = _now(), Spent()
    if (folder / RUN_NAME).exists():
        before = read_run(folder)
        if before.digest != work.benchmark.digest:
            raise UsageError(
                f"{folder} holds a run over another state of the benchmark ({before.digest[:12]}, now "
                f"{work.benchmark.digest[:12]}); choose another --out"
            )
        if bool(before.expected) != bool(work.expected):
            raise UsageError(f"{folder} holds a run of another kind of agents; choose another --out")
        started, spent = before.started, before.spent
    summary = RunSummary(
        benchmark=work.benchmark.name,
        version=work.benchmark.version,
        digest=work.benchmark.digest,
        protocol=work.benchmark.protocol,
        benchmark_tasks=len(work.benchmark.tasks),
        tasks=tuple(task.id for task in work.tasks),
        results=(),
        started=started,
        finished=started,
        agents=work.agents,
        options=work.options,
        expected=work.expected,
        missing=work.missing,
        unknown=work.unknown,
        noted=work.noted,
        thin=too_few_canaries(work.tasks, work.benchmark.canary_share),
        coverage=tuple(map(_coverage, work.tasks)),
        spent=spent,
        folder=str(folder),
    )
    write_run(summary, folder)
    return summary


def _now() -> datetime.datetime:
    return datetime.datetime.now(datetime.UTC)
