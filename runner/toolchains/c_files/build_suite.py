"""Builds every unit of a C suite: the unit, our `main` with a table of the unit's tests, the product."""

from __future__ import annotations

import os
import re
import sys
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from runner.toolchains.native_files.native import Native, run, settings
else:
    sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
    from native import Native, run, settings

MAIN = "main"
UNIT_MAIN = "assay_unit_main"


def dispatcher(tests: list[str], source: str) -> str:
    """Our `main` for these tests of a unit, in their order."""
    if tests == [MAIN]:
        calls = [f"{UNIT_MAIN}(1, name)"]
        declared = [f"extern int {UNIT_MAIN}(int, char **);", 'static char *name[] = {"test", 0};']
    else:
        calls, declared = [], []
        for test in tests:
            counts = re.search(rf"^[ \t]*(?:extern[ \t]+)?int\s+{test}\s*\(", source, re.MULTILINE)
            declared.append(f"extern {'int' if counts else 'void'} {test}(void);")
            calls.append(f"{test}()" if counts else f"({test}(), 0)")
    cases = "".join(f"    if (index == {place}) return {call};\n" for place, call in enumerate(calls))
    lines = "\n".join(declared)
    with open(
        os.path.join(os.path.dirname(os.path.abspath(__file__)), "dispatch.c"), encoding="utf-8"
    ) as main:
        return f"{lines}\nstatic int assay_run(int index)\n{{\n{cases}    return 123;\n}}\n{main.read()}"


def main() -> int:
    native = Native(settings())
    of_units: dict[str, list[str]] = settings("settings.json")["units"]

    def build(unit: str, folder: str) -> str:
        with open(unit, encoding="utf-8", errors="replace") as stream:
            source = stream.read()
        tests = [test.partition("::")[2] for test in of_units[unit]]
        if odd := next((test for test in tests if not re.fullmatch(r"[A-Za-z_]\w*", test)), ""):
            return f"{unit}:1: {odd!r} is no name of a C function"
        if MAIN in tests and len(tests) > 1:
            return f"{unit}:1: a unit with `main` is one test"
        with open(f"{folder}/dispatch.c", "w", encoding="utf-8") as stream:
            stream.write(dispatcher(tests, source))
        problem = native.compile(unit, f"{folder}/unit.o")
        problem = problem or native.compile(f"{folder}/dispatch.c", f"{folder}/dispatch.o", own=True)
        if problem:
            return problem
        if MAIN in tests:
            run(["/usr/bin/objcopy", "--redefine-sym", f"{MAIN}={UNIT_MAIN}", f"{folder}/unit.o"])
        missing = native.link([f"{folder}/dispatch.o", f"{folder}/unit.o"], f"{folder}/run")
        return f"{unit}:1: {missing}" if missing else ""

    native.each_unit(build)
    return 0


if __name__ == "__main__":
    sys.exit(main())
