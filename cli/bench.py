"""`assay bench`: the reference agents, or somebody's predictions, over the whole benchmark."""

from __future__ import annotations

import datetime
import os
import time
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from cli.benchmark import DEFAULT_TASKS, ROOT, TasksOption, find_task, materials, read_benchmark
from cli.output import JsonOption, say

if TYPE_CHECKING:
    from bench.reports import Report
    from bench.run import Work


def bench(
    predictions: Annotated[
        Path | None,
        typer.Option(
            "--predictions",
            "-p",
            metavar="FILE",
            help="Patches as SWE-bench tools write them: a JSON list, an object keyed by id, or JSONL.",
            show_default="none; the reference agents",
        ),
    ] = None,
    out: Annotated[
        Path | None,
        typer.Option(
            "--out",
            "-o",
            metavar="DIR",
            help="Folder for results and reports; resumes what is there.",
            show_default="a new one in build/bench/",
        ),
    ] = None,
    task: Annotated[
        list[str] | None, typer.Option("--task", "-t", metavar="ID", help="Only this task; may be repeated.")
    ] = None,
    language: Annotated[str, typer.Option(metavar="NAME", help="Only tasks in this language.")] = "",
    kind: Annotated[
        str, typer.Option(metavar="NAME", help="Only tasks of this kind: refactor, evolve or fix.")
    ] = "",
    workers: Annotated[
        int,
        typer.Option(
            "--workers",
            "-j",
            metavar="N",
            min=1,
            help="Submissions at once.",
            show_default="the cores of this machine",
        ),
    ] = os.cpu_count() or 1,
    canaries: Annotated[
        bool,
        typer.Option("--canaries/--no-canaries", help="One pass without canaries: faster, never ranked."),
    ] = True,
    tasks: TasksOption = DEFAULT_TASKS,
    json_output: JsonOption = False,
) -> None:
    """Judge the whole benchmark and write the reports.

    With --predictions: the patches of that file. Without: the benchmark's own agents, which are gold, noop
    and every control of every task; each verdict is compared with the known one. An interrupted run goes on
    with the same --out.

    Exit code 0: all judged, and as known where that is known; 1: a verdict is not the known one; 2: bad
    input; 3: our side failed, or something was not judged.
    """
    from bench.ready import require_ready
    from bench.reports.amounts import disk, duration
    from bench.reports.as_json import render_json
    from bench.run import choose, predictions_work, reference_work, run
    from cli.progress import Board
    from runner.host import Host

    benchmark = read_benchmark(tasks)
    for one in task or []:
        find_task(benchmark, one)
    chosen = choose(benchmark, task or [], language, kind)
    if canaries:
        require_ready(chosen)
    room = materials()
    work = (
        predictions_work(benchmark, chosen, predictions)
        if predictions
        else reference_work(benchmark, chosen, room)
    )
    begun = time.monotonic()
    folder = out or ROOT / "build" / "bench" / datetime.datetime.now().strftime("%Y-%m-%d-%H%M%S")
    with Board({(e.task, e.agent): e.verdict for e in work.expected}) as board:
        board.expect(waiting(work, folder))
        for note in (*work.unknown, *work.noted):
            board.console.print(note, style="yellow", markup=False, soft_wrap=True)
        report = run(
            work,
            folder,
            lambda: Host(room, progress=board.building),
            workers=workers,
            watcher=board.watcher,
            canaries=canaries,
        )
    say(f"took {duration(time.monotonic() - begun)}; disk: {disk(report.spent)}")
    typer.echo(render_json(report) if json_output else report_text(report, folder))
    raise typer.Exit(exit_code(report))


def waiting(work: Work, folder: Path) -> int:
    """How many submissions have no result in `folder` yet, or an `errored` one; says so, and where they go."""
    from bench.results_file import RESULTS_NAME, read_results, result_key
    from grader.sentences import counted

    results = read_results(folder / RESULTS_NAME) if (folder / RESULTS_NAME).exists() else ()
    done = {result_key(one) for one in results if one.verdict != "errored"}
    of = len(work.submissions)
    left = sum(submission.key not in done for submission in work.submissions)
    if left == of:
        say(f"{counted(of, 'submission')} to judge, into {folder}")
    else:
        say(f"{of - left} of {counted(of, 'submission')} are judged in {folder} already, {left} to go")
    return left


def exit_code(report: Report) -> int:
    """3 if something errored or was not run, 1 if a known verdict was missed, else 0."""
    if report.errored or report.not_run:
        return 3
    return 1 if report.reference is not None and report.reference.disagreements else 0


def report_text(report: Report, folder: Path) -> str:
    """The last lines of a run: the headline, the canaries of every task, and where to read on."""
    from bench.reports.amounts import carried

    lines = [report.headline]
    if report.reference is not None:
        lines += [
            f"  {row.task} {row.agent}: {row.outcome}, known {row.known}: {row.reason}"
            for row in report.reference.disagreements
        ]
    lines += [f"not ranked: {because}" for because in report.not_ranked_because]
    lines += [f"  {item.task}: {carried(item)}" for item in report.coverage]
    lines += [f"report: {folder / 'report.html'} (and report.md, report.json)"]
    return "\n".join([*lines, f"why one got its verdict: assay show {folder} TASK --agent AGENT"])
