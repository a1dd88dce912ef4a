"""Runs a suite's tests, a process a test, and reads what libtest says of each.

It says so on stdout, which the product shares: an outcome counts only if libtest's four records, of the one test
that was asked for, stand there once each in their order, with the exit code that goes with them. What forges all
that is for the canaries.
"""

from __future__ import annotations

import json
import os
import re
import sys
from typing import Any

FOLDER = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, FOLDER)

import crates  # type: ignore[import-not-found]  # noqa: E402  # laid beside this script
import recorder  # type: ignore[import-not-found]  # noqa: E402

RECORD = re.compile(rb'\{ "type": "(?:suite|test)",.*')
OPTIONS = ("--exact", "--test-threads=1", "--format=json", "-Zunstable-options")
JSON_ENVIRONMENT = {**os.environ, "RUSTC_BOOTSTRAP": "1"}
"""libtest writes JSON only where it takes itself for an unstable one."""
OUTCOMES = {"ok": ("ok", 0), "ignored": ("ok", 0), "failed": ("failed", 101)}
"""What is said of a test: what is said of the run then, and its exit code."""


def records(output: bytes) -> list[dict[str, Any]]:
    """libtest's records, and whatever looks like one."""
    found: list[dict[str, Any]] = []
    for text in RECORD.findall(output):
        try:
            found.append(json.loads(text))
        except (ValueError, RecursionError):
            found.append({})
    return found


def said_of(name: str, found: list[dict[str, Any]]) -> tuple[str, dict[str, Any]]:
    """What libtest says of the test, with its record; '' if that is not the whole and only story."""
    if len(found) != 4:
        return "", {}
    begin, start, end, close = found
    word = end.get("event", "")
    about = [(one.get("type"), one.get("name")) for one in (start, end)]
    framed = (begin.get("event"), begin.get("test_count"), start.get("event")) == ("started", 1, "started")
    if not framed or about != [("test", name)] * 2 or word not in OUTCOMES:
        return "", {}
    counts = [close.get(key) for key in ("passed", "failed", "ignored")]
    right = counts == [word == "ok", word == "failed", word == "ignored"]
    return (word, end) if right and close.get("event") == OUTCOMES[word][0] else ("", {})


def outcome(name: str, ended: recorder.Ended) -> tuple[str, str]:
    """`passed`, `failed` or `skipped`, and a message."""
    found = records(ended.output)
    word, record = said_of(name, found)
    if word and ended.code == OUTCOMES[word][1]:
        if word == "failed":
            return "failed", record.get("message") or panic(record.get("stdout", "")) or "failed"
        return ("passed", "") if word == "ok" else ("skipped", "ignored")
    why = panic(ended.output.decode("utf-8", "replace"))
    if ended.code not in (0, 101):
        return "failed", f"{why} ({ended.how})".strip()
    if len(found) > 4:
        return "failed", "something that looks like the test runner's records was printed"
    return "failed", f"{ended.how} before the test ended" + (f": {why}" if why else "")


def panic(output: str) -> str:
    """What a panic said, with its place, '' if nothing panicked."""
    _, begun, rest = output.partition("panicked at ")
    said = rest.partition("\nnote: ")[0].strip().split("\n", 5)[:5]
    return " ".join(said) if begun else ""


def standing(program: str, cwd: str) -> list[str]:
    """The tests in a program, by its own word."""
    ended = recorder.run([program, "--list", "--format=terse"], dict(os.environ), cwd)
    lines = ended.output.decode("utf-8", "replace").splitlines()
    return [line.removesuffix(": test") for line in lines if line.endswith(": test")]


def main() -> None:
    """Run the settings' order, then what the programs hold besides. A test that is nowhere goes unreported."""
    settings = recorder.settings(FOLDER)
    build, own = settings["build"], crates.settings(FOLDER)
    cwd = os.path.normpath(f"{settings['tree']}/{own['roots'][0]}")
    with open(f"{build}/suite.json", encoding="utf-8") as stream:
        wrong = json.load(stream)
    report = recorder.Recorder(settings["report"])
    programs = {unit: f"{build}/tests/{number}" for number, unit in enumerate(settings["units"])}
    for unit, error in wrong.items():
        report.uncollected(unit, error)
    held = [
        f"{unit}::{name}" for unit in programs if unit not in wrong for name in standing(programs[unit], cwd)
    ]
    listed = set(settings["order"])
    for test in [
        *(test for test in settings["order"] if test in held),
        *(test for test in held if test not in listed),
    ]:
        unit, _, name = test.partition("::")
        report.start(test)
        ended = recorder.run([programs[unit], name, *OPTIONS], JSON_ENVIRONMENT, cwd)
        report.end(test, *outcome(name, ended), seconds=ended.seconds)
    report.done()


if __name__ == "__main__":
    main()
