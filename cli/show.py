"""`assay show`: why a submission got its verdict."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from cli.output import JsonOption


def show(
    folder: Annotated[Path, typer.Argument(metavar="DIR", help="A folder that `assay bench` or `evaluate` wrote.")],
    task_id: Annotated[str, typer.Argument(metavar="TASK", help="The task's id.")],
    agent: Annotated[str, typer.Option(help="Only this agent; needed where several were judged.")] = "",
    attempt: Annotated[int, typer.Option(min=1, help="Which attempt.")] = 1,
    json_output: JsonOption = False,
) -> None:
    """Why: the failing tests with their line, rules with their sentence, the output, and how to repeat it."""
    from bench.batch import evidence_store
    from bench.results_file import RESULTS_NAME, read_results
    from cli.explain import explain
    from runner.errors import UsageError

    of_task = [result for result in read_results(folder / RESULTS_NAME) if result.task == task_id]
    found = [r for r in of_task if agent in ("", r.agent) and r.attempt == attempt]
    if not found:
        agents = ", ".join(sorted({result.agent for result in of_task})) or "nothing"
        raise UsageError(f"{folder} has no such result of {task_id!r}; it has: {agents}")
    if json_output:
        typer.echo("[" + ",\n".join(result.model_dump_json(indent=2) for result in found) + "]")
        return
    store = evidence_store(folder)
    for result in found:
        typer.echo(f"{result.task}, {result.agent}, attempt {result.attempt}")
        typer.echo(explain(result, store, folder, full=True))
        typer.echo(f"the patch: {folder / 'evidence' / result.patch[:2] / result.patch}\n")
