"""Frozen evidence graded again, with no engine: the same bytes but for the time of grading."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from bench.batch import Watcher, evidence_store, run_batch
from bench.evaluate import Judging, Submission
from bench.regrade import regrade
from bench.results_file import RESULTS_NAME, open_results, read_results, write_results
from grader.result import Effort
from runner.errors import UsageError
from runner.host import Host
from runner.materials import Materials
from runner.task import Benchmark
from runner.tree import REGULAR, Entry, Tree

pytestmark = pytest.mark.engine

ROOT = Path(__file__).resolve().parents[2]
ASSAY = "import sys; from cli.main import main; sys.exit(main())"
TASK = "cachetools-7-3-to-8-0"
KNOWN = {"gold": "resolved", "noop": "incomplete", "syntax": "broken", "words": "rejected"}
NOBODY = Watcher(lambda *_: None, lambda *_: None, lambda *_: None)


@pytest.fixture(scope="module")
def judged_once(
    benchmark: Benchmark, materials: Materials, host: Host, tmp_path_factory: pytest.TempPathFactory
) -> Path:
    task, folder = benchmark.task(TASK), tmp_path_factory.mktemp("run")
    base = materials.base(task)
    bad = Tree({**base, "src/cachetools/__init__.py": Entry(REGULAR, b"def\n")})
    patches = {
        "gold": materials.patch(task, materials.gold(task)),
        "noop": b"",
        "syntax": materials.patch(task, bad),
        "words": b"I would rename it.\n",
    }
    submissions = [Submission(task, agent, patch) for agent, patch in patches.items()]
    with open_results(folder) as results:
        run_batch(submissions, host, results, Judging(benchmark), workers=2, watcher=NOBODY)
        assert {result.agent: result.verdict for result in results.results} == KNOWN
    return folder


@pytest.fixture
def folder(judged_once: Path, tmp_path: Path) -> Iterator[Path]:
    """A copy of the run that a test may change."""
    return shutil.copytree(judged_once, tmp_path / "run")


def documents(folder: Path) -> list[dict[str, object]]:
    """The results as they stand in the file, but for the time of grading."""
    lines = (folder / RESULTS_NAME).read_text().splitlines()
    return [{k: v for k, v in json.loads(line).items() if k != "graded_at"} for line in lines]


def test_the_command_gives_the_same_bytes_with_the_engine_stopped(folder: Path) -> None:
    before, text = documents(folder), (folder / RESULTS_NAME).read_text()
    command = [sys.executable, "-c", ASSAY, "regrade", folder]
    nowhere = {**os.environ, "DOCKER_HOST": "tcp://127.0.0.1:9"}
    done = subprocess.run(command, cwd=ROOT, env=nowhere, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    assert documents(folder) == before
    times = {str(json.loads(line)["graded_at"]) for line in text.splitlines()}
    after = (folder / RESULTS_NAME).read_text()
    for line, again in zip(text.splitlines(), after.splitlines(), strict=True):
        graded_at = json.loads(again)["graded_at"]
        assert graded_at not in times
        assert line == again.replace(graded_at, json.loads(line)["graded_at"])


def test_a_result_that_someone_improved_is_found_out(
    folder: Path, benchmark: Benchmark, materials: Materials
) -> None:
    better = [
        r.model_copy(update={"verdict": "resolved", "fix_rate": 1.0})
        for r in read_results(folder / RESULTS_NAME)
    ]
    write_results(folder / RESULTS_NAME, better)
    again = list(regrade(folder, benchmark, materials))
    assert {one.after.agent: one.after.verdict for one in again} == KNOWN
    assert {one.after.agent for one in again if one.same} == {"gold"}


def test_effort_that_an_agent_declared_is_kept(
    folder: Path, benchmark: Benchmark, materials: Materials
) -> None:
    tokens = Effort(name="tokens", value=12.0, unit="", source="declared")
    results = [
        r.model_copy(update={"effort": (tokens, *r.effort)}) for r in read_results(folder / RESULTS_NAME)
    ]
    write_results(folder / RESULTS_NAME, results)
    assert all(one.same for one in regrade(folder, benchmark, materials))


@pytest.mark.parametrize("harm", ["altered", "gone"])
def test_evidence_that_is_not_what_was_judged_is_refused(
    folder: Path, benchmark: Benchmark, materials: Materials, harm: str
) -> None:
    gold = next(r for r in read_results(folder / RESULTS_NAME) if r.agent == "gold")
    report = evidence_store(folder).load(gold.evidence).passes[0].report
    assert report
    blob = folder / "evidence" / report[:2] / report
    if harm == "gone":
        blob.unlink()
    else:
        blob.write_bytes(blob.read_bytes().replace(b'"failed"', b'"passed"'))
    with pytest.raises(UsageError, match=f"the evidence of {TASK} gold"):
        list(regrade(folder, benchmark, materials))


def test_a_task_that_is_another_one_now_is_refused(
    folder: Path, benchmark: Benchmark, materials: Materials
) -> None:
    results = [r.model_copy(update={"task_digest": "0" * 64}) for r in read_results(folder / RESULTS_NAME)]
    write_results(folder / RESULTS_NAME, results)
    with pytest.raises(UsageError, match="is not what it was"):
        list(regrade(folder, benchmark, materials))
