"""`results.jsonl`: one result a line; a kill at any moment costs at most the line being written."""

from __future__ import annotations

import fcntl
import os
import threading
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

from pydantic import ValidationError

from bench.write_file import remove_unfinished, replace_file
from grader.result import Result
from runner.errors import Fault, FolderBusy, HostFailure, ResultsError, UsageError

RESULTS_NAME = "results.jsonl"
LOCK_NAME = ".lock"

ResultKey = tuple[str, str, int]


def result_key(result: Result) -> ResultKey:
    """What a results file holds once: task, agent, attempt."""
    return result.task, result.agent, result.attempt


@dataclass(frozen=True, slots=True)
class _Stored:
    """A results file as read: its results, and how many bytes of it are whole lines."""

    results: tuple[Result, ...]
    whole_bytes: int


class ResultsFile:
    """The results of one out folder, open for appending (`open_results`). Threads may share it."""

    def __init__(self, path: Path, results: Sequence[Result]) -> None:
        self.path = path
        self._results = {result_key(result): result for result in results}
        self._mutex = threading.Lock()

    @property
    def results(self) -> tuple[Result, ...]:
        """Every result so far, in the order of the file."""
        with self._mutex:
            return tuple(self._results.values())

    def __contains__(self, key: ResultKey) -> bool:
        """Is there a result of that task, agent and attempt."""
        with self._mutex:
            return key in self._results

    def append(self, result: Result) -> None:
        """Write one result and see it on disk before returning.

        Raises ValueError if its key is there already, HostFailure if the disk does not take the line whole;
        the file is then as it was.
        """
        result = _storable(result)
        key, line = result_key(result), _line(result)
        with self._mutex:
            if key in self._results:
                raise ValueError(f"{key} has a result in {self.path}")
            _append_line(self.path, line)
            self._results[key] = result

    def drop_errored(self) -> tuple[ResultKey, ...]:
        """Forget results whose verdict is `errored`, so that they run again; their keys come back.

        The file is replaced in one step: killed in between, it is the old one or the new one.
        """
        with self._mutex:
            dropped = tuple(key for key, result in self._results.items() if result.verdict == "errored")
            if dropped:
                kept = {key: result for key, result in self._results.items() if key not in dropped}
                replace_file(self.path, b"".join(_line(result) for result in kept.values()))
                self._results = kept
            return dropped


def read_results(path: Path) -> tuple[Result, ...]:
    """The results in `path`, for a reader: a last line that was cut short is left out, the file untouched.

    Raises ResultsError with the number of each damaged or repeated line, UsageError if there is no such file.
    """
    try:
        return _parse(path.read_bytes(), path).results
    except OSError as error:
        raise UsageError(f"{path}: {error.strerror}; name a folder that `assay bench` wrote") from error


def write_results(path: Path, results: Iterable[Result]) -> None:
    """Put `results` in place of what is in `path`, in one step. Raises HostFailure if it cannot."""
    replace_file(path, b"".join(_line(_storable(result)) for result in results))


@contextmanager
def open_results(folder: Path) -> Iterator[ResultsFile]:
    """Open the results of an out folder for one run, made if need be, locked against a second run.

    A last line that was cut short is removed. Raises FolderBusy if another run holds the folder, ResultsError
    as `read_results`, UsageError if the folder cannot be written.
    """
    with _locked(folder):
        remove_unfinished(folder)
        path = folder / RESULTS_NAME
        if not path.exists():
            replace_file(path, b"")
        stored = _parse(path.read_bytes(), path)
        _mend_end(path, stored.whole_bytes)
        yield ResultsFile(path, stored.results)


