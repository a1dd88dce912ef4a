"""The Makefile says what it does, in one line a target, and names no place of one machine; nor do the lock files."""

from __future__ import annotations

import os
import re
import subprocess
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parent.parent.parent
TARGETS = ("bench", "test", "test-all", "check", "engine", "perf", "lock")
LOCKS = ("requirements.txt", "requirements-dev.txt")


def make(*arguments: str) -> str:
    """make's stdout, without running anything but `help`."""
    environment = {name: value for name, value in os.environ.items() if not name.startswith("MAKE")}
    done = subprocess.run(
        ["make", "--no-print-directory", *arguments],
        cwd=ROOT,
        env=environment,
        capture_output=True,
        text=True,
        check=True,
    )
    return done.stdout


def test_make_alone_lists_every_target() -> None:
    listed = [line.split()[1] for line in make().splitlines()]
    assert sorted(listed) == sorted(("help", *TARGETS))


def test_every_target_has_one_line() -> None:
    blocks = (ROOT / "Makefile").read_text().split("\n\n")
    targets = [block for block in blocks if re.match(r"[a-z.][^=]*:", block)]
    assert len(targets) == len(TARGETS) + 2
    assert [
        block for block in targets if len([line for line in block.splitlines() if line[0] == "\t"]) != 1
    ] == []


@pytest.mark.parametrize(
    ("arguments", "command"),
    [
        (("bench",), "assay bench"),
        (("bench", "PREDICTIONS=my file.jsonl"), 'assay bench --predictions "my file.jsonl"'),
        (("bench", "OUT=build/x", "ARGS=--task a"), 'assay bench --out "build/x" --task a'),
        (("test",), '-m "not slow"'),
    ],
)
def test_what_a_target_is_given_reaches_its_command(arguments: tuple[str, ...], command: str) -> None:
    assert command in " ".join(make("--dry-run", *arguments).split())


@pytest.mark.parametrize("name", LOCKS)
def test_a_lock_file_pins_by_hash_and_names_no_host(name: str) -> None:
    text = (ROOT / name).read_text()
    assert "://" not in text
    assert not re.search(r"^\s*--(index-url|extra-index-url|find-links|trusted-host)", text, re.MULTILINE)
    pins = re.findall(r"^([A-Za-z0-9._-]+)==\S+ \\\n    --hash=sha256:", text, re.MULTILINE)
    assert len(pins) == len(re.findall(r"^[A-Za-z0-9]", text, re.MULTILINE))


def test_what_the_runtime_pins_the_tests_run_on() -> None:
    runtime, development = (
        set(re.findall(r"^(\S+==\S+)", (ROOT / name).read_text(), re.MULTILINE)) for name in LOCKS
    )
    assert runtime < development
