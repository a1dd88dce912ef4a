"""Many submissions: predictions in every shape, folders that are resumed, in use, full, or a run of something else."""

from __future__ import annotations

import fcntl
import json
import os
import re
import signal
import subprocess
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from bench.reference import expectations
from grader.result import Result
from runner.task import Benchmark
from tests.cli.conftest import NOWHERE, TASK, Assay, command, diff, lines_with, spoil

NULL, NONE = "boltons-split-strutils", "tabulate-split-renderers"


@pytest.fixture
def records(workspace: Path) -> list[dict[str, Any]]:
    """Predictions of one agent: a wrong patch, a null patch, an id that nobody knows; none for the third task."""
    spoil(workspace)
    patch = diff(workspace).read_text()
    return [
        {"instance_id": TASK, "model_name_or_path": "m", "model_patch": patch},
        {"instance_id": NULL, "model_name_or_path": "m", "model_patch": None},
        {"instance_id": "nobody-knows-it", "model_name_or_path": "m", "model_patch": patch},
    ]


@pytest.fixture
def known(benchmark: Benchmark) -> int:
    """How many reference agents the task has."""
    return len(list(expectations(benchmark.task(TASK))))


def shapes(records: list[dict[str, Any]], folder: Path) -> list[Path]:
    """The same predictions as a list, as an object keyed by id, and a line each."""
    texts = {
        "list.json": json.dumps(records, indent=1),
        "keyed.json": json.dumps({record["instance_id"]: record for record in records}),
        "lines.jsonl": "".join(json.dumps(record) + "\n" for record in records),
    }
    for name, text in texts.items():
        (folder / name).write_text(text)
    return [folder / name for name in texts]


@pytest.mark.engine
def test_predictions_are_judged_once_whatever_their_shape(
    assay: Assay, tmp_path: Path, records: list[dict[str, Any]], benchmark: Benchmark
) -> None:
    tasks = len(benchmark.tasks)
    first, *others = shapes(records, tmp_path)
    judged = assay("bench", "--predictions", first, "--out", "run")
    assert judged.code == 0, judged
    assert judged.out.startswith(f"m: 0 of {tasks} tasks resolved, 0 % (95 % interval ")
    assert "report: run/report.html" in judged.out
    assert "2 submissions to judge, into run\n" in judged.err
    assert lines_with(judged.err, ["list.json:", "nobody-knows-it is not a task of this benchmark; left out"])
    assert lines_with(judged.err, ["empty patch: judged as a change of nothing"])
    assert lines_with(judged.err, ["broken", TASK, "m"])
    _report_counts(tmp_path / "run", tasks)
    results = (tmp_path / "run" / "results.jsonl").read_bytes()
    for path in others:
        again = assay("bench", "--predictions", path, "--out", "run", env=NOWHERE)
        assert again.code == 0, again
        assert again.out == judged.out
        assert "2 of 2 submissions are judged in run already, 0 to go" in again.err
        _report_counts(tmp_path / "run", tasks)
    assert (tmp_path / "run" / "results.jsonl").read_bytes() == results

    shown = assay("report", "run", env=NOWHERE)
    assert shown.code == 0
    assert f"| {NONE} | m | 1 | no prediction |" in shown.out
    other = assay("bench", "--task", TASK, "--out", "run", env=NOWHERE)
    assert other.code == 2
    assert "holds a run of another kind of agents; choose another --out" in other.err


def _report_counts(run: Path, tasks: int) -> None:
    report = json.loads((run / "report.json").read_text())
    agent = report["agents"][0]
    assert agent["rate"]["denominator"] == tasks
    assert agent["outcomes"] == {"incomplete": 1, "broken": 1, "no prediction": tasks - 2}


@pytest.mark.engine
@pytest.mark.slow
def test_every_shape_is_judged_alike(
    assay: Assay, tmp_path: Path, records: list[dict[str, Any]], benchmark: Benchmark
) -> None:
    outs = set()
    for path in shapes(records, tmp_path):
        judged = assay("bench", "--predictions", path, "--out", f"run-{path.stem}")
        assert judged.code == 0, judged
        outs.add(judged.out.replace(f"run-{path.stem}", "run"))
        _report_counts(tmp_path / f"run-{path.stem}", len(benchmark.tasks))
    assert len(outs) == 1


