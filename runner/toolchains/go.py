"""Go: the module is built with its cache kept, a suite's folders become test programs, each test is a process."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path

from runner.mechanisms import Mechanisms
from runner.plan import Pass
from runner.task import Task
from runner.toolchains import BUILD, TRUSTED, Command
from runner.toolchains.events import EventReports
from runner.toolchains.shared import RUN_SUITE, SYSTEM_PYTHON, pass_settings, recorder_files

FILES = Path(__file__).with_name("go_files")
TEST_ENVIRONMENT = {
    "PATH": "/usr/bin:/bin",
    "LANG": "C.UTF-8",
    "TZ": "UTC",
    "GOMAXPROCS": "2",
}
"""GOMAXPROCS is the number of compilers too: threads count as processes, and hosts differ."""
ENVIRONMENT = {
    **TEST_ENVIRONMENT,
    "CGO_ENABLED": "0",
    "GOCACHE": f"{BUILD}/cache",
    "GOENV": "off",
    "GOFLAGS": "-mod=readonly -trimpath -buildvcs=false",
    "GOMODCACHE": "/opt/go/mod",
    "GOPATH": "/opt/go",
    "GOPROXY": "off",
    "GOSUMDB": "off",
    "GOTMPDIR": f"{BUILD}/scratch",
    "GOTOOLCHAIN": "local",
    "GOWORK": "off",
}
"""Nothing in the tree or in HOME changes what the go command does; `vendor` is not read with -mod=readonly."""
BUILD_PRODUCT = (SYSTEM_PYTHON, "-I", f"{TRUSTED}/build_product.py", BUILD)
BUILD_SUITE = (SYSTEM_PYTHON, "-I", f"{TRUSTED}/build_suite.py")


class GoToolchain(EventReports):
    """Go 1.24 with the testing package."""

    name = "go"
    image = "go"
    frameworks = ("go-test",)
    image_keys = ()
    protected = ("go.mod", "go.sum", "go.work", "go.work.sum", "**/vendor/**", "**/*.s", "**/*.syso")
    buildable = ("go.mod", "go.sum", "**/*.s")
    steering = ("go.work", "go.work.sum", "vendor/modules.txt", "**/*_test.go")

    def outdated(self, path: str) -> tuple[str, ...]:
        """Nothing: the cache goes by what is in the files."""
        return ()

    def build_files(self, task: Task) -> Mapping[str, bytes]:
        """The script that builds the module."""
        return _files("build_product.py", "compiler.py")

    def build(self, task: Task, changed: Sequence[str]) -> Command | None:
        """Build all packages of the module; tests in the tree are not looked at."""
        return Command(BUILD_PRODUCT, ENVIRONMENT)

    def build_tests(self, task: Task) -> Command | None:
        """A test program for the folder of each unit."""
        return Command(BUILD_SUITE, ENVIRONMENT)

    def trusted_files(self, task: Task, work: Pass) -> Mapping[str, bytes]:
        """The scripts that build and run the suite, and their settings."""
        scripts = _files("build_suite.py", "compiler.py", "run_suite.py")
        return {**scripts, **recorder_files(), **pass_settings(task, work)}

    def compiled_away(self, task: Task) -> tuple[str, ...]:
        """All Go files of the suite; what else it brings is there for the tests to read."""
        return tuple(path for path in task.suite.files if path.endswith(".go"))

    def test(self, task: Task, mechanisms: Mechanisms) -> Command:
        """The trusted script; a test program knows no other launch."""
        return Command(RUN_SUITE, TEST_ENVIRONMENT)

    def image_script(self, task: Task) -> str:
        """Modules that the base requires, then the base and what tests import, in the cache."""
        variables = " ".join(f"'{name}={value}'" for name, value in ENVIRONMENT.items())
        return IMAGE_SCRIPT.replace("BUILD_PRODUCT", " ".join(BUILD_PRODUCT)).replace("VARIABLES", variables)

    def guide(self, task: Task) -> str:
        """Version, what is built and how, what is not taken."""
        return (
            "Go 1.24, `CGO_ENABLED=0`, no network: `go build ./...` has to succeed. Hidden tests are packages of "
            "their own that import the module's. `_test.go` files in the tree are not built, `vendor` and `go.work` "
            "are not read, and what a patch does to `go.mod` and `go.sum` is taken only where the task says so."
        )


IMAGE_SCRIPT = """\
cd /sandbox/tree
if grep -q '^require' go.mod; then
    echo '::step:: modules'
    GOMODCACHE=/opt/go/mod GOTOOLCHAIN=local GOWORK=off GOFLAGS= go mod download
    rm -rf /opt/go/mod/cache/download/sumdb
fi
echo '::step:: base'
mkdir -p /sandbox/build/cache /sandbox/build/scratch
env -i HOME=/tmp/home VARIABLES BUILD_PRODUCT
echo '::step:: what tests import'
mkdir /sandbox/tree/assay_warm
cat > /sandbox/tree/assay_warm/warm_test.go <<'END'
package warm

import (
    _ "bytes"
    _ "encoding/json"
    _ "errors"
    _ "fmt"
    _ "math"
    _ "reflect"
    _ "regexp"
    _ "slices"
    _ "strings"
    "testing"
)

func TestWarm(t *testing.T) {}
END
env -i HOME=/tmp/home VARIABLES go test -c -vet=off -ldflags=-s -o /dev/null ./assay_warm
rm -rf /tmp/home
cd /
echo '::step:: manifest'
sed -n 's/ h1:.*//p' /sandbox/tree/go.sum 2>/dev/null | grep -v '/go.mod$' | sed 's/^/task-package /' \\
    >> /opt/assay/manifest.txt || true
"""


def _files(*names: str) -> Mapping[str, bytes]:
    return {name: (FILES / name).read_bytes() for name in names}
