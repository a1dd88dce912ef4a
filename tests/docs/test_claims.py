"""What README and docs say is what the code does: tables, numbers, options, links."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any, get_args

import pytest
from typer.main import get_command

from bench.check_changes import CONTROLS
from bench.check_suite import LEAST_TESTS
from cli.evaluate import A_FINDING, EXIT_CODES
from cli.main import build_app
from grader.draw_plan import LEAST_CARRIED
from grader.finding import ORDER
from grader.result import Result
from runner import patch
from runner.sandbox import SCRATCH_MB
from runner.task import Limits, TaskKind
from runner.task_folder import files as task_files
from runner.toolchains.python import PythonToolchain
from runner.toolchains.registry import TOOLCHAINS
from tests.docs.conftest import DOCS, ROOT, blocks

README, VERDICTS, TASKS = ROOT / "README.md", ROOT / "docs" / "verdicts.md", ROOT / "docs" / "tasks.md"
FOREIGN = {"--intent-to-add", "--git", "--binary", "--cached", "--network", "--no-network"}
"""Options of git and docker."""


def rows(text: str, head: str) -> Iterator[list[str]]:
    """The rows of the table whose head begins with `head`."""
    _, _, below = text.partition(f"\n| {head}")
    for line in below.splitlines()[2:]:
        if not line.startswith("|"):
            return
        yield [cell.strip() for cell in line.strip("|").split("|")]


@pytest.mark.parametrize("document", [README, VERDICTS], ids=lambda path: path.name)
def test_verdict_tables_are_the_codes(document: Path) -> None:
    table = [(row[0].strip("`"), int(row[1])) for row in rows(document.read_text(), "verdict |")]
    assert table == [(verdict, EXIT_CODES.get(verdict, A_FINDING)) for verdict in ORDER]


def test_limits_are_the_codes() -> None:
    limits = Limits()
    table = {row[0]: row[1] for row in rows(VERDICTS.read_text(), "limit |")}
    for name, value in {
        "CPU time": f"{limits.cpu_seconds} s",
        "wall clock": f"{limits.wall_seconds} s",
        "memory": f"{limits.memory_mb} MB",
        "disk": f"{limits.disk_mb} MB",
        "processes": f"{limits.processes} at once",
        "output": f"{limits.output_mb} MB",
    }.items():
        assert table[name].startswith(value), name
    assert f"have {SCRATCH_MB} MB each" in table["disk"]
    for name in limits.__slots__:
        assert f"`{name}` {getattr(limits, name)}" in TASKS.read_text()


def test_what_a_patch_may_have_is_the_codes() -> None:
    text = VERDICTS.read_text()
    assert f"more than {patch.MAX_PATCH_BYTES:,} bytes" in text
    assert f"more than {patch.MAX_NEW_FILES:,} files" in text
    assert f"more than {patch.MAX_GROWTH_BYTES >> 20} MB" in text


def test_what_is_not_taken_of_a_patch_is_the_toolchains() -> None:
    text = " ".join(VERDICTS.read_text().split())
    protected = {glob.removeprefix("**/") for glob in PythonToolchain.protected}
    for named in (
        "conftest.py",
        "pytest.ini",
        "tox.ini",
        ".coveragerc",
        "sitecustomize.py",
        "*.pth",
        "*.so",
        "*.pyc",
    ):
        assert f"`{named}`" in text
        assert named in protected
    for named in PythonToolchain.buildable:
        assert f"`{named}`" in text
        assert f"`{named}`" in TASKS.read_text()


def test_facts_beside_the_verdict_are_fields_of_a_result() -> None:
    beside = (
        VERDICTS.read_text().partition("Beside the verdict a result has")[2].partition("The format is")[0]
    )
    named = set(re.findall(r"`([a-z_]+)`", beside))
    assert len(named) >= 6
    assert named - {"gain"} <= set(Result.model_fields)


def test_what_a_task_needs_is_the_codes() -> None:
    text = TASKS.read_text()
    assert f"At least {LEAST_TESTS} tests; at least {LEAST_CARRIED}, " in text
    assert task_files.BenchmarkFile.model_fields["canary_share"].default == 0.9
    names = [row[0] for row in rows(text, "control |")]
    for what, pattern in CONTROLS.items():
        shown = [name.strip("`").replace("<verdict>", "incomplete").replace("<what>", "it") for name in names]
        assert any(pattern.match(name.removesuffix(".delta")) for name in shown), what
    assert len(names) == len(CONTROLS)


@pytest.mark.parametrize(
    ("section", "model"),
    [
        ("benchmark.toml", task_files.BenchmarkFile),
        ("task.toml", task_files.TaskFile),
        ("benchmark.toml", task_files.ProtocolTable),
        ("task.toml", task_files.LimitsTable),
        ("task.toml", task_files.ImageTable),
        ("structure.yml", task_files.GoneItem),
        ("structure.yml", task_files.PresentItem),
        ("suite/", task_files.UnitTable),
        ("reviews.jsonl", task_files.ReviewLine),
    ],
    ids=lambda one: getattr(one, "__name__", one),
)
def test_every_key_of_every_file_is_described(section: str, model: Any) -> None:
    described = TASKS.read_text().partition(f"\n### {section}\n")[2].partition("\n### ")[0]
    for name, field in model.model_fields.items():
        key = field.alias or name
        assert re.search(rf"[`\[\".]{key}\b", described), key


def test_kinds_and_languages_are_the_codes() -> None:
    described = TASKS.read_text().partition("\n### task.toml\n")[2]
    table = {row[0].strip("`"): row[1] for row in rows(described, "key |")}
    assert re.findall(r"`([a-z]+)` \(", table["kind"]) == list(get_args(TaskKind))
    assert re.findall(r"`([a-z]+)`", table["language"]) == list(TOOLCHAINS)


def options() -> set[str]:
    def below(command: Any) -> Iterator[str]:
        for parameter in command.params:
            yield from (*parameter.opts, *parameter.secondary_opts)
        for inner in getattr(command, "commands", {}).values():
            yield from below(inner)

    return set(below(get_command(build_app()))) | {"--help"}


@pytest.mark.parametrize("document", DOCS, ids=lambda path: path.name)
def test_options_that_are_named_are_there(document: Path) -> None:
    named = set(re.findall(r"(?<![\w-])--[a-z][a-z-]+", document.read_text()))
    assert named - FOREIGN <= options()


@pytest.mark.parametrize("document", DOCS, ids=lambda path: path.name)
def test_commands_that_are_named_are_there(document: Path) -> None:
    root: Any = get_command(build_app())
    for line in re.findall(r"(?:`|^\$ )assay ([a-z]+(?: [a-z]+)?)", document.read_text(), re.MULTILINE):
        first, _, second = line.partition(" ")
        assert first in root.commands, line
        inner = getattr(root.commands[first], "commands", None)
        assert inner is None or not second or second in inner, line


@pytest.mark.parametrize("document", [*DOCS, ROOT / "CHANGELOG.md"], ids=lambda path: path.name)
def test_links_lead_somewhere(document: Path) -> None:
    text = "\n".join(re.split(r"```.*?```", document.read_text(), flags=re.DOTALL))
    for target in re.findall(r"\]\(([^)\s]+)\)", text):
        if target.startswith("https://"):
            continue
        name, _, anchor = target.partition("#")
        path = (document.parent / name).resolve() if name else document
        assert path.exists(), target
        assert not anchor or anchor in anchors(path), target


def anchors(document: Path) -> set[str]:
    """The anchors of a page's headings, as a forge makes them."""
    heads = re.findall(r"^#+ (.+)$", document.read_text(), re.MULTILINE)
    return {re.sub(r"[^\w\- ]", "", head.lower()).replace(" ", "-") for head in heads}


def test_every_folder_is_in_the_glance() -> None:
    named = {row[0].strip("`/") for row in rows(README.read_text(), "folder |")}
    packages = {path.parent.name for path in ROOT.glob("*/__init__.py")}
    assert packages | {"tasks", "images", "tests", "docs"} == named


def test_the_changelog_is_of_this_version() -> None:
    import tomllib

    version = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]["version"]
    assert re.search(rf"^## \[?{re.escape(version)}\b", (ROOT / "CHANGELOG.md").read_text(), re.MULTILINE)


def test_nothing_of_this_machine_is_told() -> None:
    here = {f"{folder}/" for folder in (ROOT, Path.home()) if folder != Path("/")}
    for path in (*DOCS, ROOT / "CHANGELOG.md"):
        text = path.read_text()
        assert not [place for place in here if place in text], path


def test_no_block_is_of_a_kind_that_no_test_looks_at() -> None:
    for path in DOCS:
        for block in blocks(path):
            known = block.file or block.language in ("", "console", "json", "sh", "toml")
            assert known, f"{path.name}: ```{block.language}"
