"""`assay regrade`: the verdicts of frozen evidence, again, without an engine."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from cli.benchmark import DEFAULT_TASKS, TasksOption, materials, read_benchmark
from cli.output import JsonOption


def regrade(
    folder: Annotated[
        Path, typer.Argument(metavar="DIR", help="What `assay bench` or `assay evaluate` wrote.")
    ],
    tasks: TasksOption = DEFAULT_TASKS,
    json_output: JsonOption = False,
) -> None:
    """Grade a run's evidence again, without an engine.

    The results are written anew; the reports follow with `assay report`.

    Exit code 0: nothing but the time of grading changed; 1: some result is another one now.
    """
    import json

    from bench.regrade import regrade as again
    from bench.results_file import RESULTS_NAME, open_results, read_results, write_results
    from grader.sentences import counted

    read_results(folder / RESULTS_NAME)  # says so where there is none, before a folder is made
    with open_results(folder) as results:
        graded = list(again(folder, read_benchmark(tasks), materials()))
        write_results(results.path, [one.after for one in graded])
    changed = [one for one in graded if not one.same]
    if json_output:
        rows = [
            {
                "task": c.after.task,
                "agent": c.after.agent,
                "before": c.before.verdict,
                "after": c.after.verdict,
            }
            for c in changed
        ]
        typer.echo(json.dumps({"graded": len(graded), "changed": rows}, indent=2))
    else:
        for one in changed:
            typer.echo(f"{one.after.task} {one.after.agent}: {one.before.verdict} -> {one.after.verdict}")
        typer.echo(f"{counted(len(graded), 'result')} graded again, {len(changed)} changed")
    raise typer.Exit(1 if changed else 0)
