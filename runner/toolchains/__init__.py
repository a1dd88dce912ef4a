"""A language is one module here behind `Toolchain`, and one line in `TOOLCHAINS`. See docs/adding-a-language.md."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Literal, Protocol

from runner.mechanisms import Mechanisms
from runner.plan import Pass
from runner.task import Task

Outcome = Literal["passed", "failed", "skipped"]

TREE = "/sandbox/tree"
"""Where the patched tree stands in a sandbox."""
BUILD = "/sandbox/build"
"""What was built, the sandbox user's: it starts as what the image built of the base, time stamps kept."""
TRUSTED = "/sandbox/trusted"
"""Root's folder in a sandbox: our runner files, laid with the suite."""
REPORTS = "/sandbox/reports"
"""The only folder that a test process may leave its report in."""


@dataclass(frozen=True, slots=True)
class Command:
    """A fixed argv run as the sandbox user, with the whole of its environment (HOME is added by the supervisor)."""

    argv: tuple[str, ...]
    env: Mapping[str, str]
    cwd: str = TREE


@dataclass(frozen=True, slots=True)
class Reported:
    """One test's entry in a report. `message` is one line; `seconds` its duration."""

    id: str
    outcome: Outcome
    message: str = ""
    seconds: float = 0.0


@dataclass(frozen=True, slots=True)
class Report:
    """A parsed report. `complete`: its closing record is there and counts what was listed.

    `running` is the test that had begun and not ended; `uncollected` maps a unit to why it did not load.
    """

    tests: tuple[Reported, ...]
    complete: bool
    running: str = ""
    uncollected: Mapping[str, str] = field(default_factory=dict)
    problem: str = ""
    """Why the report could not be read at all."""


class Toolchain(Protocol):
    """What the runner and the grader need to know of a language. Implementations hold no state."""

    @property
    def name(self) -> str:
        """The language, as `task.toml` spells it."""

    @property
    def image(self) -> str:
        """The folder under `images/` that makes its toolchain image; two languages may share one."""

    @property
    def frameworks(self) -> tuple[str, ...]:
        """The test frameworks it runs, as `task.toml` spells them; the first where that says nothing."""

    @property
    def image_keys(self) -> tuple[str, ...]:
        """The keys of `[image]` that it reads beside those of every language, each a list of texts."""

    @property
    def protected(self) -> tuple[str, ...]:
        """Globs of paths that come from the base tree whatever the patch says."""

    @property
    def buildable(self) -> tuple[str, ...]:
        """Those among `protected` that a task may allow (build files that honest patches touch)."""

    @property
    def steering(self) -> tuple[str, ...]:
        """Globs of paths that a launch in the tree, with its settings, would read and ours does not."""

    @property
    def report_name(self) -> str:
        """The report's file name in REPORTS."""

    def outdated(self, path: str) -> tuple[str, ...]:
        """What the image built of the base's file at `path`: it goes when that file changes or goes."""

    def build_files(self, task: Task) -> Mapping[str, bytes]:
        """Files laid in TRUSTED before the product is built, here and when the image builds the base."""

    def build(self, task: Task, changed: Sequence[str]) -> Command | None:
        """Build what the patch touched (`changed`: paths placed in TREE); a failure is the verdict `broken`.

        Its output ends with the line that tells why: the compiler's first error. None: nothing to build.
        """

    def build_tests(self, task: Task) -> Command | None:
        """Build the suite's units; None where tests need no build.

        A unit that does not compile is no failure of the command: `test` reports it as uncollected.
        """

    def trusted_files(self, task: Task, work: Pass) -> Mapping[str, bytes]:
        """Files laid in TRUSTED with the suite: runner, configuration, order. They replace `build_files`."""

    def compiled_away(self, task: Task) -> tuple[str, ...]:
        """Suite files that are removed once the units are built: no test can read them."""

    def test(self, task: Task, mechanisms: Mechanisms) -> Command:
        """Run every unit in the pass's order, writing the report."""

    def parse_report(self, data: bytes) -> Report:
        """Read a report that an adversary may have written: never raises, never executes, linear in its size."""

    def image_script(self, task: Task) -> str:
        """Shell run under `sh -eu` as root, with the network, in the toolchain image to make the task's image.

        The base tree is at /opt/assay/tree; the task's requirements, if any, in the working folder as
        `requirements.txt`. Where there are `build_files`, they stand in TRUSTED, a copy of the base in TREE,
        and what the script leaves in BUILD is what every sandbox starts with. A line `::step:: name` on
        stdout opens a step; packages are appended to /opt/assay/manifest.txt.
        """

    def guide(self, task: Task) -> str:
        """Markdown for whoever works on the task: versions, where the product is, how tests are run."""
