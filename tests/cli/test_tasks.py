"""`assay tasks` and `assay images`: looking at tasks, writing one, and being told what is wrong with it."""

from __future__ import annotations

import json
import re
import shutil
from pathlib import Path

import pytest

from runner.delta import decode
from runner.materials import Materials
from runner.task import Benchmark
from runner.tree import read_tree
from tests.cli.conftest import NOWHERE, TASK, Assay, spoil

ROOT = Path(__file__).parents[2]


@pytest.fixture
def mine(tmp_path: Path) -> Path:
    """A benchmark of one task: a copy of a shipped one."""
    folder = tmp_path / "mine"
    shutil.copytree(ROOT / "tasks" / TASK, folder / TASK)
    shutil.copy(ROOT / "tasks" / "benchmark.toml", folder)
    return folder


def test_tasks_are_listed(inside: Assay, benchmark: Benchmark) -> None:
    listed = inside("tasks", "list")
    assert listed.code == 0
    for task in benchmark.tasks:
        assert re.search(rf"^ {task.id} +{task.kind} +{task.language} ", listed.out, re.MULTILINE)
    rows = json.loads(inside("tasks", "list", "--json").out)
    assert [row["id"] for row in rows] == [task.id for task in benchmark.tasks]


def test_a_task_is_shown_whole(inside: Assay, benchmark: Benchmark) -> None:
    shown = inside("tasks", "show", TASK)
    assert shown.code == 0
    task = benchmark.task(TASK)
    assert task.statement.strip() in shown.out
    assert f"{task.limits.cpu_seconds} s CPU" in shown.out
    for test in task.suite.tests.values():
        assert f" {test.id.partition('::')[2]} " in shown.out
    assert max(map(len, shown.out.splitlines())) <= 160
    document = json.loads(inside("tasks", "show", TASK, "--json").out)
    assert document["digest"] == task.digest
    assert {test["id"] for test in document["tests"]} == set(task.suite.tests)


def test_a_workspace_holds_the_base_and_no_more(
    inside: Assay, workspace: Path, benchmark: Benchmark, materials: Materials
) -> None:
    task = benchmark.task(TASK)
    held = read_tree(workspace)
    assert {path: held[path] for path in held if path != "ASSAY.md"} == dict(materials.base(task))
    guide = (workspace / "ASSAY.md").read_text()
    assert task.statement.strip() in guide
    assert f"assay evaluate {TASK} --patch my.patch" in guide
    again = inside("tasks", "workspace", TASK, workspace)
    assert again.code == 2
    assert "is there already; name a new folder, or empty it" in again.err


def test_record_gives_the_edited_tree_back(
    inside: Assay, workspace: Path, mine: Path, benchmark: Benchmark, materials: Materials
) -> None:
    spoil(workspace)
    (workspace / "src" / "cachetools" / "extra.py").write_text("SHELVES = 28\n")
    recorded = inside("tasks", "record", TASK, workspace, "--as", "broken-one-more", "--tasks", mine)
    assert recorded.code == 0, recorded
    delta = mine / TASK / "controls" / "broken-one-more.delta"
    assert recorded.out.startswith(f"{delta}: ")
    edited = {path: entry for path, entry in read_tree(workspace).items() if path != "ASSAY.md"}
    assert dict(decode(delta.read_text(), materials.base(benchmark.task(TASK)))) == edited
    checked = inside("tasks", "check", "--tasks", mine)
    assert (checked.code, checked.out, checked.err) == (0, "", "1 task folder, 0 faults\n")


@pytest.mark.parametrize(
    ("name", "said"),
    [
        ("gold", "names no delta, so there is none to record"),
        ("nonsense", "is neither gold nor a control's <verdict>-<what>"),
        ("broken-../../gold", "is neither gold nor a control's <verdict>-<what>"),
    ],
)
def test_record_refuses_names_that_mean_nothing(
    inside: Assay, workspace: Path, mine: Path, name: str, said: str
) -> None:
    before = sorted(mine.rglob("*"))
    recorded = inside("tasks", "record", TASK, workspace, "--as", name, "--tasks", mine)
    assert recorded.code == 2
    assert said in recorded.err
    assert sorted(mine.rglob("*")) == before


