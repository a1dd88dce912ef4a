"""Writes the report, and runs a test in a process of its own. Laid beside a language's runner, root's, in a sandbox.

Standard library only: it is started with `/usr/bin/python3 -I`, and imported by path.
"""

from __future__ import annotations

import contextlib
import json
import os
import re
import select
import signal
import subprocess
import sys
import time
from collections.abc import Callable
from typing import Any, NamedTuple

MESSAGE_LENGTH = 300
KEPT = 1 << 18
READ_BYTES = 1 << 16
TELL = "{tell}"
"""The argument that becomes the path of the file to tell by."""


class Ended(NamedTuple):
    """A process that ended: its exit code, negative for a signal; the end of its output; seconds."""

    code: int
    output: bytes
    seconds: float

    @property
    def how(self) -> str:
        """`exit code 3`, or `signal SIGSEGV`."""
        if self.code >= 0:
            return f"exit code {self.code}"
        known = {number.value: number.name for number in signal.Signals}
        return f"signal {known.get(-self.code, -self.code)}"


class Recorder:
    """The report of one pass, an event a line, each written out at once."""

    def __init__(self, path: str) -> None:
        self._stream = open(path, "w", encoding="utf-8")  # noqa: SIM115  # lives as long as the process
        self._ended = 0

    def start(self, test: str) -> None:
        """A test begins."""
        self._write(event="start", id=test)

    def end(self, test: str, outcome: str, message: str = "", seconds: float = 0.0) -> None:
        """A test has `passed`, `failed` or was `skipped`."""
        self._ended += 1
        self._write(event="end", id=test, outcome=outcome, message=cut(message), seconds=seconds)

    def uncollected(self, unit: str, message: str) -> None:
        """A unit did not build or load: none of its tests can run."""
        self._write(event="uncollected", unit=unit, message=cut(message))

    def done(self) -> None:
        """The closing record."""
        self._write(event="done", tests=self._ended)
        self._stream.close()

    def _write(self, **event: Any) -> None:
        self._stream.write(json.dumps(event) + "\n")
        self._stream.flush()


def cut(message: str) -> str:
    """One line, of a length that a report takes."""
    return " ".join(message.split())[:MESSAGE_LENGTH]


def first_match(output: bytes, pattern: str) -> str:
    """The first line of an output in which a regular expression is found, '' if there is none."""
    lines = output.decode("utf-8", "replace").splitlines()
    return next((line.strip() for line in lines if re.search(pattern, line)), "")


def run(
    argv: list[str], env: dict[str, str], cwd: str, *, told: Callable[[bytes], None] | None = None
) -> Ended:
    """Run a command to its end, showing its output and keeping the last of it; what it left behind is killed.

    It ends when the process does, whoever still holds its output open. With `told` the command finds in place
    of the argument TELL a file to write to, and `told` gets each line as it is written.
    """
    began = time.monotonic()
    reader, writer = os.pipe()
    child = subprocess.Popen(
        [f"/proc/self/fd/{writer}" if word == TELL else word for word in argv],
        env=env,
        cwd=cwd,
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        start_new_session=True,
        pass_fds=() if told is None else (writer,),
    )
    os.close(writer)
    assert child.stdout is not None
    output, ending = _Tail(child.stdout.fileno()), os.pidfd_open(child.pid)
    lines = _Lines(reader, told or (lambda line: None))
    sources = {output.reader: output.take, reader: lines.take}
    while True:
        ready, _, _ = select.select([*sources, ending], [], [])
        for one in set(ready) & set(sources):
            if not sources[one]():
                del sources[one]
        if ending in ready:
            for take in sources.values():
                take()
            break
    code = child.wait()
    os.close(ending)
    with contextlib.suppress(ProcessLookupError, PermissionError):
        os.killpg(child.pid, signal.SIGKILL)
    child.stdout.close()
    os.close(reader)
    return Ended(code, output.kept, time.monotonic() - began)


class _Tail:
    """What a process wrote: passed on to our own output, the last of it kept."""

    def __init__(self, reader: int) -> None:
        self.reader, self.kept = reader, b""
        os.set_blocking(reader, False)

    def take(self) -> bool:
        """Read what is there; False once nobody holds the other end."""
        while True:
            try:
                data = os.read(self.reader, READ_BYTES)
            except BlockingIOError:
                return True
            if not data:
                return False
            self.kept = (self.kept + data)[-KEPT:]
            sys.stdout.buffer.write(data)
            sys.stdout.buffer.flush()


class _Lines:
    """What a process tells, a line at a time; a line that has no end within KEPT bytes is thrown away."""

    def __init__(self, reader: int, told: Callable[[bytes], None]) -> None:
        self._reader, self._told, self._begun = reader, told, b""
        os.set_blocking(reader, False)

    def take(self) -> bool:
        """Read what is there; False once nobody holds the other end."""
        while True:
            try:
                data = os.read(self._reader, READ_BYTES)
            except BlockingIOError:
                return True
            if not data:
                return False
            *lines, rest = (self._begun + data).split(b"\n")
            self._begun = rest if len(rest) < KEPT else b""
            for line in lines:
                self._told(line)


def settings(folder: str) -> dict[str, Any]:
    """The settings laid beside the runner."""
    with open(f"{folder}/settings.json", encoding="utf-8") as stream:
        found: dict[str, Any] = json.load(stream)
    return found
