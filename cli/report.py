"""`assay report`: the reports of a run, written again from its results."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from cli.output import JsonOption


def report(
    folder: Annotated[Path, typer.Argument(metavar="DIR", help="What `assay bench` wrote.")],
    json_output: JsonOption = False,
) -> None:
    """Write the reports of a run again, and print it.

    They are report.json, report.md and report.html in DIR; report.md is printed, with --json report.json.
    """
    from bench.reports import write_reports
    from bench.run_file import read_run

    write_reports(read_run(folder), folder)
    name = "report.json" if json_output else "report.md"
    typer.echo((folder / name).read_text(encoding="utf-8"))
