"""Runs a suite's tests, a process a test, and reads what the testing package says of each.

It says so on stdout, which the product shares: an outcome counts only in the framing of `-test.v=test2json`
(a byte 0x16 before each line of its own), once, for the test that was asked for, closed and with the exit code
that goes with it. What forges all that is for the canaries.
"""

from __future__ import annotations

import json
import os
import re
import sys

FOLDER = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, FOLDER)

import recorder  # type: ignore[import-not-found]  # noqa: E402  # laid beside this script

ENDED = re.compile(rb"\x16--- (PASS|FAIL|SKIP): ([^\n/]+) \((\d+\.\d+)s\)\n")
"""The end of a test; of a subtest, which has a slash in its name, only its parent speaks."""
CLOSED = re.compile(rb"\x16=== NAME +\n\x16PASS\n\Z")
WHY = r"^\s*\S+\.go:\d+: |^panic: |^fatal error: |^SIG[A-Z]+: "


def outcome(name: str, ended: recorder.Ended) -> tuple[str, str]:
    """`passed`, `failed` or `skipped`, and a message."""
    said = [(word, test.decode("utf-8", "replace")) for word, test, _ in ENDED.findall(ended.output)]
    why = recorder.first_match(ended.output, WHY)
    if ended.code != 0:
        return "failed", f"{why} ({ended.how})" if said != [(b"FAIL", name)] or ended.code != 1 else why
    if not CLOSED.search(ended.output) or len(said) != 1 or said[0][1] != name or said[0][0] == b"FAIL":
        return "failed", f"{ended.how} before the test ended" if not said else f"it reports {said!r:.200}"
    return ("passed", "") if said[0][0] == b"PASS" else ("skipped", why or "skipped")


def main() -> None:
    """Run the settings' order."""
    settings = recorder.settings(FOLDER)
    tree, build = settings["tree"], settings["build"]
    with open(f"{build}/suite.json", encoding="utf-8") as stream:
        wrong = json.load(stream)
    report = recorder.Recorder(settings["report"])
    programs = {unit: f"{build}/tests/{number}" for number, unit in enumerate(settings["units"])}
    for unit, error in wrong.items():
        report.uncollected(unit, error)
    for test in settings["order"]:
        unit, _, name = test.partition("::")
        if unit in wrong:
            continue
        report.start(test)
        argv = [programs[unit], f"-test.run=^{name}$", "-test.v=test2json", "-test.paniconexit0"]
        ended = recorder.run(argv, dict(os.environ), os.path.join(tree, os.path.dirname(unit)))
        report.end(test, *outcome(name, ended), seconds=ended.seconds)
    report.done()


if __name__ == "__main__":
    main()
