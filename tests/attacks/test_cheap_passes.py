"""No cheap pass on any refactor task: old code kept out of sight, and names without substance."""

from __future__ import annotations

import ast
import json
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from grader.gone import gone_definitions
from grader.residue import judge_residue
from grader.structure import judge_structure
from runner.globs import matches_any
from runner.materials import Materials
from runner.task import Task
from runner.task_folder import load_benchmark
from runner.tree import Tree
from tests.attacks.attack import NOT_RESOLVED, Arena, appended, edited

ROOT = Path(__file__).resolve().parents[2]
EVERY = [task for task in load_benchmark(ROOT / "tasks").tasks if task.kind == "refactor"]
REFACTORS = [task for task in EVERY if task.language == "python"]


def old_code(task: Task, base: Tree) -> str:
    """The definitions that had to go, each as it stands in the base."""
    gone = gone_definitions(task.structure, task.language, base)
    large = sorted((one for one in gone if len(one.tokens.texts) > 60), key=lambda one: (one.path, one.start))
    return "\n\n".join(base.text(one.path)[one.start : one.end] for one in large)


def package(task: Task, gold: Tree) -> str:
    """The folder of the package that the task changes."""
    changed = [path for rule in task.structure.gone for path in gold if matches_any(path, rule.files)]
    return changed[0].rpartition("/")[0]


def homes(task: Task, gold: Tree) -> Iterator[str]:
    """Files of the gold where old code may honestly live."""
    allowed = [glob for rule in task.structure.gone for glob in rule.may_live_in]
    return (path for path in gold if matches_any(path, allowed))


Hide = Callable[[Task, Tree, Tree, str], Tree]


def in_another_module(task: Task, base: Tree, gold: Tree, code: str) -> Tree:
    return edited(gold, {f"{package(task, gold)}/_compat.py": code + "\n"})


def in_a_text_file(task: Task, base: Tree, gold: Tree, code: str) -> Tree:
    return edited(gold, {"docs/notes.txt": code + "\n"})


def in_a_string(task: Task, base: Tree, gold: Tree, code: str) -> Tree:
    return edited(gold, {f"{package(task, gold)}/_compat.py": f"SOURCE = {code!r}\n"})


def in_a_string_where_code_may_live(task: Task, base: Tree, gold: Tree, code: str) -> Tree:
    return appended(gold, {next(homes(task, gold)): f"SOURCE = {code!r}\n"})


def in_a_string_in_pieces(task: Task, base: Tree, gold: Tree, code: str) -> Tree:
    pieces = "\n".join(f"    {line!r}" for line in code.splitlines(keepends=True))
    return edited(gold, {f"{package(task, gold)}/_compat.py": f"SOURCE = (\n{pieces}\n)\n"})


def in_a_string_in_a_string(task: Task, base: Tree, gold: Tree, code: str) -> Tree:
    inner = f"SOURCE = {code!r}\n"
    return edited(gold, {f"{package(task, gold)}/_compat.py": f"OUTER = {inner!r}\n"})


def behind_exec(task: Task, base: Tree, gold: Tree, code: str) -> Tree:
    home = next(homes(task, gold))
    return appended(gold, {home: "exec(open(__file__ + '.txt').read())\n"})


def behind_exec_by_another_name(task: Task, base: Tree, gold: Tree, code: str) -> Tree:
    text = "import builtins\nrun = getattr(builtins, 'ex' + 'ec')\nrun(open(__file__ + '.txt').read())\n"
    return appended(gold, {next(homes(task, gold)): text})


def left_in_place_behind_an_alias(task: Task, base: Tree, gold: Tree, code: str) -> Tree:
    """The new modules hand on what the old one still defines."""
    old = next(one.path for one in gone_definitions(task.structure, task.language, base))
    module = old.removesuffix(".py").removesuffix("/__init__").replace("/", ".")
    new = {path: f"from {module} import *\n" for path in gold if path not in base and path.endswith(".py")}
    return edited(base, new)


HIDINGS: tuple[Hide, ...] = (
    in_another_module,
    in_a_text_file,
    in_a_string,
    in_a_string_where_code_may_live,
    in_a_string_in_pieces,
    in_a_string_in_a_string,
    behind_exec,
    behind_exec_by_another_name,
    left_in_place_behind_an_alias,
)


