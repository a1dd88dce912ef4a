"""C: every unit of the suite is an executable of its own, CTest runs one test of it in a process.

A unit with a `main` is one test, `<file>::main`, that passes when `main` returns 0. In a unit without one every
listed function `void test_x(void)` or `int test_x(void)` is a test, and a process of its own: it passes when it
returns (0, if it returns a number). `main` of a unit is renamed once it is compiled, and called by ours, which
tells that it has returned by handing back what only this one process was told: an `exit(0)` in a test is no pass.
"""

from __future__ import annotations

from pathlib import Path

from runner.task import Task
from runner.toolchains.native import NativeToolchain


class CToolchain(NativeToolchain):
    """GCC 14 with CTest."""

    name = "c"
    frameworks = ("ctest",)
    own_files = Path(__file__).with_name("c_files")
    default_std = "gnu17"

    def guide(self, task: Task) -> str:
        """Compiler, what is compiled, and what happens to tests and build files in the tree."""
        sources = ", ".join(f"`{glob}`" for glob in task.image.option("sources")) or "every `.c` file"
        folders = ", ".join(f"`{folder}`" for folder in task.image.option("includes")) or "none"
        std = (task.image.option("std") or (self.default_std,))[0]
        return (
            f"GCC 14 (`-std={std} -O1`), no network. {sources} are compiled into one library, with the include "
            f"folders {folders}; CMakeLists, Makefile and configure are not read. Hidden tests are C files that are "
            "linked with that library, run by CTest, each test in a process of its own."
        )
