"""Runs the suite with pytest and writes one JSON line an event. Laid beside the suite, root's, in a sandbox.

Started before the product can be imported: pytest is loaded first, then the import roots are appended.
"""

from __future__ import annotations

import json
import os
import pathlib
import sys
from typing import Any, TextIO

import pytest

MESSAGE_LENGTH = 300


class Recorder:
    """Puts the tests in the plan's order and writes what happens to them."""

    def __init__(self, stream: TextIO, order: list[str]) -> None:
        self.stream = stream
        self.place = {test: place for place, test in enumerate(order)}
        self.reports: list[pytest.TestReport] = []
        self.ended = 0

    def write(self, event: dict[str, Any]) -> None:
        self.stream.write(json.dumps(event) + "\n")
        self.stream.flush()

    @pytest.hookimpl(trylast=True)
    def pytest_collection_modifyitems(self, items: list[pytest.Item]) -> None:
        items.sort(key=lambda item: self.place.get(item.nodeid, len(self.place)))

    def pytest_collectreport(self, report: pytest.CollectReport) -> None:
        if report.failed:
            lines = str(report.longrepr or "").strip().splitlines()
            message = lines[-1][:MESSAGE_LENGTH] if lines else ""
            self.write({"event": "uncollected", "unit": report.nodeid, "message": message})

    def pytest_runtest_logstart(self, nodeid: str) -> None:
        self.reports = []
        self.write({"event": "start", "id": nodeid})

    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        self.reports.append(report)

    def pytest_runtest_logfinish(self, nodeid: str) -> None:
        bad = [report for report in self.reports if report.failed]
        odd = [report for report in self.reports if report.skipped or hasattr(report, "wasxfail")]
        outcome = "failed" if bad else "skipped" if odd or not self.reports else "passed"
        self.ended += 1
        self.write(
            {
                "event": "end",
                "id": nodeid,
                "outcome": outcome,
                "message": first_line((bad or odd)[0]) if bad or odd else "",
                "seconds": sum(report.duration for report in self.reports),
            }
        )

    def pytest_sessionfinish(self) -> None:
        self.write({"event": "done", "tests": self.ended})


def first_line(report: pytest.TestReport) -> str:
    crash = getattr(report.longrepr, "reprcrash", None)
    text = crash.message if crash is not None else str(report.longrepr or "")
    lines = text.strip().splitlines()
    return str(lines[0])[:MESSAGE_LENGTH] if lines else ""


def read_settings(folder: pathlib.Path) -> dict[str, Any]:
    settings: dict[str, Any] = json.loads((folder / "settings.json").read_text())
    return settings


def pytest_configure(config: pytest.Config) -> None:
    """Only where this file is loaded as a plugin into an untrusted launch, for tests of the trusted one."""
    settings = read_settings(pathlib.Path(os.environ["ASSAY_SETTINGS"]))
    stream = open(settings["report"], "w", encoding="utf-8")  # noqa: SIM115  # lives as long as the session
    config.pluginmanager.register(Recorder(stream, settings["order"]))


def main() -> int:
    here = pathlib.Path(__file__).parent
    settings = read_settings(here)
    sys.path.extend(settings["import_roots"])
    with open(settings["report"], "w", encoding="utf-8") as stream:
        return pytest.main(
            [
                "-c",
                str(here / "pytest.ini"),
                f"--rootdir={settings['tree']}",
                f"--confcutdir={settings['confcutdir']}",
                "--import-mode=importlib",
                "--continue-on-collection-errors",
                "--capture=no",
                "--tb=line",
                "-q",
                "-p",
                "no:cacheprovider",
                *settings["units"],
            ],
            plugins=[Recorder(stream, settings["order"])],
        )


if __name__ == "__main__":
    sys.exit(main())
