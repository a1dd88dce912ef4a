"""Bash: a syntax check, and a process a test."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path

from runner.mechanisms import Mechanisms
from runner.plan import Pass
from runner.task import Task
from runner.toolchains import Command
from runner.toolchains.events import EventReports
from runner.toolchains.shared import RUN_SUITE, pass_settings, recorder_files

RUNNER = Path(__file__).with_name("bash_files") / "run_suite.py"
ENVIRONMENT = {"PATH": "/usr/bin:/bin", "LANG": "C.UTF-8", "TZ": "UTC"}
CHECK = r"""
for file; do
    said=$(bash -n "$file" 2>&1) && continue
    printf '%s\n' "$said" | sed -n 's/^\(.*\): line \([0-9]*\): /\1:\2: /p' | head -n 1
    exit 1
done
"""


class BashToolchain(EventReports):
    """Bash 5 with functions called `test_…`."""

    name = "bash"
    image = "bash"
    frameworks = ("bash-functions",)
    image_keys = ()
    protected = ("**/.bashrc", "**/.bash_env")
    buildable = ()
    steering = ()

    def outdated(self, path: str) -> tuple[str, ...]:
        """Nothing is built."""
        return ()

    def build_files(self, task: Task) -> Mapping[str, bytes]:
        """Nothing of ours takes part in the check."""
        return {}

    def build(self, task: Task, changed: Sequence[str]) -> Command | None:
        """Parse the changed scripts, running nothing."""
        scripts = [path for path in changed if path.endswith(".sh")]
        return Command(("/bin/bash", "-c", CHECK, "check", *scripts), ENVIRONMENT) if scripts else None

    def build_tests(self, task: Task) -> Command | None:
        """Tests need no build."""
        return None

    def trusted_files(self, task: Task, work: Pass) -> Mapping[str, bytes]:
        """The script that runs the suite, and its settings."""
        return {"run_suite.py": RUNNER.read_bytes(), **recorder_files(), **pass_settings(task, work)}

    def compiled_away(self, task: Task) -> tuple[str, ...]:
        """Bash reads the suite as it runs it."""
        return ()

    def test(self, task: Task, mechanisms: Mechanisms) -> Command:
        """The trusted script."""
        return Command(RUN_SUITE, ENVIRONMENT)

    def image_script(self, task: Task) -> str:
        """Nothing to add."""
        return ""

    def guide(self, task: Task) -> str:
        """What there is."""
        return "Bash 5, no network. Hidden tests source the scripts of the tree."
