"""Python: changed modules are compiled, the suite runs under pytest from a trusted script."""

from __future__ import annotations

import json
import posixpath
from collections.abc import Mapping, Sequence
from pathlib import Path

from runner.mechanisms import Mechanisms
from runner.plan import Pass
from runner.task import Task
from runner.toolchains import REPORTS, TREE, TRUSTED, Command
from runner.toolchains.events import EventReports

PYTHON = "/opt/venv/bin/python"
BASE_PYTHON = "/usr/bin/python3"
"""The interpreter that /opt/venv was made from; it starts faster without the environment's packages."""
COMPILE = """\
import sys
bad = 0
for path in sys.argv[1:]:
    try:
        with open(path, 'rb') as stream:
            compile(stream.read(), path, 'exec', dont_inherit=True)
    except (SyntaxError, ValueError, RecursionError, MemoryError) as error:
        bad = 1
        print(f'{path}:{getattr(error, "lineno", None) or 1}: {type(error).__name__}: {error}')
sys.exit(bad)
"""
RUN_SUITE = Path(__file__).with_name("python_files") / "run_suite.py"
ENVIRONMENT = {
    "PATH": "/opt/venv/bin:/usr/local/bin:/usr/bin:/bin",
    "LANG": "C.UTF-8",
    "TZ": "UTC",
    "PYTHONHASHSEED": "0",
    "PYTHONDONTWRITEBYTECODE": "1",
    "PYTHONUNBUFFERED": "1",
    "PYTEST_DISABLE_PLUGIN_AUTOLOAD": "1",
}
RUNNER_MODULES = ("pytest", "_pytest", "pluggy", "iniconfig", "run_suite")
BYTE_CODE_TAG = "cpython-313"


