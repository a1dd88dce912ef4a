"""`make engine`: what it decides in each situation, what it clears away. No engine is started or stopped."""

from __future__ import annotations

import itertools
import os
import socket
import subprocess
import sys
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from runner.engine import start as engine_start
from runner.engine.start import Decision, Situation, decide
from runner.engine.steps import CannotStart, PidFile, clear_leftovers, lives, wait
from runner.errors import EngineUnavailable

BARE = Situation(answers=False, root=True, apt=True)
READY = replace(BARE, dockerd_installed=True, mmdebstrap_installed=True, debian_keys=True)
RUNNING = Situation(answers=True, root=True, apt=True, dockerd_installed=True, debian_keys=True)


def test_an_engine_that_answers_and_has_the_base_is_left_alone() -> None:
    decision = decide(replace(RUNNING, base_present=True))
    assert (decision.steps, decision.refused) == ((), False)


def test_a_bare_machine_of_ours_gets_everything() -> None:
    decision = decide(BARE)
    assert decision.steps == ("install", "clear", "start", "wait")
    assert decision.packages == ("docker.io", "mmdebstrap", "debian-archive-keyring")


def test_only_what_is_missing_is_installed() -> None:
    assert decide(replace(READY, dockerd_installed=False)).packages == ("docker.io",)
    assert decide(replace(READY, mmdebstrap_installed=False)).packages == ("mmdebstrap",)


def test_an_installed_engine_is_started_and_nothing_installed() -> None:
    assert decide(READY).steps == ("clear", "start", "wait")
    assert decide(READY).packages == ()


def test_an_engine_that_is_starting_is_waited_for() -> None:
    assert decide(replace(READY, dockerd_runs=True)).steps == ("wait",)


def test_mmdebstrap_is_installed_only_where_the_base_is_not_built_yet() -> None:
    assert decide(RUNNING) == Decision(
        "an engine answers; installing mmdebstrap for the base image", ("install",), ("mmdebstrap",)
    )
    for there in (
        replace(RUNNING, base_present=True),
        replace(RUNNING, root=False),
        replace(RUNNING, apt=False),
        replace(RUNNING, mmdebstrap_installed=True),
    ):
        assert decide(there).steps == ()


@pytest.mark.parametrize(
    ("situation", "words"),
    [
        (replace(READY, docker_host="tcp://far:2375"), "DOCKER_HOST is tcp://far:2375"),
        (replace(READY, root=False, denied=True), "usermod -aG docker"),
        (
            replace(READY, root=False, elsewhere="unix:///home/me/docker.sock"),
            "export DOCKER_HOST=unix:///home/me/docker.sock",
        ),
        (replace(BARE, system="Darwin", apt=False), "start Docker Desktop"),
        (replace(READY, root=False), "sudo systemctl start docker"),
        (replace(BARE, root=False), "sudo apt-get install docker.io"),
        (replace(BARE, apt=False), "install Docker"),
    ],
)
def test_where_only_a_person_can_help_nothing_is_done_and_the_words_say_what(
    situation: Situation, words: str
) -> None:
    decision = decide(situation)
    assert decision.refused
    assert decision.steps == ()
    assert words in decision.words


def test_no_situation_is_without_an_answer() -> None:
    flags = ("answers", "denied", "root", "apt", "dockerd_installed", "dockerd_runs", "mmdebstrap_installed")
    for values in itertools.product((False, True), repeat=len(flags)):
        facts: dict[str, Any] = dict(zip(flags, values, strict=True))
        situation = Situation(**facts)
        decision = decide(situation)
        assert decision.words
        assert situation.answers or decision.refused or decision.steps[-1] == "wait"
        assert not decision.packages or (situation.root and situation.apt)


def test_a_refusal_ends_with_exit_code_3_and_a_sentence(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(engine_start, "look", lambda: replace(BARE, root=False))
    assert engine_start.main() == EngineUnavailable.exit_code == 3
    shown = capsys.readouterr()
    assert shown.err.startswith("error: no container engine answers")
    assert shown.out == ""


def test_an_address_where_nobody_listens_is_told_and_nothing_is_started(tmp_path: Path) -> None:
    environment = {**os.environ, "DOCKER_HOST": f"unix://{tmp_path}/none.sock"}
    command = [sys.executable, "-m", "runner.engine.start"]
    done = subprocess.run(command, env=environment, capture_output=True, text=True, check=False)
    assert (done.returncode, done.stdout) == (3, "")
    assert done.stderr == (
        f"error: DOCKER_HOST is unix://{tmp_path}/none.sock and no engine answers there; "
        "start that engine, or unset DOCKER_HOST\n"
    )


# ---------------------------------------------------------------- what the last engine left


def process(proc: Path, pid: int, name: str, state: str) -> None:
    (proc / str(pid)).mkdir(parents=True)
    (proc / str(pid) / "stat").write_text(f"{pid} ({name}) {state} 1 1 0")


@pytest.mark.parametrize(
    ("name", "state", "alive"),
    [
        ("dockerd", "S", True),
        ("dockerd", "Z", False),
        ("bash", "S", False),
        ("a (b) dockerd", "S", False),
    ],
)
def test_a_pid_file_is_true_only_of_the_program_that_wrote_it(
    tmp_path: Path, name: str, state: str, alive: bool
) -> None:
    process(tmp_path / "proc", 42, name, state)
    file = PidFile(tmp_path / "docker.pid", "dockerd")
    file.path.write_text("42\n")
    assert lives(file, tmp_path / "proc") is alive
    said: list[str] = []
    clear_leftovers(said.append, [file], [], tmp_path / "proc")
    assert file.path.exists() is alive
    assert len(said) == (0 if alive else 1)


@pytest.mark.parametrize("text", ["77", "", "no number"])
def test_a_pid_file_that_names_nobody_is_removed(tmp_path: Path, text: str) -> None:
    (tmp_path / "proc").mkdir()
    file = PidFile(tmp_path / "docker.pid", "dockerd")
    file.path.write_text(text)
    clear_leftovers(lambda words: None, [file], [], tmp_path / "proc")
    assert not file.path.exists()


def test_nothing_left_nothing_done(tmp_path: Path) -> None:
    said: list[str] = []
    clear_leftovers(
        said.append, [PidFile(tmp_path / "docker.pid", "dockerd")], [tmp_path / "x.sock"], tmp_path
    )
    assert said == []


def test_a_socket_is_removed_only_when_nobody_listens(tmp_path: Path) -> None:
    dead, served = tmp_path / "dead.sock", tmp_path / "served.sock"
    with socket.socket(socket.AF_UNIX) as first:
        first.bind(str(dead))
    with socket.socket(socket.AF_UNIX) as second:
        second.bind(str(served))
        second.listen()
        clear_leftovers(lambda words: None, [], [dead, served])
    assert not dead.exists()
    assert served.exists()


# ---------------------------------------------------------------- waiting


def test_waiting_ends_when_the_engine_answers(tmp_path: Path) -> None:
    answers = iter([False, True])
    said: list[str] = []
    wait(lambda: next(answers), lambda: False, said.append, log=tmp_path / "log")
    assert said[0].startswith("it answers")


def test_an_engine_that_does_not_come_up_shows_its_last_lines(tmp_path: Path) -> None:
    log = tmp_path / "engine.log"
    log.write_text("\n".join(f"line {number}" for number in range(100)))
    with pytest.raises(CannotStart) as caught:
        wait(lambda: False, lambda: False, lambda words: None, seconds=0, log=log)
    message = str(caught.value)
    assert "line 99" in message
    assert "line 80" not in message
    assert os.fspath(log) in message
