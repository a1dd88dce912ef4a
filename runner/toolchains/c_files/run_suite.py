"""Runs a C suite: CTest for one test at a time, in the plan's order, in a folder that says nothing but that test.

A test has passed when CTest says so in its JUnit report and the process handed back what it was told.
"""

from __future__ import annotations

import os
import re
import secrets
import sys
from typing import TYPE_CHECKING, Any
from xml.etree import ElementTree

if TYPE_CHECKING:
    from runner.toolchains.native_files.native import Native
    from runner.toolchains.native_files.native import settings as build_settings
    from runner.toolchains.shared_files.recorder import Ended, Recorder, first_match, run, settings
else:
    sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
    from native import Native
    from native import settings as build_settings
    from recorder import Ended, Recorder, first_match, run, settings

HERE = os.path.dirname(os.path.abspath(__file__))
SKIPPED_CODE = 77
NEVER_SECONDS = 10_000_000
"""CTest's own limit; those of the sandbox decide."""
SIGNALS = {
    "SEGFAULT": "signal SIGSEGV",
    "Subprocess aborted": "signal SIGABRT",
    "Subprocess killed": "signal SIGKILL",
    "ILLEGAL": "signal SIGILL",
    "NUMERICAL": "signal SIGFPE",
    "INTERRUPT": "signal SIGINT",
}
SAID = r"^1: .*\S"
"""A line that the test printed, in CTest's output."""
TOLD = r"^1: .*(?:[Aa]ssertion|:\d+:|[Ff]ail|FAIL|[Ee]rror|expected)"


class Runner:
    """One pass."""

    def __init__(self, made: dict[str, Any]) -> None:
        self.settings = made
        self.native = Native(build_settings())
        self.recorder = Recorder(made["report"])
        self.index = {test: place for tests in made["units"].values() for place, test in enumerate(tests)}

    def run(self) -> None:
        """Every test of the plan whose unit was built; the others are told by their unit."""
        unbuilt = self.native.uncollected()
        for unit, problem in unbuilt.items():
            self.recorder.uncollected(unit, problem)
        for number, test in enumerate(self.settings["order"]):
            unit = test.partition("::")[0]
            if unit not in unbuilt:
                self.recorder.start(test)
                self.recorder.end(test, *self.outcome(test, unit, f"{self.settings['build']}/ctest/{number}"))
        self.recorder.done()

    def outcome(self, test: str, unit: str, folder: str) -> tuple[str, str, float]:
        """Outcome, message and seconds of one test."""
        os.makedirs(folder)
        nonce, proof, junit = secrets.token_hex(16), f"{folder}/proof", f"{folder}/junit.xml"
        command = [f"{self.native.folder_of(unit)}/run", str(self.index[test]), proof, nonce]
        with open(f"{folder}/CTestTestfile.cmake", "w", encoding="utf-8") as stream:
            stream.write(test_file(test, command, self.settings["tree"]))
        argv = ["/usr/bin/ctest", "-V", "--test-dir", folder, "--output-junit", junit]
        ended = run([*argv, "--timeout", str(NEVER_SECONDS)], dict(os.environ), self.settings["tree"])
        status = status_of(junit, test)
        if status == "run" and handed_back(proof) == nonce:
            return "passed", "", ended.seconds
        if status == "run":
            return "failed", "exit code 0 before the test ended", ended.seconds
        if status == "skipped":
            return "skipped", first_match(ended.output, SAID)[3:], ended.seconds
        return "failed", f"{how(ended)}: {first_match(ended.output, TOLD)[3:]}".rstrip(": "), ended.seconds


def test_file(test: str, command: list[str], folder: str) -> str:
    """What CTest reads: one test."""
    name, argv = quoted(test), " ".join(quoted(part) for part in command)
    properties = f"SKIP_RETURN_CODE {SKIPPED_CODE} WORKING_DIRECTORY {quoted(folder)}"
    return f"add_test({name} {argv})\nset_tests_properties({name} PROPERTIES {properties})\n"


def quoted(text: str) -> str:
    """A text for CMake in which nothing is special."""
    fence = "=" * 5
    while f"]{fence}]" in text:
        fence += "="
    return f"[{fence}[{text}]{fence}]"


def status_of(junit: str, test: str) -> str:
    """CTest's word for the test: `run` (it passed), `fail`, `skipped`; '' if it does not say just that."""
    try:
        cases = list(ElementTree.parse(junit).getroot().iter("testcase"))  # noqa: S314  # harms this sandbox only
    except (OSError, ElementTree.ParseError):
        return ""
    if [case.get("name") for case in cases] != [test]:
        return ""
    skipped = cases[0].find("skipped")
    if skipped is not None:
        return "skipped" if "SKIP_RETURN_CODE" in skipped.get("message", "") else ""
    status = cases[0].get("status", "")
    return "" if status == "run" and cases[0].find("failure") is not None else status


def handed_back(proof: str) -> str:
    """What the process wrote when its test had returned."""
    try:
        with open(proof, encoding="ascii", errors="replace") as stream:
            return stream.read(100)
    except OSError:
        return ""


def how(ended: Ended) -> str:
    """How CTest says that the process ended."""
    told = re.findall(rb"^\s+1 - .* \(([^()\n]+)\)\s*$", ended.output, re.MULTILINE)
    word = told[-1].decode("utf-8", "replace") if told else f"CTest: {ended.how}"
    return SIGNALS.get(word, word)


if __name__ == "__main__":
    Runner(settings(HERE)).run()
