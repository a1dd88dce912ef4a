"""README and docs as data: their blocks, the files that they show, the commands with what they print."""

from __future__ import annotations

import os
import re
import shlex
import subprocess
import sys
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

import docker
import pytest

ROOT = Path(__file__).parents[2]
DOCS = (ROOT / "README.md", *sorted((ROOT / "docs").glob("*.md")))
EXAMPLE_TASK = "shelf-casing"
ENVIRONMENT = ROOT / ".venv"
_BLOCK = re.compile(r"(?:^`([^`\n]+)`:\n\n)?^```(\w*)\n(.*?)^```$", re.MULTILINE | re.DOTALL)


@dataclass(frozen=True, slots=True)
class Block:
    """A fenced block: its language, its text, and the file that it shows, if the line above names one."""

    file: str
    language: str
    text: str

    def commands(self) -> Iterator[tuple[str, list[str]]]:
        """Each command of a console block with the lines that it is said to print."""
        for part in re.split(r"^\$ ", self.text, flags=re.MULTILINE)[1:]:
            command, *printed = part.splitlines()
            yield command, printed


def blocks(document: Path) -> list[Block]:
    """The fenced blocks of a document, in order."""
    found = _BLOCK.findall(document.read_text(encoding="utf-8"))
    return [Block(file, language, text) for file, language, text in found]


def follow(document: Path, folder: Path) -> None:
    """Do what a document says in `folder`: write its files, run its commands, compare what they print."""
    (folder / ".venv").symlink_to(ENVIRONMENT)
    for block in blocks(document):
        if block.file:
            write(block, folder)
        elif block.language == "console":
            for command, printed in block.commands():
                run(command, printed, folder)


def write(block: Block, folder: Path) -> None:
    """Write the file that a block shows."""
    path = folder / block.file
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(block.text, encoding="utf-8")


def run(command: str, printed: Sequence[str], folder: Path) -> None:
    """Run one command as a shell does; it ends well or with a finding, and prints what is said, in that order.

    `...` in a printed line stands for anything. Of `make`, the recipe is run that make says it would run; where
    that is `make test`, or the whole of `make bench`, it is not run here.
    """
    if command.startswith("make "):
        recipe = made(command)
        if command in ("make bench", "make test"):
            return
        command = recipe
    path = f"{ENVIRONMENT / 'bin'}:{Path(sys.executable).parent}:{os.environ['PATH']}"
    ended = subprocess.run(
        ["bash", "-c", command],
        cwd=folder,
        env={**os.environ, "PATH": path},
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        check=False,
    )
    assert ended.returncode in (0, 1), f"{command}\n{ended.stdout}"
    assert "nobody foresaw" not in ended.stdout
    lines = iter(folded(ended.stdout.splitlines()))
    for expected in folded(printed):
        wanted = re.compile(".*".join(map(re.escape, re.split(r" ?\.\.\. ?", expected))))
        assert any(wanted.fullmatch(line) for line in lines), f"{command}\nno `{expected}` in\n{ended.stdout}"


def made(command: str) -> str:
    """The last line of the recipe that make would run, its words in one quoting."""
    ended = subprocess.run(
        ["bash", "-c", command.replace("make ", f"make --no-print-directory -n -C '{ROOT}' ", 1)],
        capture_output=True,
        text=True,
        check=False,
    )
    assert ended.returncode == 0, f"{command}\n{ended.stderr}"
    return shlex.join(shlex.split(ended.stdout.splitlines()[-1]))


def folded(lines: Sequence[str]) -> list[str]:
    """The lines with runs of blanks as one: tables are wider than a page."""
    return [" ".join(line.split()) for line in lines]


@pytest.fixture
def example_images() -> Iterator[None]:
    """Removes the images that the example of docs/tasks.md leaves in the engine."""
    yield
    client = docker.APIClient()
    for image in client.images(name=f"assay/task-{EXAMPLE_TASK}"):
        client.remove_image(image["Id"], force=True)
    client.close()
