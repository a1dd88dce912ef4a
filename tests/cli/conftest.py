"""The command as a person runs it: its own process, real engine, one small shipped task."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from collections.abc import Callable, Sequence
from contextlib import redirect_stderr, redirect_stdout
from dataclasses import dataclass
from io import StringIO
from pathlib import Path

import pytest

from cli import main as edge
from runner.materials import Materials
from runner.task import Benchmark
from runner.tree import write_tree

TASK = "cachetools-7-3-to-8-0"
NOWHERE = {"DOCKER_HOST": "unix:///nonexistent"}
"""An environment in which no engine answers."""


@dataclass(frozen=True, slots=True)
class Ended:
    """A command that ended. Its exit code, and what it said."""

    code: int
    out: str
    err: str


Assay = Callable[..., Ended]


def command() -> str:
    """The console script beside this Python."""
    return str(Path(sys.executable).with_name("assay"))


@pytest.fixture
def assay(tmp_path: Path) -> Assay:
    """`assay("bench", "--out", "run", env=NOWHERE)`: runs it in the test's folder."""

    def run(*arguments: str | Path, env: dict[str, str] | None = None) -> Ended:
        ended = subprocess.run(
            [command(), *map(str, arguments)],
            cwd=tmp_path,
            env={**os.environ, **(env or {})},
            capture_output=True,
            text=True,
            check=False,
        )
        assert "Traceback" not in ended.stderr, ended.stderr
        assert "nobody foresaw" not in ended.stderr, ended.stderr
        return Ended(ended.returncode, ended.stdout, ended.stderr)

    return run


@pytest.fixture
def inside(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Assay:
    """As `assay`, in this process and without an engine: for what ends before an engine is asked for."""

    def run(*arguments: str | Path) -> Ended:
        with monkeypatch.context() as here, StringIO() as out, StringIO() as err:
            here.chdir(tmp_path)
            for name, value in NOWHERE.items():
                here.setenv(name, value)
            with redirect_stdout(out), redirect_stderr(err):
                code = edge.run(lambda: edge.build_app()(list(map(str, arguments)), prog_name="assay"))
            assert "nobody foresaw" not in err.getvalue()
            return Ended(code, out.getvalue(), err.getvalue())

    return run


@pytest.fixture
def workspace(inside: Assay, tmp_path: Path) -> Path:
    """A workspace of the task, untouched."""
    ended = inside("tasks", "workspace", TASK, "work")
    assert ended.code == 0, ended.err
    return tmp_path / "work"


def diff(workspace: Path) -> Path:
    """The patch of a workspace, taken as its guide says."""
    line = "git add --intent-to-add . && git diff > my.patch"
    assert line in (workspace / "ASSAY.md").read_text()
    subprocess.run(["bash", "-c", line], cwd=workspace, check=True)
    return workspace / "my.patch"


def solve(workspace: Path, benchmark: Benchmark, materials: Materials) -> None:
    """Put the gold's files in place of the base's."""
    for path in workspace.iterdir():
        if path.name not in (".git", "ASSAY.md"):
            shutil.rmtree(path) if path.is_dir() else path.unlink()
    write_tree(materials.gold(benchmark.task(TASK)), workspace)


def spoil(workspace: Path) -> None:
    """One wrong edit: every cache holds one item too many."""
    module = workspace / "src" / "cachetools" / "__init__.py"
    text = module.read_text()
    assert "self.__maxsize = maxsize" in text
    module.write_text(text.replace("self.__maxsize = maxsize", "self.__maxsize = maxsize + 1"))


def lines_with(text: str, words: Sequence[str]) -> list[str]:
    """The lines that hold all the words."""
    return [line for line in text.splitlines() if all(word in line for word in words)]
