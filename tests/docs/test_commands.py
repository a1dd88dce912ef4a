"""Every command in README and docs does what is said there."""

from __future__ import annotations

import json
import os
import re
from pathlib import Path

import pytest

from bench.check import check
from bench.predictions import read_predictions
from bench.reference import expectations
from runner.task import Benchmark
from runner.task_folder import load_benchmark
from tests.docs.conftest import DOCS, EXAMPLE_TASK, ROOT, blocks, follow, made, write

TASKS = ROOT / "docs" / "tasks.md"
SLOW = [
    path for path in DOCS if path.name != "README.md" and any(b.language == "console" for b in blocks(path))
]


@pytest.mark.engine
def test_readme_can_be_followed(tmp_path: Path) -> None:
    follow(ROOT / "README.md", tmp_path)


@pytest.mark.engine
@pytest.mark.slow
@pytest.mark.usefixtures("example_images")
@pytest.mark.parametrize("document", SLOW, ids=lambda path: path.name)
def test_docs_can_be_followed(document: Path, tmp_path: Path) -> None:
    follow(document, tmp_path)


def test_make_bench_is_assay_bench() -> None:
    assert made("make bench") == ".venv/bin/assay bench"
    assert made("make bench PREDICTIONS=preds.jsonl") == ".venv/bin/assay bench --predictions preds.jsonl"
    assert made("make bench OUT=run ARGS='--task x'") == ".venv/bin/assay bench --out run --task x"


def test_make_test_runs_the_fast_tests() -> None:
    assert re.fullmatch(r"\.venv/bin/python -m pytest .*-m 'not slow'", made("make test"))


def test_what_make_bench_is_said_to_print_is_so(benchmark: Benchmark) -> None:
    printed = dict(blocks(ROOT / "README.md")[0].commands())["make bench"]
    known = {(one.task, one.agent): one.verdict for task in benchmark.tasks for one in expectations(task)}
    assert f"{len(known)} of {len(known)} verdicts as known" in printed
    assert printed[0] == f"{len(known)} submissions to judge, into ..."
    for line in printed[1:5]:
        verdict, task, agent, *_ = line.split()
        assert known[task, agent] == verdict


def test_targets_that_are_named_are_there() -> None:
    rules = re.findall(r"^([a-z-]+):", (ROOT / "Makefile").read_text(), re.MULTILINE)
    for path in DOCS:
        named = set(re.findall(r"`make ([a-z-]+)", path.read_text()))
        assert named <= set(rules), path


def test_shell_blocks_of_predictions_name_what_make_takes() -> None:
    lines = [
        block.text.strip() for block in blocks(ROOT / "docs" / "predictions.md") if block.language == "sh"
    ]
    assert lines
    for line in lines:
        assert "assay bench --predictions" in made(line)


def test_the_shapes_of_predictions_are_read(tmp_path: Path) -> None:
    shown = [block.text for block in blocks(ROOT / "docs" / "predictions.md") if block.language == "json"]
    assert len(shown) == 3
    for number, text in enumerate(shown):
        path = tmp_path / f"{number}.json"
        path.write_text(text)
        task = re.findall(r'"([a-z-]+-[a-z-]+)"', text)[0]
        (item,) = read_predictions(path, [task], attempts=1).items
        assert (item.task, item.agent) == (task, "my-agent")


def test_readme_makes_a_predictions_file_that_is_one(tmp_path: Path, benchmark: Benchmark) -> None:
    (command,) = re.findall(
        r"^\$ (python3 -c .*) > build/preds\.jsonl$", (ROOT / "README.md").read_text(), re.MULTILINE
    )
    assert os.sep not in re.findall(r'"instance_id": "([^"]+)"', command)[0]
    assert re.findall(r'"instance_id": "([^"]+)"', command)[0] in {task.id for task in benchmark.tasks}


def test_the_example_of_a_task_is_one(tmp_path: Path) -> None:
    shown = [block for block in blocks(TASKS) if block.file.startswith("mine/")]
    for block in shown:
        write(block, tmp_path)
    folder = tmp_path / "mine" / EXAMPLE_TASK
    (folder / "gold.delta").write_text("assay-delta 1\n")
    (folder / "reviews.jsonl").write_text(_review())
    task = load_benchmark(tmp_path / "mine").task(EXAMPLE_TASK)
    assert [test.demand for test in task.suite.tests.values()] == ["keep", "keep", "gain"]
    assert len(task.reviews) == 1
    places = {Path(fault.file).name for fault in check(folder)}
    assert places == {"controls", "measured.json", "suite.toml"}, "only what the page says is missing"


def _review() -> str:
    (text,) = [block.text for block in blocks(TASKS) if block.language == "json"]
    json.loads(text)
    return text
