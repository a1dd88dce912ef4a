"""Compiles and links C and C++ in a sandbox: for the builder of the product and those of suites.

Standard library only: laid beside what imports it, started with `/usr/bin/python3 -I`.
"""

from __future__ import annotations

import hashlib
import json
import os
import re
import shutil
import subprocess
import sys
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from typing import Any

HERE = os.path.dirname(os.path.abspath(__file__))
COMMON = ("-O1", "-g0", "-w", "-pipe", "-fno-diagnostics-show-caret", "-fmax-errors=20")
ERROR = re.compile(r"^(?:\./)?(.+?):(\d+):(?:\d+:)? (?:fatal )?[Ee]rror: (.*)$", re.MULTILINE)
UNLINKED = re.compile(
    r"undefined reference to .*|multiple definition of [^;\n]*|(?:cannot find|could not find) .*"
)
LONGEST = 300


def settings(name: str = "build.json") -> dict[str, Any]:
    """A file of settings laid beside this one."""
    with open(f"{HERE}/{name}", encoding="utf-8") as stream:
        found: dict[str, Any] = json.load(stream)
    return found


class Native:
    """The compiler as a task sets it. The working folder must be the tree: errors then name paths in it."""

    def __init__(self, made: dict[str, Any]) -> None:
        self.settings = made
        self.build: str = made["build"]
        self.library = f"{self.build}/libproduct.a"
        self._notes = f"{self.build}/uncollected.json"
        os.makedirs(f"{self.build}/scratch", exist_ok=True)

    # ------------------------------------------------------------ compiling and linking

    def command(self, source: str, target: str, *, own: bool = False) -> list[str]:
        """The argv that compiles one source; `own`: none of the task's folders, defines and flags."""
        of_c = source.endswith(".c")
        argv = ["/usr/bin/gcc" if of_c else "/usr/bin/g++", *COMMON]
        if not own:
            if of_c == (self.settings["std_of"] == "c"):
                argv.append(f"-std={self.settings['std']}")
            argv += [f"-I{folder}" for folder in self.settings["includes"]]
            argv += [f"-D{define}" for define in self.settings["defines"]]
            argv += self.settings["flags"]
        return [*argv, "-c", plain(source), "-o", target]

    def compile(self, source: str, target: str, *, own: bool = False, more: Sequence[str] = ()) -> str:
        """Compile one source; '' or the first error as `path:line: text`. A failure leaves no object."""
        os.makedirs(os.path.dirname(target), exist_ok=True)
        remove(target)
        ended = run([*self.command(source, target, own=own), *more])
        if ended.returncode == 0 and os.path.isfile(target):
            return ""
        remove(target)
        return first_error(ended.stdout, source)

    def link(self, objects: Sequence[str], program: str, libraries: Sequence[str] = ()) -> str:
        """Link a program of objects, the product, then libraries; '' or what is missing."""
        remove(program)
        after = [f"-l{name}" for name in (*libraries, *self.settings["libraries"])]
        driver = "/usr/bin/gcc" if self.settings["std_of"] == "c" else "/usr/bin/g++"
        ended = run([driver, *objects, self.library, *after, "-o", program])
        if ended.returncode == 0 and os.path.isfile(program):
            return ""
        remove(program)
        found = UNLINKED.search(ended.stdout)
        return (found[0] if found else last_line(ended.stdout))[:LONGEST]

    # ------------------------------------------------------------ a suite's units

    def folder_of(self, unit: str) -> str:
        """Where a unit is built."""
        return f"{self.build}/units/{unit}"

    def each_unit(self, build: Callable[[str, str], str]) -> None:
        """Build every unit in an empty folder of its own, noting why one could not be built."""
        shutil.rmtree(f"{self.build}/units", ignore_errors=True)
        remove(self._notes)
        units: list[str] = self.settings["units"]
        for unit in units:
            os.makedirs(self.folder_of(unit))
        with ThreadPoolExecutor(jobs()) as pool:
            problems = list(pool.map(lambda unit: build(unit, self.folder_of(unit)), units))
        bad = {unit: problem for unit, problem in zip(units, problems, strict=True) if problem}
        for unit, problem in bad.items():
            say(f"{unit} was not built: {problem}\n")
        with open(self._notes, "w", encoding="utf-8") as stream:
            json.dump(bad, stream)

    def uncollected(self) -> dict[str, str]:
        """Unit to why it was not built."""
        with open(self._notes, encoding="utf-8") as stream:
            found: dict[str, str] = json.load(stream)
        return found


def jobs() -> int:
    """Compilers at a time."""
    return min(len(os.sched_getaffinity(0)), 4)


def run(argv: Sequence[str]) -> subprocess.CompletedProcess[str]:
    """Run a compiler or linker, showing what it said."""
    ended = subprocess.run(
        argv,
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        encoding="utf-8",
        errors="replace",
        check=False,
    )
    say(ended.stdout)
    return ended


def say(text: str) -> None:
    """Show text at once."""
    sys.stdout.write(text)
    sys.stdout.flush()


def plain(path: str) -> str:
    """A path that no compiler takes for an option or a file of options."""
    return f"./{path}" if path[:1] in ("-", "@") else path


def remove(path: str) -> None:
    """Remove a file if it is there."""
    if os.path.lexists(path):
        os.unlink(path)


def first_error(output: str, source: str) -> str:
    """`path:line: error text` of a compiler's first error, or its last line after the source's name."""
    found = ERROR.search(output)
    if found is None:
        return f"{source}:1: {last_line(output)}"[:LONGEST]
    return f"{found[1]}:{found[2]}: {found[3]}"[:LONGEST]


def last_line(output: str) -> str:
    """The last line with something in it."""
    lines = [line.strip() for line in output.splitlines() if line.strip()]
    return lines[-1] if lines else "the compiler failed and said nothing"


def digest(data: bytes) -> str:
    """SHA-256, in hexadecimal."""
    return hashlib.sha256(data).hexdigest()
