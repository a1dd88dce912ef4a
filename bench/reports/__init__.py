"""Reports of a run: `report.json` for programs, `report.md` for a log, `report.html` for a person."""

from __future__ import annotations

from pathlib import Path

from bench.reports.as_html import render_html
from bench.reports.as_json import render_json
from bench.reports.as_markdown import render_markdown
from bench.reports.summary import CanaryCoverage, Expectation, RunSummary, Spent
from bench.reports.tally import Report, tally
from bench.write_file import replace_file

__all__ = ["CanaryCoverage", "Expectation", "Report", "RunSummary", "Spent", "tally", "write_reports"]


def write_reports(summary: RunSummary, folder: Path) -> Report:
    """Write the three reports into `folder`, each in one step, and give back what they say.

    Raises HostFailure if the folder cannot be written.
    """
    report = tally(summary)
    replace_file(folder / "report.json", render_json(report).encode("utf-8"))
    replace_file(folder / "report.md", render_markdown(report).encode("utf-8", "replace"))
    replace_file(folder / "report.html", render_html(report, summary).encode("utf-8", "replace"))
    return report
