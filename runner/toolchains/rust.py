"""Rust: Cargo builds the tree's crates for a package of ours, rustc the suite's units; each test is a process."""

from __future__ import annotations

import json
import posixpath
from collections.abc import Mapping, Sequence
from pathlib import Path

from runner.mechanisms import Mechanisms
from runner.plan import Pass
from runner.task import Task
from runner.toolchains import BUILD, TREE, TRUSTED, Command
from runner.toolchains.events import EventReports
from runner.toolchains.shared import RUN_SUITE, SYSTEM_PYTHON, pass_settings, recorder_files

FILES = Path(__file__).with_name("rust_files")
TEST_ENVIRONMENT = {"PATH": "/usr/bin:/bin", "LANG": "C.UTF-8", "TZ": "UTC"}
ENVIRONMENT = {
    **TEST_ENVIRONMENT,
    "CARGO_BUILD_JOBS": "2",
    "CARGO_HOME": "/opt/cargo",
    "CARGO_INCREMENTAL": "0",
    "CARGO_NET_OFFLINE": "true",
    "CARGO_PROFILE_DEV_DEBUG": "0",
    "CARGO_TARGET_DIR": f"{BUILD}/target",
    "RUSTC": "/usr/bin/rustc",
    "TMPDIR": BUILD,
}
"""Threads count as processes and hosts differ: two jobs everywhere."""
BUILD_PRODUCT = (SYSTEM_PYTHON, "-I", f"{TRUSTED}/build_product.py")
BUILD_SUITE = (SYSTEM_PYTHON, "-I", f"{TRUSTED}/build_suite.py")


class RustToolchain(EventReports):
    """rustc and Cargo 1.85 with libtest.

    Cargo starts outside the tree with a package of ours that has the tree's crates as dependencies: profiles,
    patches, targets and `.cargo` of the tree are not read. What its Cargo.toml says of the crate itself counts, so
    it is protected; so is build.rs, which runs where the suite will be built.
    """

    name = "rust"
    image = "rust"
    frameworks = ("libtest",)
    image_keys = ("features",)
    protected = (
        *("**/Cargo.toml", "**/Cargo.lock", "**/build.rs", "**/.cargo/**"),
        *("**/rust-toolchain", "**/rust-toolchain.toml"),
    )
    buildable = ("**/Cargo.toml", "**/Cargo.lock", "**/build.rs")
    steering = ("**/.cargo/**", "**/rust-toolchain", "**/rust-toolchain.toml", "**/Cargo.lock")

    def outdated(self, path: str) -> tuple[str, ...]:
        """Nothing: a crate in which anything changed is built anew."""
        return ()

    def build_files(self, task: Task) -> Mapping[str, bytes]:
        """The script that builds the crates, which they are, and the lock file if the task has one."""
        crates = {
            "tree": TREE,
            "build": BUILD,
            "roots": [posixpath.normpath(root) for root in task.image.import_roots],
            "features": list(task.image.option("features")) or None,
        }
        pins = task.image.requirements
        lock = {"Cargo.lock": pins.read_bytes()} if pins is not None else {}
        return {**_files("build_product.py", "crates.py"), "crates.json": json.dumps(crates).encode(), **lock}

    def build(self, task: Task, changed: Sequence[str]) -> Command | None:
        """The libraries of the crates; one that a changed path lies in is built anew, whatever time stamps say."""
        return Command((*BUILD_PRODUCT, *changed), ENVIRONMENT, cwd=TRUSTED)

    def build_tests(self, task: Task) -> Command | None:
        """A test program a unit, by rustc itself: the product is not compiled a second time."""
        return Command(BUILD_SUITE, ENVIRONMENT)

    def trusted_files(self, task: Task, work: Pass) -> Mapping[str, bytes]:
        """The scripts that build and run the suite, and their settings."""
        scripts = _files("build_suite.py", "crates.py", "run_suite.py")
        return {**scripts, **recorder_files(), **pass_settings(task, work)}

    def compiled_away(self, task: Task) -> tuple[str, ...]:
        """All Rust files of the suite; what else it brings is there for the tests to read."""
        return tuple(path for path in task.suite.files if path.endswith(".rs"))

    def test(self, task: Task, mechanisms: Mechanisms) -> Command:
        """The trusted script; a test program knows no other launch."""
        return Command(RUN_SUITE, TEST_ENVIRONMENT)

    def image_script(self, task: Task) -> str:
        """Dependencies as vendored sources, then the base."""
        variables = " ".join(f"'{name}={value}'" for name, value in ENVIRONMENT.items())
        return IMAGE_SCRIPT.replace("BUILD_PRODUCT", " ".join(BUILD_PRODUCT)).replace("VARIABLES", variables)

    def guide(self, task: Task) -> str:
        """Versions, what is built and how, what is not taken."""
        roots = ", ".join(f"`{root}`" for root in task.image.import_roots)
        features = ", ".join(f"`{name}`" for name in task.image.option("features"))
        return (
            f"rustc and Cargo 1.85, no network. The library in {roots} is built with "
            f"{f'the features {features} alone' if features else 'its default features'}; hidden tests are programs "
            "of their own that use its public interface. `.cargo`, `rust-toolchain.toml`, profiles and `[patch]` are "
            "not read, and what a patch does to `Cargo.toml`, `Cargo.lock` and `build.rs` is taken only where the "
            "task says so."
        )


IMAGE_SCRIPT = """\
echo '::step:: dependencies'
export CARGO_HOME=/tmp/cargo
mkdir -p /tmp/cargo /opt/cargo
[ -z "${ASSAY_CARGO_CONFIG:-}" ] || cp "$ASSAY_CARGO_CONFIG" /tmp/cargo/config.toml
cd /sandbox/trusted
BUILD_PRODUCT --vendor
rm -rf /tmp/cargo
echo '::step:: base'
env -i HOME=/tmp/home VARIABLES BUILD_PRODUCT
rm -rf /tmp/home
cd /
echo '::step:: manifest'
awk -F '"' '$1 == "name = " { name = $2 } $1 == "version = " { print "task-package", name, $2 }' \\
    /sandbox/build/product/Cargo.lock >> /opt/assay/manifest.txt
"""


def _files(*names: str) -> Mapping[str, bytes]:
    return {name: (FILES / name).read_bytes() for name in names}
