from __future__ import annotations

import errno
import multiprocessing
import os
import resource
import signal
import subprocess
import sys
import threading
from collections.abc import Callable
from pathlib import Path

import pytest

import bench
import bench.results_file
import bench.write_file
from bench.results_file import RESULTS_NAME, open_results, read_results
from grader.result import Result
from runner.errors import FolderBusy, HostFailure, ResultsError, UsageError

ResultOf = Callable[..., Result]


def agents(folder: Path) -> list[str]:
    return [result.agent for result in read_results(folder / RESULTS_NAME)]


def test_what_was_appended_is_there_after_reopening(tmp_path: Path, result_of: ResultOf) -> None:
    with open_results(tmp_path / "new" / "out") as results:
        results.append(result_of(agent="one"))
        results.append(result_of(agent="two", attempt=2))
        assert ("boltons-split-iterutils", "two", 2) in results
    with open_results(tmp_path / "new" / "out") as results:
        assert results.results == (result_of(agent="one"), result_of(agent="two", attempt=2))
        assert ("boltons-split-iterutils", "two", 1) not in results


def test_a_key_is_there_once(tmp_path: Path, result_of: ResultOf) -> None:
    with open_results(tmp_path) as results:
        results.append(result_of(agent="one"))
        with pytest.raises(ValueError, match="has a result"):
            results.append(result_of(agent="one", verdict="broken"))
    assert agents(tmp_path) == ["one"]


