"""Where GoogleTest stands in a task's image, compiled with the task's flags. Run as a script, it puts it there."""

from __future__ import annotations

import os
import shutil
import sys
from typing import TYPE_CHECKING

HERE = os.path.dirname(os.path.abspath(__file__))
if TYPE_CHECKING:
    from runner.toolchains.native_files import native
else:
    sys.path.insert(0, HERE)
    import native

PLACE = "/opt/googletest"
INCLUDE = f"{PLACE}/include"
"""Holds GoogleTest's own headers and nothing else: looked into before the product's folders."""
MAIN = f"{PLACE}/main.o"
LIBRARIES = ("-lgmock", "-lgtest")
"""Before the product in the link: what GoogleTest defines, the product can no longer define."""


class SuiteCompiler(native.Native):
    """Reads GoogleTest before anything else; its compiled form lies beside the header."""

    def command(self, source: str, target: str, *, own: bool = False) -> list[str]:
        """The argv that compiles a unit."""
        driver, *rest = super().command(source, target, own=own)
        return [driver, f"-I{INCLUDE}", "-include", f"{PLACE}/googletest.h", *rest]


def main() -> str:
    """As root, while the image is made; '' or what went wrong."""
    os.makedirs(INCLUDE)
    for name in ("gtest", "gmock"):
        os.symlink(f"/usr/include/{name}", f"{INCLUDE}/{name}")
    shutil.copyfile(f"{HERE}/googletest.h", f"{PLACE}/googletest.h")
    settings = native.settings()
    header = native.Native(settings).compile(f"{PLACE}/googletest.h", f"{PLACE}/googletest.h.gch")
    return header or SuiteCompiler(settings).compile(f"{HERE}/main.cc", MAIN)


if __name__ == "__main__":
    sys.exit(main() or 0)
