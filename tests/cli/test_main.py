"""The outer edge of the command line: what goes wrong is a sentence and an exit code, never a traceback."""

from __future__ import annotations

import errno
import json
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from cli import main as edge
from runner.errors import EngineUnavailable, ImageBuildFailed, PatchRejected, UsageError
from runner.toolchains.registry import TOOLCHAINS


def raising(error: BaseException) -> Callable[[], object]:
    def call() -> object:
        raise error

    return call


def assay(*arguments: str) -> subprocess.CompletedProcess[str]:
    code = "from cli.main import main; main()"
    return subprocess.run(
        [sys.executable, "-c", code, *arguments], capture_output=True, text=True, check=False
    )


@pytest.mark.parametrize(
    ("error", "code"),
    [
        (UsageError("there is no task 'x'"), 2),
        (PatchRejected("empty", "the patch is not one"), 1),
        (EngineUnavailable("no container engine answers"), 3),
    ],
)
def test_an_error_of_ours_is_its_message_and_its_exit_code(
    error: Exception, code: int, capsys: pytest.CaptureFixture[str]
) -> None:
    assert edge.run(raising(error)) == code
    shown = capsys.readouterr()
    assert shown.err == f"error: {error}\n"
    assert shown.out == ""


@pytest.mark.parametrize(("leaving", "code"), [(None, 0), (0, 0), (2, 2), ("words", 1)])
def test_a_command_that_leaves_keeps_its_code(leaving: object, code: int) -> None:
    assert edge.run(raising(SystemExit(leaving))) == code


def test_a_command_that_returns_is_good() -> None:
    assert edge.run(lambda: None) == 0


@pytest.mark.parametrize("interruption", [KeyboardInterrupt(), SystemExit(130)])
def test_an_interruption_is_130_and_says_that_nothing_is_lost(
    interruption: BaseException, capsys: pytest.CaptureFixture[str]
) -> None:
    assert edge.run(raising(interruption)) == 130
    assert "what was finished is kept" in capsys.readouterr().err


def test_a_full_disk_names_the_folder_and_what_to_do(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    failure = OSError(errno.ENOSPC, "No space left on device", str(tmp_path / "results.jsonl"))
    assert edge.run(raising(failure)) == 3
    shown = capsys.readouterr().err
    assert f"the disk of {tmp_path} is full" in shown
    assert "images prune" in shown
    assert "Traceback" not in shown


def test_a_full_disk_without_a_name_names_ours(capsys: pytest.CaptureFixture[str]) -> None:
    assert edge.run(raising(OSError(errno.EDQUOT, "Disk quota exceeded"))) == 3
    assert "build" in capsys.readouterr().err


def test_a_full_disk_of_the_engine_is_told_from_others(capsys: pytest.CaptureFixture[str]) -> None:
    words = "could not commit x: the engine says: write /var/lib/x: no space left on device"
    assert edge.run(raising(ImageBuildFailed(words))) == 3
    assert "The disk that keeps the engine's images is full" in capsys.readouterr().err


def test_what_nobody_foresaw_is_kept_in_a_file_and_not_shown(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(edge, "ROOT", tmp_path)
    assert edge.run(raising(ZeroDivisionError("one by none"))) == 3
    shown = capsys.readouterr().err
    (kept,) = (tmp_path / "build").iterdir()
    assert str(kept) in shown
    assert "ZeroDivisionError: one by none" in shown
    assert "Traceback" not in shown
    assert "Traceback" in kept.read_text()


def test_an_error_of_the_system_that_is_no_full_disk_is_kept_too(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(edge, "ROOT", tmp_path)
    assert edge.run(raising(PermissionError(errno.EACCES, "Permission denied", "/x"))) == 3
    assert "Permission denied" in capsys.readouterr().err
    assert list((tmp_path / "build").iterdir())


def test_a_traceback_goes_to_the_temporary_folder_where_build_cannot_be_written(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "build").write_text("a file in the way")
    monkeypatch.setattr(edge, "ROOT", tmp_path)
    monkeypatch.setattr("tempfile.tempdir", str(tmp_path))
    place = edge.keep_traceback(ValueError("x"))
    assert place is not None
    assert place.parent == tmp_path


def test_usage_errors_are_2_and_results_stay_off_stderr() -> None:
    wrong = assay("doctr")
    assert (wrong.returncode, wrong.stdout) == (2, "")
    assert "doctor" in wrong.stderr
    version = assay("--version")
    assert (version.returncode, version.stderr) == (0, "")
    assert version.stdout.startswith("assay ")


def test_help_names_every_command() -> None:
    shown = assay("--help")
    assert shown.returncode == 0
    names = ("doctor", "images", "tasks", "evaluate", "bench", "show", "regrade", "report")
    assert [name for name in names if f"  {name} " not in shown.stdout] == []


@pytest.mark.engine
def test_doctor_prints_one_document_with_json() -> None:
    shown = assay("doctor", "--json")
    document = json.loads(shown.stdout)
    assert document["schema"] == "assay.doctor/1"
    assert shown.returncode == {"works": 0, "weaker": 1, "refused": 3}[document["standing"]]
    assert any(kind["here"] for kind in document["hosts"])
    assert {"what", "found", "standing", "advice"} == set(document["checks"][0])


@pytest.mark.engine
def test_every_language_holds_and_tells_its_versions() -> None:
    shown = assay("doctor", "--toolchains", "--json")
    assert shown.returncode == 0, shown.stderr
    languages = json.loads(shown.stdout)["languages"]
    assert [row["language"] for row in languages] == list(TOOLCHAINS)
    assert [row for row in languages if not row["holds"] or not row["versions"]] == []


def test_doctor_without_an_engine_says_what_to_do(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("DOCKER_HOST", f"unix://{tmp_path}/none.sock")
    shown = assay("doctor")
    assert shown.returncode == 3
    assert "make engine" in shown.stdout
    assert "Kinds of hosts" in shown.stdout
