"""Every help text: it comes, it is whole, and it holds no markup."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest
from typer.main import get_command
from typer.testing import CliRunner

from cli.main import build_app


def commands() -> Iterator[list[str]]:
    def below(command: Any, path: list[str]) -> Iterator[list[str]]:
        yield path
        for name, inner in getattr(command, "commands", {}).items():
            yield from below(inner, [*path, name])

    yield from below(get_command(build_app()), [])


@pytest.mark.parametrize("path", list(commands()), ids=lambda path: " ".join(path) or "assay")
def test_help_reads_well(path: list[str]) -> None:
    shown = CliRunner().invoke(build_app(), [*path, "--help"])
    assert shown.exit_code == 0
    text = shown.output
    assert text.startswith(f"Usage: assay {' '.join(path)}".rstrip())
    assert "..." not in text.replace("[ARGS]...", "").replace("]...", ""), "a summary is cut short"
    assert "[[" not in text, "a metavar is doubled"
    assert max(map(len, text.splitlines())) <= 80
    described = [line for line in text.splitlines() if line.startswith("  ") and line.strip()]
    assert described[0].strip()[0].isupper()


def test_every_option_says_what_it_is_for() -> None:
    root = get_command(build_app())
    for path in commands():
        command: Any = root
        for name in path:
            command = command.commands[name]
        assert command.help, path
        for parameter in command.params:
            assert parameter.help, f"{' '.join(path)} {parameter.name}"


@pytest.mark.parametrize("path", [[], ["tasks"], ["images"]])
def test_a_group_alone_shows_its_help(path: list[str]) -> None:
    shown = CliRunner().invoke(build_app(), path)
    assert "Usage: assay" in shown.output
