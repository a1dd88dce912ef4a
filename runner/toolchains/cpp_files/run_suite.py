"""Runs a suite's tests, a process a test, and reads the JSON report that GoogleTest writes of each.

A test has passed if that report is there and says that it ran to its end without a failure, that nothing else
ran, and the exit code agrees. The rows of a test with parameters and the types of a typed one run together and
have to pass together. What forges all that in the process is for the canaries.
"""

from __future__ import annotations

import json
import os
import sys
from typing import TYPE_CHECKING, Any, NamedTuple

if TYPE_CHECKING:
    from runner.toolchains.native_files.native import HERE, Native, remove, settings
    from runner.toolchains.shared_files import recorder
else:
    sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
    import recorder
    from native import HERE, Native, remove, settings

PLAIN = (
    *("--gtest_also_run_disabled_tests=0", "--gtest_break_on_failure=0", "--gtest_brief=0"),
    *("--gtest_catch_exceptions=1", "--gtest_color=no", "--gtest_fail_fast=0", "--gtest_repeat=1"),
    *("--gtest_shuffle=0", "--gtest_throw_on_failure=0"),
)
"""Every flag that a variable, or code that runs before `main`, could have set."""
MOST_BYTES = 4 << 20


class Row(NamedTuple):
    """One entry of GoogleTest's report, under the name of the test as it is written."""

    name: str
    entry: dict[str, Any]


def written(suite: str, name: str) -> str:
    """`Suite.Name` of `Prefix/Suite.Name/0`, `Suite/0.Name` and `Prefix/Suite/0.Name`."""
    parts = suite.split("/")
    row = "/" in name or len(parts) == 1
    return f"{parts[-1 if row else -2]}.{name.partition('/')[0]}"


def filter_of(name: str) -> str:
    """All that `written` gives this name to."""
    suite, _, test = name.partition(".")
    rows, types = f"{suite}.{test}/*", f"{suite}/*.{test}"
    return ":".join((name, rows, f"*/{rows}", types, f"*/{types}"))


def rows_of(path: str) -> list[Row] | None:
    """The entries of a report, in order; None if there is none that can be read."""
    try:
        with open(path, "rb") as stream:
            report = json.loads(stream.read(MOST_BYTES).decode("utf-8", "replace"))
        return [
            Row(written(str(suite["name"]), str(entry["name"])), entry)
            for suite in report["testsuites"]
            for entry in suite["testsuite"]
        ]
    except (OSError, ValueError, KeyError, TypeError, RecursionError):
        return None


def outcome(name: str, ended: recorder.Ended, rows: list[Row] | None) -> tuple[str, str]:
    """`passed`, `failed` or `skipped`, and a message."""
    if rows is None:
        return "failed", f"{ended.how} before the test ended"
    if not rows:
        return "failed", "there is no such test in the program"
    if strange := next((row.name for row in rows if row.name != name), ""):
        return "failed", f"{strange} ran in its place"
    failures = [failure for row in rows for failure in row.entry.get("failures", ())]
    if failures or ended.code != 0:
        why = str(failures[0].get("failure", "")) if failures else ""
        return "failed", why if ended.code == 1 and failures else f"{why} ({ended.how})"
    for row in rows:
        if (row.entry.get("status"), row.entry.get("result")) != ("RUN", "COMPLETED"):
            reasons = [str(one.get("message", "")) for one in row.entry.get("skipped", ())]
            return "skipped", " ".join(reasons) or f"{row.entry.get('result')}"
    return "passed", ""


class Runner:
    """Runs the programs of one pass."""

    def __init__(self, native: Native, tree: str) -> None:
        self.native, self.tree = native, tree
        self.result = f"{native.build}/result.json"

    def run(self, unit: str, *arguments: str) -> tuple[recorder.Ended, list[Row] | None]:
        """One process of a unit's program, and what it reports."""
        remove(self.result)
        argv = [
            f"{self.native.folder_of(unit)}/program",
            *PLAIN,
            f"--gtest_output=json:{self.result}",
            *arguments,
        ]
        ended = recorder.run(argv, dict(os.environ), self.tree)
        return ended, rows_of(self.result)

    def test(self, report: recorder.Recorder, id_: str) -> None:
        """One test, with all its rows."""
        unit, _, name = id_.partition("::")
        report.start(id_)
        ended, rows = self.run(unit, f"--gtest_filter={filter_of(name)}")
        report.end(id_, *outcome(name, ended, rows), seconds=ended.seconds)

    def unlisted(self, unit: str, listed: list[str]) -> list[str]:
        """Tests in a unit's program that the suite does not list."""
        _, rows = self.run(unit, "--gtest_list_tests")
        found = dict.fromkeys(f"{unit}::{row.name}" for row in rows or ())
        return [id_ for id_ in found if id_ not in listed]


def main() -> None:
    """Run the settings' order, then what the suite does not list."""
    made = recorder.settings(HERE)
    native = Native(settings())
    runner, report = Runner(native, made["tree"]), recorder.Recorder(made["report"])
    wrong = native.uncollected()
    for unit, error in wrong.items():
        report.uncollected(unit, error)
    units = {unit: tests for unit, tests in made["units"].items() if unit not in wrong}
    for id_ in made["order"]:
        if id_.partition("::")[0] in units:
            runner.test(report, id_)
    for unit, tests in units.items():
        for id_ in runner.unlisted(unit, tests):
            runner.test(report, id_)
    report.done()


if __name__ == "__main__":
    main()
