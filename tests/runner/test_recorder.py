"""The recorder that runs in a sandbox: what it writes is read back, and a process is what it was."""

from __future__ import annotations

import time
from pathlib import Path

import pytest

from runner.toolchains.events import EventReports
from runner.toolchains.shared_files.recorder import Recorder, cut, first_match, run

ENVIRONMENT = {"PATH": "/usr/bin:/bin"}


def test_what_is_recorded_is_read_back(tmp_path: Path) -> None:
    file = tmp_path / "report.jsonl"
    recorder = Recorder(str(file))
    recorder.start("u::a b [ü]")
    recorder.end("u::a b [ü]", "passed", "said\non two lines", 0.25)
    recorder.uncollected("v", "x.c:1: no")
    recorder.start("u::c")
    report = EventReports().parse_report(file.read_bytes())
    assert [(test.id, test.outcome, test.message) for test in report.tests] == [
        ("u::a b [ü]", "passed", "said on two lines")
    ]
    assert (report.uncollected, report.running, report.complete) == ({"v": "x.c:1: no"}, "u::c", False)
    recorder.end("u::c", "failed")
    recorder.done()
    assert EventReports().parse_report(file.read_bytes()).complete


def shell(script: str) -> list[str]:
    return ["/bin/sh", "-c", script]


@pytest.mark.parametrize(
    ("script", "how"),
    [("exit 0", "exit code 0"), ("exit 3", "exit code 3"), ("kill -SEGV $$", "signal SIGSEGV")],
)
def test_how_a_process_ended(script: str, how: str, tmp_path: Path) -> None:
    assert run(shell(script), ENVIRONMENT, str(tmp_path)).how == how


def test_the_end_of_an_output_is_kept_and_all_of_it_shown(
    tmp_path: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    ended = run(
        shell("echo first; head -c 400000 /dev/zero | tr '\\0' x; echo; echo last >&2"),
        ENVIRONMENT,
        str(tmp_path),
    )
    assert ended.output.endswith(b"x\nlast\n")
    assert len(ended.output) == 1 << 18
    assert capfd.readouterr().out.startswith("first\nxxx")


def test_a_process_left_behind_with_the_output_open_is_not_waited_for(tmp_path: Path) -> None:
    ended = run(shell("sleep 1000 & echo $! > pid; echo said"), ENVIRONMENT, str(tmp_path))
    assert ended.output == b"said\n"
    left = int((tmp_path / "pid").read_text())
    for _ in range(100):
        if not Path(f"/proc/{left}/cmdline").exists() or not Path(f"/proc/{left}/cmdline").read_bytes():
            break
        time.sleep(0.05)
    else:
        pytest.fail("the process that was left behind still runs")


def test_a_message_is_one_line_and_the_first_line_that_fits_is_found() -> None:
    assert cut("a\n  b\t" + "c" * 500) == ("a b " + "c" * 500)[:300]
    assert (
        first_match(b"note\n x.c:3:1: error: no \nx.c:9: error: too\n", r": error: ") == "x.c:3:1: error: no"
    )
    assert first_match(b"\xff", "error") == ""


def test_a_test_process_has_no_input_and_only_its_own_environment(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("ASSAY_SECRET", "secret")
    ended = run(shell("cat; echo ${ASSAY_SECRET-none}"), ENVIRONMENT, str(tmp_path))
    assert ended.output == b"none\n"
