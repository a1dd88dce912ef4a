"""`assay show`: why a submission got its verdict."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from cli.output import JsonOption

if TYPE_CHECKING:
    from collections.abc import Sequence

    from grader.result import Result


def show(
    folder: Annotated[
        Path, typer.Argument(metavar="DIR", help="What `assay bench` or `assay evaluate` wrote.")
    ],
    task_id: Annotated[str, typer.Argument(metavar="TASK", help="The task's id.")],
    agent: Annotated[
        str, typer.Option(metavar="NAME", help="Only this agent.", show_default="every agent")
    ] = "",
    attempt: Annotated[int, typer.Option(min=1, metavar="N", help="Which attempt.")] = 1,
    json_output: JsonOption = False,
) -> None:
    """Say why a submission got its verdict.

    Every finding (the tests that failed, the rules that do not hold), the last lines of a build that failed,
    and how to repeat it.
    """
    from bench.batch import evidence_store
    from bench.results_file import RESULTS_NAME, read_results
    from cli.explain import explain
    from runner.errors import UsageError

    results = read_results(folder / RESULTS_NAME)
    found = [r for r in results if r.task == task_id and agent in ("", r.agent) and r.attempt == attempt]
    if not found:
        raise UsageError(f"{folder} has no such result; it has {_what_is_there(results, task_id)}")
    if json_output:
        typer.echo("[" + ",\n".join(result.model_dump_json(indent=2) for result in found) + "]")
        return
    store = evidence_store(folder)
    for result in found:
        typer.echo(f"{result.task}, {result.agent}, attempt {result.attempt}")
        typer.echo(explain(result, store, folder, full=True) + "\n")


def _what_is_there(results: Sequence[Result], task_id: str) -> str:
    """The task's agents with their attempts; else the tasks."""
    agents = sorted({f"{r.agent} (attempt {r.attempt})" for r in results if r.task == task_id})
    if agents:
        return f"of {task_id}: {', '.join(agents)}"
    return f"the tasks {', '.join(sorted({r.task for r in results}))}" if results else "none at all yet"
