"""Runs a suite's tests, a JVM a unit, and takes down what our launcher in it tells of each as it begins and ends.

A test that ends the JVM has failed, whatever the exit code; those after it run in another one. The launcher
shares its process with the product: what forges its lines is for the canaries.
"""

from __future__ import annotations

import json
import os
import re
import sys
from urllib.parse import unquote_plus

FOLDER = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, FOLDER)

import javac  # type: ignore[import-not-found]  # noqa: E402  # laid beside this script
import recorder  # type: ignore[import-not-found]  # noqa: E402

OUTCOMES = frozenset({"passed", "failed", "skipped"})
LOADED = "-XX:SharedArchiveFile=/opt/java/launch.jsa"
"""What the JVM need not load and verify again: JUnit's classes and ours."""
NUMBER = re.compile(r"\d{1,6}(?:\.\d{1,12})?(?:E-?\d{1,2})?$")


class Listening:
    """What one JVM tells of the tests that it was given.

    An end counts once the next thing that is told follows it in order: the next test's beginning, or the last line.
    """

    def __init__(self, report: recorder.Recorder, tests: list[str]) -> None:
        self.report, self.tests = report, tests
        self.begun = self.ended = 0
        self.waiting: tuple[str, str, float] | None = None
        self.closed, self.wrong = False, ""

    def line(self, data: bytes) -> None:
        """One line; tests come in the order that was asked for, and nothing comes after the last."""
        match data.decode("utf-8", "replace").split(" "):
            case ["start", number] if number == str(self.begun) and self.begun == self.ended < len(
                self.tests
            ):
                self.settle()
                self.report.start(self.tests[self.begun])
                self.begun += 1
            case ["end", number, outcome, seconds, why] if (
                number == str(self.ended)
                and self.ended < self.begun
                and outcome in OUTCOMES
                and NUMBER.match(seconds)
            ):
                self.waiting = outcome, unquote_plus(why), float(seconds)
                self.ended += 1
            case ["closed"] if self.ended == len(self.tests) and not self.closed:
                self.settle()
                self.closed = True
            case _:
                self.wrong = self.wrong or f"the launcher tells {data!r:.80}"

    def settle(self) -> None:
        """Take down the test that has ended; what was told out of order is charged to it."""
        if self.waiting is not None:
            outcome, why, seconds = self.waiting
            outcome, why = ("failed", self.wrong) if self.wrong else (outcome, why)
            self.report.end(self.tests[self.ended - 1], outcome, why, seconds=seconds)
            self.waiting, self.wrong = None, ""

    def finish(self, ended: recorder.Ended) -> int:
        """Take down the test that the JVM ended in or behind; how many of the tests are done with."""
        if self.closed:
            return self.ended
        if self.waiting is not None:
            self.wrong = self.wrong or f"{ended.how} before the launcher was done"
            self.settle()
            return self.ended
        if self.begun == self.ended:
            self.report.start(self.tests[self.ended])
        why = self.wrong or f"{ended.how} before the test ended"
        self.report.end(self.tests[self.ended], "failed", why)
        return self.ended + 1


def main() -> None:
    """Run the settings' order: units as they first come in it."""
    settings = recorder.settings(FOLDER)
    build = settings["build"]
    with open(f"{build}/suite.json", encoding="utf-8") as stream:
        made = json.load(stream)
    report = recorder.Recorder(settings["report"])
    for unit, error in made["wrong"].items():
        report.uncollected(unit, error)
    numbers = {unit: number for number, unit in enumerate(settings["units"])}
    waiting: dict[str, list[str]] = {}
    for test in settings["order"]:
        unit = test.partition("::")[0]
        if unit not in made["wrong"]:
            waiting.setdefault(unit, []).append(test)
    for unit, tests in waiting.items():
        path = f"{javac.classpath()}:{build}/tests/{numbers[unit]}:{build}/classes:{settings['resources']}"
        argv = [javac.JAVA, *javac.FLAGS, LOADED, *settings["flags"], "-cp", path]
        argv += ["assay.Launch", recorder.TELL, made["classes"][unit]]
        done = 0
        while done < len(tests):
            listening = Listening(report, tests[done:])
            names = [test.partition("::")[2] for test in tests[done:]]
            ended = recorder.run([*argv, *names], dict(os.environ), settings["tree"], told=listening.line)
            done += listening.finish(ended)
    report.done()


if __name__ == "__main__":
    main()
