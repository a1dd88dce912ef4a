"""C++: a program a unit with GoogleTest, a process a test. How the product is built is in `native`."""

from __future__ import annotations

import shlex
from collections.abc import Mapping
from pathlib import Path

from runner.task import Task
from runner.toolchains import TRUSTED
from runner.toolchains.native import NativeToolchain
from runner.toolchains.shared import SYSTEM_PYTHON

COMPILE_GOOGLETEST = (SYSTEM_PYTHON, "-I", f"{TRUSTED}/googletest.py")


class CppToolchain(NativeToolchain):
    """GCC 14 with GoogleTest."""

    name = "cpp"
    frameworks = ("googletest",)
    own_files = Path(__file__).with_name("cpp_files")
    default_std = "gnu++17"

    def build_files(self, task: Task) -> Mapping[str, bytes]:
        """The builder, and what the image compiles of GoogleTest."""
        ours = ("googletest.py", "googletest.h", "main.cc")
        return {**super().build_files(task), **{name: (self.own_files / name).read_bytes() for name in ours}}

    def image_script(self, task: Task) -> str:
        """GoogleTest with the task's flags, then the base as every sandbox builds it."""
        return f"echo '::step:: googletest'\n{shlex.join(COMPILE_GOOGLETEST)}\n{super().image_script(task)}"

    def guide(self, task: Task) -> str:
        """Versions, what is compiled and how, what is not read."""
        option = task.image.option
        sources = ", ".join(f"`{glob}`" for glob in option("sources")) or "all `.c`, `.cc` and `.cpp` files"
        folders = ", ".join(f"`{folder}`" for folder in option("includes")) or "none"
        standard = (option("std") or (self.default_std,))[0]
        return (
            f"GCC 14, `-std={standard}`, GoogleTest of Debian trixie, no network. {sources} are compiled with the "
            f"include folders {folders} into a static library; CMake files and makefiles are not read. Hidden "
            "tests are linked to it with a `main` of their own, and each runs in a process of its own."
        )