def test_a_torn_last_line_costs_that_line_only(tmp_path: Path, result_of: ResultOf) -> None:
    with open_results(tmp_path) as results:
        results.append(result_of(agent="one"))
        results.append(result_of(agent="two"))
    path = tmp_path / RESULTS_NAME
    whole = path.read_bytes()
    for lost in (2, 100, len(whole) // 2 - 1):
        path.write_bytes(whole[:-lost])
        assert agents(tmp_path) == ["one"]
        with open_results(tmp_path) as results:
            assert [result.agent for result in results.results] == ["one"]
            results.append(result_of(agent="three"))
        assert agents(tmp_path) == ["one", "three"]


def test_a_last_line_that_lost_only_its_newline_is_kept(tmp_path: Path, result_of: ResultOf) -> None:
    with open_results(tmp_path) as results:
        results.append(result_of(agent="one"))
    path = tmp_path / RESULTS_NAME
    path.write_bytes(path.read_bytes().rstrip(b"\n"))
    assert agents(tmp_path) == ["one"]
    with open_results(tmp_path) as results:
        results.append(result_of(agent="two"))
    assert agents(tmp_path) == ["one", "two"]


def test_a_tail_of_nul_bytes_is_torn(tmp_path: Path, result_of: ResultOf) -> None:
    with open_results(tmp_path) as results:
        results.append(result_of(agent="one"))
    with (tmp_path / RESULTS_NAME).open("ab") as stream:
        stream.write(b"\0" * 512)
    with open_results(tmp_path) as results:
        results.append(result_of(agent="two"))
    assert agents(tmp_path) == ["one", "two"]


def test_damage_in_the_middle_is_refused_by_line(tmp_path: Path, result_of: ResultOf) -> None:
    with open_results(tmp_path) as results:
        for agent in ("one", "two", "three"):
            results.append(result_of(agent=agent))
    path = tmp_path / RESULTS_NAME
    first, _, third, _ = path.read_bytes().split(b"\n")
    path.write_bytes(b"\n".join([first, b'{"task": 1', first, b"", third, b""]))
    before = path.read_bytes()
    with pytest.raises(ResultsError) as caught, open_results(tmp_path):
        pass
    assert [fault.line for fault in caught.value.faults] == [2, 3, 4]
    assert "has a result on line 1 already" in caught.value.faults[1].message
    assert path.read_bytes() == before


def test_errored_results_are_dropped_to_run_again(tmp_path: Path, result_of: ResultOf) -> None:
    with open_results(tmp_path) as results:
        results.append(result_of(agent="one"))
        results.append(result_of(agent="two", verdict="errored"))
        assert results.drop_errored() == (("boltons-split-iterutils", "two", 1),)
        assert results.drop_errored() == ()
        results.append(result_of(agent="two"))
    assert agents(tmp_path) == ["one", "two"]
    assert sorted(path.name for path in tmp_path.iterdir()) == [".lock", RESULTS_NAME]


def test_dropping_that_fails_leaves_the_file_as_it_was(
    tmp_path: Path, result_of: ResultOf, monkeypatch: pytest.MonkeyPatch
) -> None:
    def no_room(_: int) -> None:
        raise OSError(errno.ENOSPC, "No space left on device")

    with open_results(tmp_path) as results:
        results.append(result_of(agent="one", verdict="errored"))
        with monkeypatch.context() as patched:
            patched.setattr(bench.write_file.os, "fsync", no_room)
            with pytest.raises(HostFailure, match="No space left on device"):
                results.drop_errored()
    assert agents(tmp_path) == ["one"]
    assert sorted(path.name for path in tmp_path.iterdir()) == [".lock", RESULTS_NAME]


def test_a_second_run_into_the_same_folder_gets_a_sentence(tmp_path: Path) -> None:
    busy = pytest.raises(FolderBusy, match=f"process {os.getpid()}.*choose another --out")
    with open_results(tmp_path), busy, open_results(tmp_path):
        pass
    with open_results(tmp_path) as results:
        assert results.results == ()


def test_a_reader_needs_no_lock(tmp_path: Path, result_of: ResultOf) -> None:
    with open_results(tmp_path) as results:
        results.append(result_of(agent="one"))
        assert agents(tmp_path) == ["one"]


def test_a_full_disk_leaves_whole_lines(tmp_path: Path, result_of: ResultOf) -> None:
    with open_results(tmp_path) as results:
        results.append(result_of(agent="one"))
        size = (tmp_path / RESULTS_NAME).stat().st_size
        context = multiprocessing.get_context("spawn")
        child = context.Process(target=_append_with_limit, args=(str(tmp_path / RESULTS_NAME), size + 100))
        child.start()
        child.join()
        assert child.exitcode == 0
        results.append(result_of(agent="two"))
    assert agents(tmp_path) == ["one", "two"]


def _append_with_limit(path: str, limit: int) -> None:
    """The file may grow by 100 bytes only: the line is taken in part, as on a full disk."""
    signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
    resource.setrlimit(resource.RLIMIT_FSIZE, (limit, limit))
    size = Path(path).stat().st_size
    try:
        bench.results_file._append_line(Path(path), b"x" * 1000 + b"\n")
    except HostFailure as error:
        sys.exit(0 if "the disk is full" in str(error) and Path(path).stat().st_size == size else 1)
    sys.exit(2)


def test_threads_append_whole_lines(tmp_path: Path, result_of: ResultOf) -> None:
    with open_results(tmp_path) as results:
        threads = [
            threading.Thread(
                target=lambda n=n: [results.append(result_of(agent=f"{n}-{i}")) for i in range(10)]
            )
            for n in range(4)
        ]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
    assert len(set(agents(tmp_path))) == 40


WRITER = """
import sys
from pathlib import Path
from bench.results_file import open_results
from grader.result import Result
result = Result.model_validate_json(sys.stdin.readline())
with open_results(Path(sys.argv[1])) as results:
    for number in range(100_000):
        results.append(result.model_copy(update={"agent": str(number)}))
        print(number, flush=True)
"""


def test_a_kill_loses_nothing_that_was_acknowledged(tmp_path: Path, result_of: ResultOf) -> None:
    child = subprocess.Popen(
        [sys.executable, "-c", WRITER, str(tmp_path)],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        cwd=Path(bench.__file__).parents[1],
        text=True,
    )
    with child:
        assert child.stdin and child.stdout
        child.stdin.write(result_of().model_dump_json() + "\n")
        child.stdin.flush()
        while int(child.stdout.readline()) < 5:
            pass
        child.kill()
        rest = child.stdout.read().split()
    acknowledged = [str(number) for number in range(6 + len(rest))]
    with open_results(tmp_path) as results:
        kept = [result.agent for result in results.results]
    assert kept[: len(acknowledged)] == acknowledged
    assert len(kept) <= len(acknowledged) + 1


def test_text_that_utf_8_cannot_hold_is_spelled_out(tmp_path: Path, result_of: ResultOf) -> None:
    with open_results(tmp_path) as results:
        results.append(result_of(dropped=("tests/caf\udce9.py",)))
        stored = results.results
    assert stored[0].dropped == ("tests/caf\\udce9.py",)
    assert read_results(tmp_path / RESULTS_NAME) == stored


def test_no_results_and_no_folder_are_sentences(tmp_path: Path) -> None:
    with pytest.raises(UsageError, match="name a folder that `assay bench` wrote"):
        read_results(tmp_path / RESULTS_NAME)
    blocked = tmp_path / "file"
    blocked.write_text("")
    with pytest.raises(UsageError, match="choose another --out"), open_results(blocked / "out"):
        pass
