"""TypeScript and JavaScript: changed sources are parsed, each unit has a process of Vitest's or node:test's."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from runner.mechanisms import Mechanisms
from runner.plan import Pass
from runner.task import Task
from runner.toolchains import TRUSTED, Command
from runner.toolchains.events import EventReports
from runner.toolchains.shared import RUN_SUITE, pass_settings, recorder_files

FILES = Path(__file__).with_name("node_files")
NODE = "/usr/bin/node"
SUFFIXES = (".ts", ".mts", ".cts", ".tsx", ".js", ".mjs", ".cjs", ".jsx")
SCRIPTS = {
    "vitest": ("vitest_unit.mjs", "vitest_runner.mjs"),
    "node-test": ("node_test_unit.mjs", "node_test_start.mjs"),
}
"""For each framework what runs a unit, and what says from within the product's process which test begins."""
FLAGS: Mapping[str, Sequence[str]] = {
    "vitest": [],
    "node-test": ["--import", f"{TRUSTED}/node_test_start.mjs"],
}
ENVIRONMENT = {
    "PATH": "/usr/bin:/bin",
    "LANG": "C.UTF-8",
    "TZ": "UTC",
    "GOMAXPROCS": "1",
    "NODE_ENV": "test",
    "NO_COLOR": "1",
    "UV_THREADPOOL_SIZE": "2",
}
"""No NODE_OPTIONS and no NODE_PATH; esbuild is a Go program, and its threads count as processes."""
STEERING = (
    *(
        "**/vitest.config.*",
        "**/vite.config.*",
        "**/vitest.workspace.*",
        "**/tsconfig*.json",
        "**/jsconfig.json",
    ),
    *(".npmrc", "**/.babelrc*", "**/babel.config.*", ".mocharc*", "jest.config.*", ".env", ".env.*"),
    *(
        "**/node_modules/**",
        "**/__mocks__/**",
        "**/__snapshots__/**",
        ".node_repl_history",
        "node.config.json",
    ),
)


@dataclass(frozen=True, slots=True)
class NodeToolchain(EventReports):
    """Node 20. TypeScript is judged by what it does: types are not checked."""

    name: str
    frameworks: tuple[str, ...]
    image = "node"
    image_keys = ()
    protected = (*STEERING, "**/package.json", "**/package-lock.json", "**/*.node")
    buildable = ("**/package.json",)
    steering = STEERING

    def outdated(self, path: str) -> tuple[str, ...]:
        """Nothing is kept of a source."""
        return ()

    def build_files(self, task: Task) -> Mapping[str, bytes]:
        """The script that parses sources."""
        return _files("check_sources.mjs")

    def build(self, task: Task, changed: Sequence[str]) -> Command | None:
        """Parse what changed, running nothing: a syntax error is a build failure."""
        sources = [path for path in changed if path.endswith(SUFFIXES)]
        if not sources:
            return None
        return Command((NODE, "--v8-pool-size=1", f"{TRUSTED}/check_sources.mjs", *sources), ENVIRONMENT)

    def build_tests(self, task: Task) -> Command | None:
        """Units are transformed as they are loaded."""
        return None

    def trusted_files(self, task: Task, work: Pass) -> Mapping[str, bytes]:
        """The scripts that run a unit, and the settings."""
        script, within = SCRIPTS[task.framework]
        scripts = _files("run_suite.py", "events.mjs", script, within)
        settings = pass_settings(task, work, script=script, flags=FLAGS[task.framework])
        return {**scripts, **recorder_files(), **settings}

    def compiled_away(self, task: Task) -> tuple[str, ...]:
        """The framework reads the suite's sources as it runs them."""
        return ()

    def test(self, task: Task, mechanisms: Mechanisms) -> Command:
        """The trusted script; a unit knows no other launch."""
        return Command(RUN_SUITE, ENVIRONMENT)

    def image_script(self, task: Task) -> str:
        """Dependencies of the task by a lock file, without their scripts."""
        return IMAGE_SCRIPT

    def guide(self, task: Task) -> str:
        """Version, framework, what is not taken."""
        return (
            f"Node 20 with {task.framework}, no network. TypeScript is transformed file by file with esbuild; types "
            "are not checked, `tsconfig.json` is not read. Every file that a patch changes has to parse. Hidden tests "
            "are laid over the tree and import the sources. Configuration of test runners and bundlers, "
            "`node_modules`, `__mocks__` and snapshots are not taken, `package.json` only where the task says so."
        )


IMAGE_SCRIPT = """\
if [ -f requirements.txt ]; then
    echo '::step:: dependencies'
    cp requirements.txt /opt/task/package-lock.json
    cd /opt/task
    node -e '
        const root = JSON.parse(require("fs").readFileSync("package-lock.json")).packages[""]
        require("fs").writeFileSync("package.json", JSON.stringify({ private: true, ...root }))
    '
    rm -rf node_modules
    HOME=/tmp/home npm ci --ignore-scripts --no-audit --no-fund --no-update-notifier --silent --cache /tmp/npm
    rm -rf /tmp/npm /tmp/home node_modules/vitest
    mkdir -p node_modules
    ln -s /opt/node/node_modules/vitest node_modules/vitest
    cd /
    echo '::step:: manifest'
    node -e '
        const packages = JSON.parse(require("fs").readFileSync("/opt/task/package-lock.json")).packages
        for (const [path, { version }] of Object.entries(packages))
            if (path) console.log(`task-package ${path.replace(/.*node_modules\\\\//, "")} ${version}`)
    ' >> /opt/assay/manifest.txt
fi
"""


def _files(*names: str) -> Mapping[str, bytes]:
    return {name: (FILES / name).read_bytes() for name in names}