@pytest.mark.engine
@pytest.mark.slow
def test_the_reference_agents_of_a_task_get_their_known_verdicts(assay: Assay, known: int) -> None:
    judged = assay("bench", "--task", TASK, "--out", "run")
    assert judged.code == 0, judged
    assert judged.out.startswith(f"{known} of {known} verdicts as known\n")
    again = assay("bench", "--task", TASK, "--out", "run", "--json", env=NOWHERE)
    assert again.code == 0
    assert json.loads(again.out)["headline"] == f"{known} of {known} verdicts as known"
    regraded = assay("regrade", "run", env=NOWHERE)
    assert (regraded.code, regraded.out) == (0, f"{known} results graded again, 0 changed\n")


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ('[{"instance_id": 3}]', ["preds.json:1: .[0] instance_id must be a string, is a number"]),
        ('[\n{"instance_id": "a",\n', ["preds.json:", "not JSON"]),
        ("", ["preds.json"]),
        ('[{"instance_id": "a", "model_name_or_path": "m"}]', ["preds.json:1: .[0] no model_patch"]),
    ],
)
def test_corrupt_predictions_are_refused_with_their_place(
    inside: Assay, tmp_path: Path, text: str, said: list[str]
) -> None:
    (tmp_path / "preds.json").write_text(text)
    judged = inside("bench", "--predictions", "preds.json", "--out", "run")
    assert judged.code == 2
    assert lines_with(judged.err, said), judged.err
    assert not (tmp_path / "run").exists()


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (("--predictions", "nowhere.json"), "nowhere.json"),
        (("--task", "cachetool"), f"did you mean {TASK}?"),
        (("--kind", "rewrite"), "`assay tasks list` shows ids, languages and kinds"),
        (("--language", "cobol"), "`assay tasks list` shows ids, languages and kinds"),
        (("--tasks", "nowhere"), "nowhere/benchmark.toml: is missing; add it"),
    ],
)
def test_what_is_not_there_is_said(inside: Assay, arguments: tuple[str, ...], said: str) -> None:
    judged = inside("bench", *arguments, "--out", "run")
    assert judged.code == 2
    assert said in judged.err
    assert judged.out == ""


def test_without_an_engine_nothing_is_lost(assay: Assay, tmp_path: Path, known: int) -> None:
    judged = assay("bench", "--task", TASK, "--out", "run", env=NOWHERE)
    assert judged.code == 3
    assert "no container engine answers" in judged.err
    assert "make engine" in judged.err
    assert (tmp_path / "run" / "results.jsonl").read_bytes() == b""
    report = assay("report", "run", "--json", env=NOWHERE)
    assert report.code == 0
    assert json.loads(report.out)["not_run"] == known


def test_a_folder_in_use_is_left_to_the_other_run(inside: Assay, tmp_path: Path) -> None:
    (tmp_path / "run").mkdir()
    with (tmp_path / "run" / ".lock").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        lock.write(f"{os.getpid()}\n")
        lock.flush()
        judged = inside("bench", "--task", TASK, "--out", "run")
    assert judged.code == 2
    assert (
        f"run is in use by another run (process {os.getpid()}); wait for it, or choose another" in judged.err
    )


@pytest.fixture
def small_disk(tmp_path: Path) -> Iterator[Path]:
    """A folder with a disk of its own, of 64 KB."""
    folder = tmp_path / "small"
    folder.mkdir()
    mounted = subprocess.run(
        ["mount", "-t", "tmpfs", "-o", "size=64k", "assay-test", str(folder)],
        capture_output=True,
        check=False,
    )
    if mounted.returncode:
        pytest.skip("mounting takes root")
    yield folder
    subprocess.run(["umount", str(folder)], check=True)


@pytest.mark.engine
def test_a_full_disk_is_named_loses_nothing_and_is_resumed(
    assay: Assay, tmp_path: Path, records: list[dict[str, Any]], small_disk: Path
) -> None:
    (tmp_path / "preds.json").write_text(json.dumps(records[:1]))
    arguments = ("bench", "--predictions", "preds.json", "--task", TASK, "--out", small_disk)
    full = assay(*arguments)
    assert full.code == 3, full
    assert str(small_disk) in full.err
    assert re.search("is full|No space left on device", full.err)
    assert "the engine's images" not in full.err
    subprocess.run(["mount", "-o", "remount,size=16m", str(small_disk)], check=True)
    resumed = assay(*arguments)
    assert resumed.code == 0, resumed
    (line,) = (small_disk / "results.jsonl").read_text().splitlines()
    assert Result.model_validate_json(line).verdict == "broken"
    assert assay("regrade", small_disk, env=NOWHERE).code == 0


@pytest.mark.engine
@pytest.mark.slow
@pytest.mark.parametrize("how", [signal.SIGINT, signal.SIGTERM])
def test_an_interrupted_run_goes_on_where_it_was(
    assay: Assay, tmp_path: Path, known: int, how: signal.Signals
) -> None:
    arguments = ["bench", "--task", TASK, "--out", "run", "--no-canaries", "--workers", "1"]
    with subprocess.Popen(
        [command(), *arguments], cwd=tmp_path, stderr=subprocess.PIPE, stdout=subprocess.PIPE, text=True
    ) as running:
        assert running.stderr is not None
        while not re.match("resolved|incomplete", running.stderr.readline()):
            assert running.poll() is None
        running.send_signal(how)
        _, said = running.communicate()
    assert running.returncode == 130
    assert "goes on from it" in said
    before = (tmp_path / "run" / "results.jsonl").read_text().splitlines()
    assert 0 < len(before) < known
    resumed = assay(*arguments)
    assert resumed.code in (0, 1)
    after = (tmp_path / "run" / "results.jsonl").read_text().splitlines()
    assert after[: len(before)] == before
    assert len(after) == known
