"""Builds a program a unit: our `main`, the unit, GoogleTest, then the product."""

from __future__ import annotations

import os
import sys
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from runner.toolchains.cpp_files.googletest import LIBRARIES, MAIN, SuiteCompiler
    from runner.toolchains.native_files.native import settings
else:
    sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
    from googletest import LIBRARIES, MAIN, SuiteCompiler
    from native import settings


def main() -> None:
    """Build what the settings list."""
    native = SuiteCompiler(settings())

    def build(unit: str, folder: str) -> str:
        compiled = f"{folder}/unit.o"
        problem = native.compile(unit, compiled)
        return problem or native.link([MAIN, compiled, *LIBRARIES], f"{folder}/program")

    native.each_unit(build)


if __name__ == "__main__":
    main()