class PythonToolchain(EventReports):
    """CPython 3.13 with pytest."""

    name = "python"
    protected = (
        "**/conftest.py",
        "**/sitecustomize.py",
        "**/usercustomize.py",
        "**/*.pth",
        "**/*.pyc",
        "**/*.pyo",
        "**/__pycache__/**",
        "**/*.so",
        "**/*.pyd",
        "pytest.ini",
        ".pytest.ini",
        "pytest.toml",
        ".pytest.toml",
        "tox.ini",
        "setup.cfg",
        "setup.py",
        "pyproject.toml",
        ".coveragerc",
    )
    buildable = ("setup.cfg", "setup.py", "pyproject.toml")
    steering = (
        *("pytest.ini", ".pytest.ini", "pytest.toml", ".pytest.toml", "tox.ini", "setup.cfg", "conftest.py"),
        *(f"**/{name}.py" for name in ("sitecustomize", "usercustomize", *RUNNER_MODULES)),
        *(f"**/{name}/**" for name in RUNNER_MODULES),
    )
    image = "python"
    frameworks = ("pytest",)
    image_keys = ()

    def outdated(self, path: str) -> tuple[str, ...]:
        """The module's byte code, which a product could load without its source."""
        folder, name = posixpath.split(path)
        stem = name.removesuffix(".py")
        return () if stem == name else (posixpath.join(folder, "__pycache__", f"{stem}.{BYTE_CODE_TAG}.pyc"),)

    def build_files(self, task: Task) -> Mapping[str, bytes]:
        """Nothing of ours takes part in compiling a module."""
        return {}

    def build(self, task: Task, changed: Sequence[str]) -> Command | None:
        """Compile the changed modules under the import roots, running nothing: a syntax error is a build failure."""
        roots = tuple(posixpath.normpath(root) for root in task.image.import_roots)
        sources = [path for path in changed if path.endswith(".py") and _under(path, roots)]
        if not sources:
            return None
        return Command(argv=(BASE_PYTHON, "-I", "-S", "-c", COMPILE, *sources), env=ENVIRONMENT)

    def build_tests(self, task: Task) -> Command | None:
        """Python has no step of its own for tests."""
        return None

    def trusted_files(self, task: Task, work: Pass) -> Mapping[str, bytes]:
        """The script that runs the suite, its settings, and an empty configuration."""
        settings = {
            "tree": TREE,
            "report": f"{REPORTS}/{self.report_name}",
            "order": list(work.order),
            "units": [unit.file for unit in task.suite.units],
            "confcutdir": TREE + "/" + (task.suite.folders[0] if len(task.suite.folders) == 1 else ""),
            "import_roots": [posixpath.normpath(f"{TREE}/{root}") for root in task.image.import_roots],
        }
        return {
            "run_suite.py": RUN_SUITE.read_bytes(),
            "settings.json": json.dumps(settings).encode(),
            "pytest.ini": b"[pytest]\n",
        }

    def compiled_away(self, task: Task) -> tuple[str, ...]:
        """pytest reads the suite's sources as it runs them."""
        return ()

    def test(self, task: Task, mechanisms: Mechanisms) -> Command:
        """The trusted script; or, only for tests of the trusted launch, pytest as the tree configures it."""
        if mechanisms.trusted_launch:
            return Command(argv=(PYTHON, "-P", "-s", f"{TRUSTED}/run_suite.py"), env=ENVIRONMENT)
        roots = [posixpath.normpath(f"{TREE}/{root}") for root in task.image.import_roots]
        env = {**ENVIRONMENT, "PYTHONPATH": ":".join([TREE, *roots, TRUSTED]), "ASSAY_SETTINGS": TRUSTED}
        del env["PYTEST_DISABLE_PLUGIN_AUTOLOAD"]
        units = [unit.file for unit in task.suite.units]
        return Command(argv=(PYTHON, "-m", "pytest", "--capture=no", "-p", "run_suite", *units), env=env)

    def image_script(self, task: Task) -> str:
        """Dependencies by hashed pins, the distribution's metadata from its PKG-INFO, byte code beside the sources."""
        roots = " ".join(f"/opt/assay/tree/{posixpath.normpath(root)}" for root in task.image.import_roots)
        return IMAGE_SCRIPT.replace("ROOTS", roots)

    def guide(self, task: Task) -> str:
        """Interpreter, import roots, and what happens to tests and configuration in the tree."""
        roots = ", ".join(f"`{root}`" for root in task.image.import_roots)
        tests = ", ".join(f"`{root}`" for root in task.upstream_tests)
        return (
            f"CPython 3.13 with pytest, no network. The package is imported from {roots}. Hidden tests are laid over "
            f"the tree; what a patch does in {tests or 'test folders'}, to `conftest.py`, `pytest.ini` and other "
            "configuration of the test runner is not taken."
        )


IMAGE_SCRIPT = """\
if [ -f requirements.txt ]; then
    echo '::step:: dependencies'
    /opt/venv/bin/python -m pip install --quiet --no-cache-dir --no-deps --require-hashes -r requirements.txt
fi
echo '::step:: metadata'
if [ -f /opt/assay/tree/PKG-INFO ]; then
    name=$(sed -n 's/^Name: //p' /opt/assay/tree/PKG-INFO | head -n 1 | tr - _)
    version=$(sed -n 's/^Version: //p' /opt/assay/tree/PKG-INFO | head -n 1)
    info=$(/opt/venv/bin/python -c 'import sysconfig; print(sysconfig.get_path("purelib"))')/$name-$version.dist-info
    mkdir -p "$info"
    cp /opt/assay/tree/PKG-INFO "$info/METADATA"
fi
echo '::step:: byte code'
/opt/venv/bin/python -m compileall -q -s /opt/assay/tree -p /sandbox/tree ROOTS || true
echo '::step:: manifest'
/opt/venv/bin/python -m pip freeze | sed 's/^/task-package /' >> /opt/assay/manifest.txt
"""


def _under(path: str, roots: tuple[str, ...]) -> bool:
    return any(root == "." or path.startswith(root + "/") for root in roots)
