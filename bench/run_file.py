"""`run.json`: what a run was asked to do; with the results beside it, reports can be written again."""

from __future__ import annotations

import dataclasses
import json
from pathlib import Path

from pydantic import TypeAdapter, ValidationError

from bench.reports.summary import RunSummary
from bench.reports.visible import visible
from bench.results_file import RESULTS_NAME, read_results
from bench.write_file import replace_file
from runner.errors import Fault, ResultsError, UsageError

RUN_NAME = "run.json"
SCHEMA = "assay.run/1"

_SUMMARY = TypeAdapter(RunSummary)


def write_run(summary: RunSummary, folder: Path) -> None:
    """Write all of `summary` but its results into `folder`, in one step. Raises HostFailure if it cannot."""
    plain = dataclasses.replace(
        summary,
        results=(),
        options={visible(name): visible(value) for name, value in summary.options.items()},
        unknown=tuple(map(visible, summary.unknown)),
        noted=tuple(map(visible, summary.noted)),
        folder=visible(summary.folder),
    )
    fields = {"schema": SCHEMA, **_SUMMARY.dump_python(plain, mode="json", exclude={"results"})}
    replace_file(folder / RUN_NAME, (json.dumps(fields, indent=2) + "\n").encode("utf-8"))


def read_run(folder: Path) -> RunSummary:
    """The run in `folder` with the results it has so far; a finished report needs nothing else.

    Raises UsageError if there is no run, ResultsError if `run.json` or a line of the results is damaged.
    """
    path = folder / RUN_NAME
    try:
        text = path.read_text(encoding="utf-8")
    except OSError as error:
        raise UsageError(f"{path}: {error.strerror}; name a folder that `assay bench` wrote") from error
    results = read_results(folder / RESULTS_NAME)
    try:
        fields = json.loads(text)
        if not isinstance(fields, dict) or fields.pop("schema", None) != SCHEMA:
            raise ResultsError(
                f"{path} cannot be read:", [Fault(str(path), 0, f"its schema is not {SCHEMA}")]
            )
        return _SUMMARY.validate_python({**fields, "results": results})
    except ValueError as error:
        raise ResultsError(
            f"{path} is damaged; run again into a new folder:", [_fault(path, error)]
        ) from error


def _fault(path: Path, error: ValueError) -> Fault:
    match error:
        case json.JSONDecodeError():
            return Fault(str(path), error.lineno, f"not JSON: {error.msg}")
        case ValidationError():
            first = error.errors(include_url=False, include_input=False)[0]
            return Fault(str(path), 0, f"{'.'.join(map(str, first['loc']))}: {first['msg']}")
        case _:
            return Fault(str(path), 0, str(error))