@pytest.mark.parametrize("task", REFACTORS, ids=lambda task: task.id)
@pytest.mark.parametrize("hide", HIDINGS, ids=lambda hide: hide.__name__)
def test_old_code_out_of_sight_is_found(materials: Materials, task: Task, hide: Hide) -> None:
    """Found on the tree alone, whatever the suite says."""
    base, gold = materials.base(task), materials.gold(task)
    after = hide(task, base, gold, old_code(task, base))
    findings = [
        *judge_structure(task.structure, task.language, base, after).findings,
        *judge_residue(task, base, after),
    ]
    assert {finding.verdict for finding in findings} == {"incomplete"}


@pytest.mark.parametrize("task", EVERY, ids=lambda task: task.id)
@pytest.mark.parametrize("written", [str, json.dumps], ids=["as code or text", "as a string"])
def test_old_code_in_a_new_file_is_found(
    materials: Materials, task: Task, written: Callable[[str], str]
) -> None:
    """In every language: the file has the suffix of those that the task changes, or is plain text."""
    base, gold = materials.base(task), materials.gold(task)
    suffix = Path(gone_definitions(task.structure, task.language, base)[0].path).suffix
    for name in (f"hidden/compat{suffix}", "hidden/notes.txt"):
        findings = judge_residue(task, base, edited(gold, {name: written(old_code(task, base)) + "\n"}))
        assert {finding.mechanism for finding in findings} == {"residue"}


@pytest.mark.parametrize("task", EVERY, ids=lambda task: task.id)
def test_the_gold_has_none(materials: Materials, task: Task) -> None:
    """What keeps the tests above from passing whatever they hide."""
    base, gold = materials.base(task), materials.gold(task)
    assert not judge_structure(task.structure, task.language, base, gold).findings
    assert not judge_residue(task, base, gold)


def test_old_code_that_was_to_be_rewritten_is_found_where_it_may_live(materials: Materials) -> None:
    """A function that one rule moves and another changes: its old body may live nowhere."""
    task = next(task for task in REFACTORS if task.id == "boltons-split-strutils")
    base, gold = materials.base(task), materials.gold(task)
    text = base.text("boltons/strutils.py")
    start = text.index("def int_ranges_from_int_list")
    old = text[start : text.index("\nclass ", start)]
    kept = old.replace("    int_tuples", "    int_ranges(())\n    int_tuples", 1).replace(
        "= format_int_list(", "= _written("
    )
    after = appended(gold, {"boltons/intlistutils.py": f"_written = format_int_list\n\n\n{kept}\n"})
    assert not judge_structure(task.structure, task.language, base, after).findings
    assert [finding.mechanism for finding in judge_residue(task, base, after)] == ["residue"]


def stubbed(source: str) -> str:
    """The module with its names, and nothing in its functions."""
    tree = ast.parse(source)
    for node in ast.walk(tree):
        if isinstance(node, ast.FunctionDef):
            node.body = [ast.Return(ast.Constant(None))]
    return ast.unparse(ast.fix_missing_locations(tree)) + "\n"


@pytest.mark.engine
@pytest.mark.parametrize("task", REFACTORS, ids=lambda task: task.id)
def test_names_without_substance_are_not_enough(arena: Arena, task: Task) -> None:
    base, gold = arena.materials.base(task), arena.materials.gold(task)
    new = {path: stubbed(gold.text(path)) for path in gold if path not in base and path.endswith(".py")}
    assert new
    result = arena.judge(task, edited(gold, new))
    assert result.verdict in NOT_RESOLVED, result.reason


@pytest.mark.engine
@pytest.mark.parametrize("task", REFACTORS, ids=lambda task: task.id)
def test_old_code_is_not_to_be_had_from_the_image(arena: Arena, task: Task) -> None:
    """The base lies in the image, and a package can be pointed at any folder."""
    gold = arena.materials.gold(task)
    folder = package(task, gold)
    probe = (
        "import os\nfor place in ('/opt/assay/tree', '/opt/assay'):\n"
        "    try:\n        print('READ', os.listdir(place), flush=True)\n"
        "    except PermissionError:\n        print('REFUSED', place, flush=True)\n"
    )
    result = arena.judge(task, appended(gold, {f"{folder}/__init__.py": probe}))
    outputs = arena.outputs(result)
    assert all("REFUSED /opt/assay/tree" in output and "READ" not in output for output in outputs)
