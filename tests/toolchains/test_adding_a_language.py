"""A made-up language is added to a copy of the checkout: what docs/adding-a-language.md names is all it takes."""

from __future__ import annotations

import re
import shutil
import subprocess
import sys
from collections.abc import Iterator
from fnmatch import fnmatch
from pathlib import Path

import docker
import pytest

ROOT = Path(__file__).resolve().parents[2]
MADE_UP = Path(__file__).with_name("made_up")
LINES = {
    "runner/toolchains/registry.py": (
        ("\nTOOLCHAINS: ", "from runner.toolchains.bash import BashToolchain\n\nTOOLCHAINS: "),
        ('    "python": ', '    "bash": BashToolchain(),\n    "python": '),
    ),
    "grader/syntax/__init__.py": (
        ("from grader.syntax import ", "from grader.syntax import bash, "),
        ('    "python": ', '    "bash": bash.SYNTAX,\n    "python": '),
    ),
    "grader/canaries/__init__.py": (
        ("from grader.canaries import ", "from grader.canaries import bash_functions, "),
        ('    "pytest": ', '    "bash-functions": bash_functions.WRITER,\n    "pytest": '),
    ),
    "docs/tasks.md": (("| `language` | `python`", "| `language` | `bash`, `python`"),),
}
"""The lines that a language adds to files that are there: what they stand in place of, and what stands then."""


def added() -> list[str]:
    """The files that the made-up language brings, from the top of the checkout."""
    return sorted(path.relative_to(MADE_UP).as_posix() for path in MADE_UP.rglob("*") if path.is_file())


def places() -> tuple[str, ...]:
    """The first column of the table in the docs, `<language>` and `<framework>` being any name."""
    rows = re.findall(r"^\| `([^`]+)` \|", (ROOT / "docs" / "adding-a-language.md").read_text(), re.MULTILINE)
    return tuple(re.sub("<[a-z]+>", "*", row) for row in rows)


@pytest.fixture
def copy(tmp_path: Path) -> Path:
    """The checkout as it stands, with the language in it."""
    listed = subprocess.run(
        ["git", "ls-files", "-z", "--cached", "--others", "--exclude-standard"],
        cwd=ROOT,
        capture_output=True,
        text=True,
        check=True,
    )
    for path in filter(None, listed.stdout.split("\0")):
        if (ROOT / path).is_file() and not path.startswith(("tasks/", "tests/toolchains/made_up/")):
            (tmp_path / path).parent.mkdir(parents=True, exist_ok=True)
            shutil.copy2(ROOT / path, tmp_path / path)
    for path in added():
        assert not (tmp_path / path).exists()
        (tmp_path / path).parent.mkdir(parents=True, exist_ok=True)
        shutil.copy2(MADE_UP / path, tmp_path / path)
    for path, changes in LINES.items():
        text = (tmp_path / path).read_text()
        for old, new in changes:
            assert text.count(old) == 1, f"{path}: {old}"
            text = text.replace(old, new)
        (tmp_path / path).write_text(text)
    return tmp_path


@pytest.fixture
def images() -> Iterator[None]:
    """Removes the images that the language leaves in the engine."""
    yield
    client = docker.APIClient()
    for name in ("assay/task-smoke-bash", "assay/bash"):
        for image in client.images(name=name):
            client.remove_image(image["Id"], force=True)
    client.close()


def ended_well(folder: Path, *arguments: str) -> str:
    """What python prints in the copy."""
    argv = [sys.executable, *arguments]
    ended = subprocess.run(
        argv, cwd=folder, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, check=False
    )
    assert ended.returncode == 0, ended.stdout
    return ended.stdout


def test_only_the_places_that_the_docs_name_are_touched() -> None:
    named = places()
    touched = [*added(), *LINES]
    assert [path for path in touched if not any(fnmatch(path, place) for place in named)] == []
    assert [place for place in named if not any(fnmatch(path, place) for path in touched)] == []


@pytest.mark.engine
@pytest.mark.usefixtures("images")
def test_the_language_is_judged_as_every_other(copy: Path) -> None:
    """Its conformance cases pass, and so do a lock and a bench, canaries and all, and the tests of the docs."""
    tested = ended_well(copy, "-m", "pytest", "-q", "-p", "no:xdist", "tests/toolchains", "-k", "bash")
    assert "13 passed" in tested
    ended_well(copy, "-m", "pytest", "-q", "tests/docs/test_claims.py", "-k", "kinds_and_languages")
    assay = ("-c", "from cli.main import main; main()")
    tasks = ("--tasks", "runner/toolchains/smoke")
    locked = ended_well(copy, *assay, "tasks", "lock", "smoke-bash", "--repeats", "2", *tasks)
    assert "smoke-bash: 2 of 2 tests carry a canary" in locked
    judged = ended_well(copy, *assay, "bench", "--task", "smoke-bash", "--out", "judged", *tasks)
    assert "3 of 3 verdicts as known" in judged
