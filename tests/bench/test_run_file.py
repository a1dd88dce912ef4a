from __future__ import annotations

import dataclasses
import json
from collections.abc import Callable
from pathlib import Path

import pytest

from bench.reports import RunSummary, tally
from bench.reports.as_json import render_json
from bench.results_file import open_results
from bench.run_file import RUN_NAME, read_run, write_run
from runner.errors import ResultsError, UsageError


def stored(summary: RunSummary, folder: Path) -> Path:
    write_run(summary, folder)
    with open_results(folder) as results:
        for result in summary.results:
            results.append(result)
    return folder


def test_a_run_comes_back_with_its_results(reference_run: RunSummary, tmp_path: Path) -> None:
    again = read_run(stored(reference_run, tmp_path))
    assert again == reference_run
    assert render_json(tally(again)) == render_json(tally(reference_run))


def test_a_run_that_was_cut_short_reports_what_has_not_run(reference_run: RunSummary, tmp_path: Path) -> None:
    cut = dataclasses.replace(reference_run, results=reference_run.results[:5])
    assert tally(read_run(stored(cut, tmp_path))).not_run == 22


def test_odd_text_is_spelled_out(summary_of: Callable[..., RunSummary], tmp_path: Path) -> None:
    again = read_run(stored(summary_of((), noted=("caf\udce9",), options={"out": "\udce9"}), tmp_path))
    assert again.noted == ("caf⟨U+DCE9⟩",)
    assert again.options == {"out": "⟨U+DCE9⟩"}


@pytest.mark.parametrize(
    ("change", "fault"),
    [
        ({"schema": "assay.run/2"}, "its schema is not assay.run/1"),
        ({"tasks": 3}, "tasks: Input should be a valid tuple"),
        (
            {"expected": [{"task": "a", "agent": "b", "verdict": "fine"}]},
            "expected.0.verdict: Input should be",
        ),
    ],
)
def test_a_damaged_run_is_named(
    change: dict[str, object], fault: str, reference_run: RunSummary, tmp_path: Path
) -> None:
    path = stored(reference_run, tmp_path) / RUN_NAME
    path.write_text(json.dumps(json.loads(path.read_text()) | change))
    with pytest.raises(ResultsError) as caught:
        read_run(tmp_path)
    assert fault in str(caught.value)


def test_a_torn_run_names_its_line(reference_run: RunSummary, tmp_path: Path) -> None:
    path = stored(reference_run, tmp_path) / RUN_NAME
    path.write_text("{\n")
    with pytest.raises(ResultsError, match=r"run\.json:2: not JSON"):
        read_run(tmp_path)


def test_a_folder_without_a_run_is_named(tmp_path: Path) -> None:
    with pytest.raises(UsageError, match="name a folder that `assay bench` wrote"):
        read_run(tmp_path)
