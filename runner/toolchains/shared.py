"""What the runners inside a sandbox share: a recorder of events, and the settings of one pass."""

from __future__ import annotations

import json
from collections.abc import Mapping
from pathlib import Path

from runner.plan import Pass
from runner.task import Task
from runner.toolchains import BUILD, REPORTS, TREE, TRUSTED
from runner.toolchains.events import EventReports

SHARED_FILES = Path(__file__).with_name("shared_files")
SYSTEM_PYTHON = "/usr/bin/python3"
RUN_SUITE = (SYSTEM_PYTHON, "-I", f"{TRUSTED}/run_suite.py")
"""The argv of a language's own runner, which finds the recorder beside itself."""


def recorder_files() -> Mapping[str, bytes]:
    """The recorder, for a language's trusted files."""
    return {"recorder.py": (SHARED_FILES / "recorder.py").read_bytes()}


def pass_settings(task: Task, work: Pass, **more: object) -> Mapping[str, bytes]:
    """`settings.json`: folders, the report's place, the tests in the plan's order, the tests of every unit."""
    settings = {
        "tree": TREE,
        "build": BUILD,
        "trusted": TRUSTED,
        "report": f"{REPORTS}/{EventReports.report_name}",
        "order": list(work.order),
        "units": {unit.file: list(unit.tests) for unit in task.suite.units},
        **more,
    }
    return {"settings.json": json.dumps(settings).encode()}
