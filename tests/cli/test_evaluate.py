"""One person, one task: workspace, edits, verdict, reasons; and everything that can be asked wrongly."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from grader.result import Result
from runner.materials import Materials
from runner.task import Benchmark
from tests.cli.conftest import NOWHERE, TASK, Assay, diff, solve, spoil

SCHEMA = Path(__file__).parents[2] / "docs" / "schemas" / "assay.result-1.json"


@pytest.mark.engine
def test_a_solved_task_is_resolved_shown_and_graded_again_without_an_engine(
    assay: Assay, workspace: Path, benchmark: Benchmark, materials: Materials
) -> None:
    solve(workspace, benchmark, materials)
    judged = assay("evaluate", TASK, "--patch", diff(workspace), "--out", "judged")
    assert judged.code == 0, judged
    demands = [test.demand for test in benchmark.task(TASK).suite.tests.values()]
    counts = f"All {demands.count('keep')} keep and {demands.count('gain')} gain tests"
    assert judged.out.startswith(f"resolved: {counts} passed as themselves")
    assert "the patched tree is the gold's, byte for byte" in judged.out
    assert f"assay show judged {TASK}" in judged.out

    shown = assay("show", "judged", TASK, env=NOWHERE)
    assert shown.code == 0
    assert shown.out.startswith(f"{TASK}, you, attempt 1\nresolved: ")
    assert "assay evaluate" in shown.out

    results = Path(workspace.parent / "judged" / "results.jsonl")
    before = Result.model_validate_json(results.read_text())
    again = assay("regrade", "judged", env=NOWHERE)
    assert (again.code, again.out) == (0, "1 result graded again, 0 changed\n")
    after = Result.model_validate_json(results.read_text())
    assert after.graded_at > before.graded_at
    assert after.model_copy(update={"graded_at": before.graded_at}) == before


@pytest.mark.engine
def test_a_wrong_edit_is_broken_names_the_test_and_reads_as_json(assay: Assay, workspace: Path) -> None:
    spoil(workspace)
    judged = assay("evaluate", TASK, "--patch", diff(workspace), "--out", "judged", "--json")
    assert judged.code == 1, judged
    result = Result.model_validate_json(judged.out)
    assert result.verdict == "broken"
    assert "tests/test_keep_functions.py::test_lru_statistics" in result.reason
    assert "a bounded LRU cache counts hits, misses and its size" in result.reason
    assert result.fix_rate == 0
    document, schema = json.loads(judged.out), json.loads(SCHEMA.read_text())
    assert set(schema["required"]) <= set(document) <= set(schema["properties"])

    shown = assay("show", "judged", TASK, "--agent", "you", env=NOWHERE)
    assert shown.code == 0
    assert "broken (tests): keep test tests/test_keep_functions.py::test_lfu_evicts_least_used" in shown.out
    as_json = assay("show", "judged", TASK, "--json", env=NOWHERE)
    assert [Result.model_validate(one) for one in json.loads(as_json.out)] == [result]

    second = diff(workspace)
    assert "my.patch" not in second.read_text(), "the patch of a second look holds the first one"


@pytest.mark.engine
def test_an_empty_patch_is_judged_and_said(assay: Assay, workspace: Path) -> None:
    judged = assay("evaluate", TASK, "--patch", diff(workspace), "--out", "judged", "--no-canaries")
    assert judged.code == 1
    assert judged.out.startswith("incomplete: Gain test ")
    assert "the patch is empty" in judged.err


@pytest.mark.engine
def test_a_patch_that_does_not_apply_is_rejected(assay: Assay, tmp_path: Path) -> None:
    patch = "--- a/README.rst\n+++ b/README.rst\n@@ -1 +1 @@\n-what never stood there\n+x\n"
    (tmp_path / "bad.patch").write_text(patch)
    judged = assay("evaluate", TASK, "-p", "bad.patch", "-o", "judged")
    assert judged.code == 1
    assert judged.out.startswith("rejected: The patch was not admitted: ")
    assert "README.rst" in judged.out


def test_a_wrong_task_id_suggests_the_right_one(inside: Assay) -> None:
    judged = inside("evaluate", "cachetools", "--patch", "my.patch")
    assert judged.code == 2
    assert f"did you mean {TASK}?" in judged.err
    assert judged.out == ""


def test_a_missing_patch_file_is_named(inside: Assay) -> None:
    judged = inside("evaluate", TASK, "--patch", "nowhere.patch")
    assert judged.code == 2
    assert (
        "nowhere.patch cannot be read: No such file or directory; `git diff > FILE` writes one" in judged.err
    )


def test_a_missing_option_is_usage(inside: Assay) -> None:
    judged = inside("evaluate", TASK)
    assert judged.code == 2
    assert "--patch" in judged.err


def test_without_an_engine_the_way_to_one_is_said(assay: Assay, tmp_path: Path) -> None:
    (tmp_path / "my.patch").write_text("")
    judged = assay("evaluate", TASK, "--patch", "my.patch", "--out", "judged", env=NOWHERE)
    assert judged.code == 3
    assert "no container engine answers" in judged.err
    assert "make engine" in judged.err
    assert judged.out == ""


def test_a_run_of_bench_is_not_overwritten(inside: Assay, tmp_path: Path) -> None:
    (tmp_path / "run").mkdir()
    (tmp_path / "run" / "run.json").write_text("{}")
    (tmp_path / "my.patch").write_text("")
    judged = inside("evaluate", TASK, "--patch", "my.patch", "--out", "run")
    assert judged.code == 2
    assert "whose results would be lost" in judged.err


@pytest.mark.parametrize("command", [("show", "empty", TASK), ("regrade", "empty"), ("report", "empty")])
def test_a_folder_without_a_run_is_named_and_left_alone(
    inside: Assay, tmp_path: Path, command: tuple[str, ...]
) -> None:
    (tmp_path / "empty").mkdir()
    ended = inside(*command)
    assert ended.code == 2
    assert "name a folder that `assay bench` wrote" in ended.err
    assert list((tmp_path / "empty").iterdir()) == []
