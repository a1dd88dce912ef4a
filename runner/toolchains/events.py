"""The report that every toolchain's runner writes: one JSON object a line, one line an event.

    {"event": "start", "id": ...}                                       a test begins
    {"event": "end", "id": ..., "outcome": "passed|failed|skipped", "message": ..., "seconds": ...}
    {"event": "uncollected", "unit": ..., "message": ...}               a unit did not load
    {"event": "done", "tests": ...}                                     the closing record: how many have ended
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from typing import Any

from runner.toolchains import Outcome, Report, Reported

MAX_EVENTS = 200_000
MAX_EVENT_BYTES = 65_536
"""A line is read into memory as values many times its size."""
OUTCOMES: Mapping[str, Outcome] = {"passed": "passed", "failed": "failed", "skipped": "skipped"}


class EventReports:
    """The part of a toolchain that reads such a report."""

    report_name = "report.jsonl"

    def parse_report(self, data: bytes) -> Report:
        """Read the event lines; whatever is not one of ours makes the report unreadable."""
        tests: list[Reported] = []
        uncollected: dict[str, str] = {}
        running, done = "", -1
        try:
            for event in _events(data):
                match event["event"]:
                    case "start":
                        running = str(event["id"])
                    case "end":
                        tests.append(_reported(event))
                        running = ""
                    case "uncollected":
                        uncollected[str(event["unit"])] = str(event["message"])
                    case "done":
                        done = int(event["tests"])
                    case other:
                        raise ValueError(f"an event called {other!r:.50}")
        except (ValueError, KeyError, TypeError, OverflowError, RecursionError) as error:
            problem = f"the report is not readable: {type(error).__name__}: {error!s:.200}"
            return Report(tests=tuple(tests), complete=False, running=running, uncollected=uncollected, problem=problem)
        return Report(tests=tuple(tests), complete=done == len(tests), running=running, uncollected=uncollected)


def _events(data: bytes) -> Iterator[dict[str, Any]]:
    if data.count(b"\n") > MAX_EVENTS:
        raise ValueError(f"more than {MAX_EVENTS} lines")
    for line in data.rstrip(b"\n").split(b"\n") if data else ():
        if len(line) > MAX_EVENT_BYTES:
            raise ValueError(f"a line of {len(line)} bytes")
        event = json.loads(line.decode("utf-8"))
        if not isinstance(event, dict):
            raise TypeError("a line that is not an object")
        yield event


def _reported(event: Mapping[str, Any]) -> Reported:
    seconds = float(event["seconds"])
    return Reported(
        id=str(event["id"]),
        outcome=OUTCOMES[event["outcome"]],
        message=str(event["message"])[:500],
        seconds=min(seconds, 1e6) if seconds >= 0 else 0.0,  # a number that is none compares as False
    )
