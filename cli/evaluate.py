"""`assay evaluate`: one patch against one task."""

from __future__ import annotations

import sys
from collections.abc import Mapping
from pathlib import Path
from typing import Annotated

import typer

from cli.benchmark import DEFAULT_TASKS, ROOT, TasksOption, find_task, materials, read_benchmark
from cli.output import JsonOption, say
from runner.task import VerdictName

AGENT = "you"
EXIT_CODES: Mapping[VerdictName, int] = {"resolved": 0, "errored": 3}
A_FINDING = 1
"""The exit code of every other verdict."""


def evaluate(
    task_id: Annotated[str, typer.Argument(metavar="TASK", help="The task's id.")],
    patch: Annotated[
        Path,
        typer.Option(
            "--patch", "-p", metavar="FILE", help="The patch, as `git diff` writes it; - reads stdin."
        ),
    ],
    out: Annotated[
        Path | None,
        typer.Option(
            "--out",
            "-o",
            metavar="DIR",
            help="Folder for result and evidence; the result is replaced each time.",
            show_default="build/evaluate/TASK",
        ),
    ] = None,
    canaries: Annotated[
        bool,
        typer.Option("--canaries/--no-canaries", help="One pass without canaries: faster, never ranked."),
    ] = True,
    tasks: TasksOption = DEFAULT_TASKS,
    json_output: JsonOption = False,
) -> None:
    """Judge one patch and say why.

    Exit code 0: resolved; 1: any other verdict; 2: bad input; 3: our side failed (nothing is charged).
    """
    from bench.batch import EVIDENCE_NAME
    from bench.evaluate import Judging, Submission
    from bench.evaluate import evaluate as judge
    from bench.ready import require_ready
    from bench.results_file import open_results, write_results
    from bench.run_file import RUN_NAME
    from cli.explain import explain
    from cli.progress import Board
    from runner.errors import UsageError
    from runner.evidence import EvidenceStore
    from runner.host import Host

    benchmark = read_benchmark(tasks)
    task = find_task(benchmark, task_id)
    if canaries:
        require_ready([task])
    data = read_patch(patch)
    folder = out or ROOT / "build" / "evaluate" / task.id
    if (folder / RUN_NAME).exists():
        raise UsageError(
            f"{folder} holds a run of `assay bench`, whose results would be lost; choose another --out"
        )
    if not data.strip():
        say(
            "the patch is empty and judged as a change of nothing; new files need `git add --intent-to-add .`"
        )
    with Board() as board, open_results(folder) as results:
        store = EvidenceStore(folder / EVIDENCE_NAME)
        with Host(materials(), progress=board.building) as host:
            host.expect(task, 2)
            result = judge(Submission(task, AGENT, data), host, store, Judging(benchmark, canaries=canaries))
        write_results(results.path, [result])
    typer.echo(result.model_dump_json(indent=2) if json_output else explain(result, store, folder))
    raise typer.Exit(EXIT_CODES.get(result.verdict, A_FINDING))


def read_patch(path: Path) -> bytes:
    """The patch's bytes. Raises UsageError if it cannot be read."""
    from runner.errors import UsageError

    if str(path) == "-":
        return sys.stdin.buffer.read()
    try:
        return path.read_bytes()
    except OSError as error:
        raise UsageError(
            f"the patch {path} cannot be read: {error.strerror}; `git diff > FILE` writes one"
        ) from error
