"""Runs a suite's units, a process each under its framework, and reads what that tells over a pipe.

A test has passed if the framework says so once, its unit's closing record counts all that ended, and the
process ended well: one that ends early fails every test that had not ended. What forges all that is for the canaries.
"""

from __future__ import annotations

import contextlib
import json
import os
import select
import signal
import subprocess
import sys
import time
from typing import Any

FOLDER = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, FOLDER)

import recorder  # type: ignore[import-not-found]  # noqa: E402  # laid beside this script

NODE = ["/usr/bin/node", "--v8-pool-size=1"]
OUTCOMES = ("passed", "failed", "skipped")
READ_BYTES = 1 << 16
LONGEST_LINE = 1 << 16


class Unit:
    """What is told of one unit: tests that began and ended, what is wrong with the whole or with a part."""

    def __init__(self, file: str, report: recorder.Recorder) -> None:
        self.file, self.report = file, report
        self.ended: dict[str, dict[str, Any]] = {}
        self.repeated: set[str] = set()
        self.wrong, self.running, self.closed = "", "", -1
        self.loose: list[tuple[str, str]] = []
        self.rest = b""

    def take(self, data: bytes) -> None:
        """Read lines; what is none of ours is passed over, so that the closing record does not fit."""
        *lines, self.rest = (self.rest + data).split(b"\n")
        self.rest = self.rest[:LONGEST_LINE]
        for line in lines:
            with contextlib.suppress(ValueError, TypeError, KeyError, AttributeError, RecursionError):
                self._event(json.loads(line))

    def _event(self, event: dict[str, Any]) -> None:
        if "start" in event:
            self.running = str(event["start"])
            self.report.start(f"{self.file}::{self.running}")
        elif "end" in event:
            name = str(event["end"])
            if name in self.ended:
                self.repeated.add(name)
            self.ended[name] = {
                "outcome": event["outcome"] if event["outcome"] in OUTCOMES else "failed",
                "message": str(event["message"]),
                "seconds": float(event["seconds"]),
            }
        elif "loose" in event:
            self.loose.append((str(event["within"]), str(event["loose"])))
        elif "wrong" in event:
            self.wrong = self.wrong or str(event["wrong"])
        elif "closed" in event:
            self.closed = int(event["closed"])

    def close(self, listed: list[str], how: str, well: bool) -> None:
        """Write the outcome of every test that was listed or has run."""
        names = [name.partition("::")[2] for name in listed]
        if self.wrong and not self.ended and not self.running:
            self.report.uncollected(self.file, self.wrong)
            return
        whole = well and self.closed == len(self.ended)
        for name in [*self.ended, *(name for name in names if name not in self.ended)]:
            test = f"{self.file}::{name}"
            self.report.start(test)
            self.report.end(test, **self._outcome(name, how, whole))

    def _outcome(self, name: str, how: str, whole: bool) -> dict[str, Any]:
        found = self.ended.get(name)
        amiss = next((why for within, why in self.loose if name.startswith(within)), self.wrong)
        if found is None:
            at = f" (in {self.running})" if self.running not in ("", name) else ""
            return {"outcome": "failed", "message": amiss or f"{how} before the test ended{at}"}
        if found["outcome"] != "passed":
            return found
        if name in self.repeated:
            return {"outcome": "failed", "message": "it is reported twice"}
        if amiss or not whole:
            return {"outcome": "failed", "message": amiss or f"{how} before the unit ended"}
        return found


def run(argv: list[str], tree: str, pipe: int, unit: Unit) -> recorder.Ended:
    """Run a unit to its end, reading the pipe; what it left behind is killed."""
    began = time.monotonic()
    child = subprocess.Popen(argv, cwd=tree, stdin=subprocess.DEVNULL, start_new_session=True)
    ending = os.pidfd_open(child.pid)
    ready: list[int] = []
    while ending not in ready:
        ready, _, _ = select.select([pipe, ending], [], [])
        drain(pipe, unit)
    code = child.wait()
    os.close(ending)
    with contextlib.suppress(ProcessLookupError, PermissionError):
        os.killpg(child.pid, signal.SIGKILL)
    drain(pipe, unit)
    return recorder.Ended(code, b"", time.monotonic() - began)


def drain(pipe: int, unit: Unit) -> None:
    """Read what is in the pipe."""
    with contextlib.suppress(BlockingIOError):
        while data := os.read(pipe, READ_BYTES):
            unit.take(data)


def main() -> None:
    """Run the settings' units in the order in which their tests come."""
    settings = recorder.settings(FOLDER)
    path = f"{settings['build']}/events"
    if os.path.lexists(path):
        os.unlink(path)
    os.mkfifo(path, 0o600)
    pipe = os.open(path, os.O_RDWR | os.O_NONBLOCK)
    report = recorder.Recorder(settings["report"])
    for file in dict.fromkeys(test.partition("::")[0] for test in settings["order"]):
        unit = Unit(file, report)
        argv = [*NODE, *settings["flags"], f"{FOLDER}/{settings['script']}", file]
        ended = run(argv, settings["tree"], pipe, unit)
        unit.close(settings["units"][file], ended.how, well=ended.code in (0, 1))
    report.done()


if __name__ == "__main__":
    main()