def test_check_tells_every_fault_with_its_place(inside: Assay, mine: Path) -> None:
    task = mine / TASK
    _replace(task / "task.toml", 'kind = "evolve"', 'kind = "rewrite"')
    _replace(task / "suite" / "suite.toml", "test_lru_statistics =", "test_lru_statistic =")
    _replace(task / "structure.yml", 'because: "', 'because: "Nobody said so. ')
    (task / "controls" / "resolved-alternative.delta").unlink()
    (task / "controls" / "noop.delta").write_text("assay-delta 1\n")
    checked = inside("tasks", "check", "--tasks", mine)
    assert checked.code == 1
    for fault in (
        rf"{task}/task\.toml:\d+: `kind`: ",
        rf"{task}/suite/suite\.toml:\d+: there is no test `tests/test_keep_functions\.py::test_lru_statistic`",
        rf"{task}/suite/tests/test_keep_functions\.py:\d+: `\S+::test_lru_statistics` is not listed in suite\.toml",
        rf"{task}/structure\.yml:\d+: `because` of \S+ is not in statement\.md",
        rf"{task}/controls: there is no control of a valid alternative",
        rf"{task}/controls/noop\.delta: is not named <verdict>-<what>\.delta",
    ):
        assert re.search(f"^{fault}", checked.out, re.MULTILINE), fault
    count = len(checked.out.splitlines())
    assert checked.err.endswith(f"1 task folder, {count} faults\n")
    as_json = json.loads(inside("tasks", "check", TASK, "--tasks", mine, "--json").out)
    assert len(as_json) == count
    assert {"file", "line", "message"} == set(as_json[0])


def _replace(path: Path, old: str, new: str) -> None:
    text = path.read_text()
    assert old in text
    path.write_text(text.replace(old, new, 1))


def test_a_new_task_is_checked_at_once(inside: Assay, mine: Path) -> None:
    written = inside("tasks", "new", "my-task", "--title", "A title", "--tasks", mine)
    assert written.code == 0
    assert f"{mine}/my-task/task.toml" in written.out.splitlines()
    assert f"assay tasks check my-task --tasks {mine}" in written.err
    checked = inside("tasks", "check", "my-task", "--tasks", mine)
    assert checked.code == 1
    assert re.search(rf"^{mine}/my-task/task\.toml:\d+: `source\.package`", checked.out, re.MULTILINE)
    twice = inside("tasks", "new", "my-task", "--tasks", mine)
    assert twice.code == 2
    assert "is there already" in twice.err


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (("new", "My_Task"), "is no task id"),
        (("new", "mine", "--kind", "rewrite"), "a task is refactor, evolve or fix"),
        (("new", "mine", "--tasks", "nowhere"), "nowhere/benchmark.toml: is missing; add it"),
        (("check", "--tasks", "nowhere"), "nowhere/benchmark.toml: is missing; add it"),
        (("check", "nobody-knows-it"), "`assay tasks new nobody-knows-it` writes one"),
        (
            ("record", TASK, "nowhere", "--as", "gold"),
            f"`assay tasks workspace {TASK} DIR` makes one to edit",
        ),
        (("record", "cachetools", "nowhere", "--as", "gold"), f"did you mean {TASK}?"),
        (("show", "cachetools"), f"did you mean {TASK}?"),
        (("lock", "cachetools"), f"did you mean {TASK}?"),
    ],
)
def test_what_is_asked_wrongly_is_said(
    inside: Assay, tmp_path: Path, arguments: tuple[str, ...], said: str
) -> None:
    ended = inside("tasks", *arguments)
    assert ended.code == 2
    assert said in ended.err
    assert list(tmp_path.iterdir()) == []


def test_an_unfinished_task_has_a_workspace_to_make_its_gold_in(
    inside: Assay, mine: Path, tmp_path: Path, benchmark: Benchmark, materials: Materials
) -> None:
    (mine / TASK / "structure.yml").unlink()
    made = inside("tasks", "workspace", TASK, "gold", "--tasks", mine)
    assert made.code == 0, made
    assert f"assay tasks record {TASK} gold --as gold --tasks {mine}" in made.out
    base = materials.base(benchmark.task(TASK))
    assert all(read_tree(tmp_path / "gold")[path] == entry for path, entry in base.items())


@pytest.mark.engine
def test_images_are_listed_with_their_sizes(assay: Assay) -> None:
    built = assay("images", "build", "python")
    assert built.code == 0, built
    listed = assay("images", "list")
    assert listed.code == 0
    assert re.search(rf"^{re.escape(built.out.strip())} +[0-9a-f]{{12}} +\d+ MB$", listed.out, re.MULTILINE)
    tags = {image["tag"] for image in json.loads(assay("images", "list", "--json").out)}
    assert built.out.strip() in tags


def test_images_without_an_engine(assay: Assay) -> None:
    ended = assay("images", "list", env=NOWHERE)
    assert ended.code == 3
    assert "make engine" in ended.err
