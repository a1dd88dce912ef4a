"""Reports as an adversary writes them: never believed, never a crash of ours, never markup in a page."""

from __future__ import annotations

import json
import math

import pytest

from runner.toolchains.registry import TOOLCHAINS
from tests.attacks.attack import Arena, appended, idle

END = b'{"event":"end","id":"tests/test_int_lists.py::test_x","outcome":"passed","message":"","seconds":%s}\n'
DONE = b'{"event":"done","tests":%s}\n'
UNREADABLE = {
    "not-json": b"all passed\n",
    "not-utf-8": b"\xff\xfe\n",
    "not-an-object": b"[]\n",
    "unknown-event": b'{"event":"resolved"}\n',
    "unknown-outcome": END.replace(b'"passed"', b'"fine"') % b"1",
    "outcome-of-a-wrong-type": END.replace(b'"passed"', b"[]") % b"1",
    "endless-count": DONE % b"Infinity",
    "count-that-is-no-number": DONE % b"NaN",
    "count-of-many-digits": DONE % (b"9" * 5000),
    "seconds-beyond-a-float": END % (b"1" + b"0" * 400),
    "deep": b'{"event":"end","id":' + b"[" * 200_000 + b"]" * 200_000 + b"}\n",
    "too-many-lines": b'{"event":"start","id":"x"}\n' * 200_001,
    "nul-bytes-between": END % b"1" + b"\0\0\0\n" + DONE % b"1",
}


@pytest.mark.parametrize("data", UNREADABLE.values(), ids=UNREADABLE)
def test_an_unreadable_report_is_told_and_incomplete(data: bytes) -> None:
    report = TOOLCHAINS["python"].parse_report(data)
    assert report.problem
    assert not report.complete


def test_an_empty_report_is_incomplete() -> None:
    assert not TOOLCHAINS["python"].parse_report(b"").complete


@pytest.mark.parametrize("seconds", [b"NaN", b"-Infinity", b"Infinity", b"-5", b"1e300"])
def test_durations_stay_numbers(seconds: bytes) -> None:
    report = TOOLCHAINS["python"].parse_report(END % seconds + DONE % b"1")
    assert report.complete
    assert math.isfinite(report.tests[0].seconds)
    assert 0 <= report.tests[0].seconds <= 1e6


@pytest.mark.parametrize("count", [b"0", b"2", b"-1", b"1.9e1"])
def test_a_closing_record_must_count_what_was_listed(count: bytes) -> None:
    assert not TOOLCHAINS["python"].parse_report(END % b"1" + DONE % count).complete


REPLACED = {
    "fifo": ("os.mkfifo(REPORT)", "not a regular file"),
    "folder": ("os.mkdir(REPORT)", "directory"),
    "link": ("os.symlink('/etc/passwd', REPORT)", "symbolic links"),
    "sparse": ("open(REPORT, 'w').truncate(1 << 40)", "larger than"),
    "gone": ("pass", "No such file"),
}


@pytest.mark.engine
@pytest.mark.slow
@pytest.mark.parametrize(("replaced", "why"), REPLACED.values(), ids=REPLACED)
def test_a_replaced_report_is_not_taken(arena: Arena, replaced: str, why: str) -> None:
    task = arena.task()
    code = f"import os\nREPORT = '/sandbox/reports/report.jsonl'\nos.unlink(REPORT)\n{replaced}\n"
    result = arena.judge(task, appended(arena.materials.gold(task), {"boltons/__init__.py": code}))
    assert result.verdict == "broken", result.reason
    assert "completion" in result.caught_by
    assert all(why in one.report_problem for one in arena.evidence(result).passes)


MARKUP = "\ud800<script>alert(1)</script>\x1b[31m\u202e|`\n"


@pytest.mark.engine
def test_ids_and_messages_of_an_adversary_are_shown_harmless(arena: Arena) -> None:
    task = arena.task()
    events = [
        {"event": "start", "id": MARKUP},
        {"event": "end", "id": MARKUP * 50, "outcome": "failed", "message": MARKUP, "seconds": 1},
        {"event": "uncollected", "unit": "tests/test_layout.py", "message": MARKUP},
        {"event": "end", "id": "a" * 1_000_000, "outcome": "passed", "message": "", "seconds": float("nan")},
        {"event": "done", "tests": 2},
    ]
    lines = "".join(json.dumps(event) + "\n" for event in events)
    code = f"import os\nopen('/sandbox/reports/report.jsonl', 'w').write({lines!r})\nos._exit(0)\n"
    result = arena.judge(task, appended(idle(task, arena.materials), {"boltons/__init__.py": code}))
    text = result.model_dump_json()
    assert result.verdict == "broken"
    assert type(result).model_validate_json(text) == result
    assert len(text) < 200_000
    assert all(character.isprintable() for finding in result.findings for character in finding.message)