@contextmanager
def _locked(folder: Path) -> Iterator[None]:
    """Hold the folder's lock. The kernel lets go of it when the process ends, however it ends."""
    try:
        folder.mkdir(parents=True, exist_ok=True)
        handle = os.open(folder / LOCK_NAME, os.O_RDWR | os.O_CREAT, 0o644)
    except OSError as error:
        raise UsageError(f"{folder} cannot be written: {error.strerror}; choose another --out") from error
    try:
        try:
            fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError as error:
            holder = os.pread(handle, 20, 0).decode("ascii", "replace").strip() or "unknown"
            raise FolderBusy(
                f"{folder} is in use by another run (process {holder}); wait for it, or choose another --out"
            ) from error
        os.ftruncate(handle, 0)
        os.pwrite(handle, f"{os.getpid()}\n".encode(), 0)
        yield
    finally:
        os.close(handle)


def _storable(result: Result) -> Result:
    """The result itself, or with `\\udc80` spelled out where a path or message holds what UTF-8 cannot."""
    try:
        result.model_dump_json()
    except ValueError:
        return Result.model_validate(_spelled_out(result.model_dump(mode="python")))
    return result


def _spelled_out(value: object) -> object:
    match value:
        case str():
            return value.encode("utf-8", "backslashreplace").decode("utf-8")
        case dict():
            return {_spelled_out(key): _spelled_out(item) for key, item in value.items()}
        case list() | tuple():
            return tuple(_spelled_out(item) for item in value)
        case _:
            return value


def _line(result: Result) -> bytes:
    return result.model_dump_json().encode("utf-8") + b"\n"


def _append_line(path: Path, line: bytes) -> None:
    """One write of the whole line: a reader sees all of it or, after a kill, a torn end that it can tell."""
    handle = os.open(path, os.O_WRONLY | os.O_APPEND)
    try:
        size = os.fstat(handle).st_size
        try:
            written = os.write(handle, line)
            os.fsync(handle)
        except OSError as error:
            os.ftruncate(handle, size)
            raise HostFailure(f"{path} cannot be written: {error.strerror}; make room and resume") from error
        if written != len(line):
            os.ftruncate(handle, size)
            raise HostFailure(
                f"{path} took {written} of {len(line)} bytes; the disk is full: make room, resume"
            )
    finally:
        os.close(handle)


def _parse(data: bytes, path: Path) -> _Stored:
    """Every whole line, and a last line without its newline if it reads all the same."""
    *lines, end = data.split(b"\n")
    results: dict[ResultKey, tuple[int, Result]] = {}
    faults: list[Fault] = []
    for number, line in enumerate(lines, 1):
        faults.extend(_take(results, line, number, path))
    if faults:
        raise ResultsError(f"{path} is damaged; delete the lines named to have them judged again:", faults)
    torn = bool(end) and bool(_take(results, end, len(lines) + 1, path))
    return _Stored(tuple(result for _, result in results.values()), len(data) - len(end) * torn)


def _take(results: dict[ResultKey, tuple[int, Result]], line: bytes, number: int, path: Path) -> list[Fault]:
    """Put the result of `line` into `results`, or say what is wrong with it."""
    try:
        result = Result.model_validate_json(line)
    except ValidationError as error:
        first = error.errors(include_url=False, include_input=False)[0]
        place = ".".join(str(part) for part in first["loc"])
        return [Fault(str(path), number, f"not a result: {place} {first['msg']}".replace(":  ", ": "))]
    earlier = results.setdefault(result_key(result), (number, result))
    if earlier[1] is not result:
        what = f"{result.task}, agent {result.agent!r}, attempt {result.attempt}"
        return [Fault(str(path), number, f"{what} has a result on line {earlier[0]} already")]
    return []


def _mend_end(path: Path, whole_bytes: int) -> None:
    """Cut a torn last line off; give a whole one that lost its newline its newline back."""
    handle = os.open(path, os.O_RDWR)
    try:
        os.ftruncate(handle, whole_bytes)
        if whole_bytes and os.pread(handle, 1, whole_bytes - 1) != b"\n":
            os.pwrite(handle, b"\n", whole_bytes)
        os.fsync(handle)
    finally:
        os.close(handle)
