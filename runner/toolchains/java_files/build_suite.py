"""Compiles each unit of the suite on its own; what is wrong with those that do not compile goes to suite.json."""

from __future__ import annotations

import json
import os
import re
import shutil
import sys

FOLDER = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, FOLDER)

import javac  # type: ignore[import-not-found]  # noqa: E402  # laid beside this script
import recorder  # type: ignore[import-not-found]  # noqa: E402

PACKAGE = re.compile(r"^\s*package\s+([\w.]+)\s*;", re.MULTILINE)


def class_of(unit: str) -> str:
    """The name of the class that a unit is: its file's, in the package that it says."""
    with open(unit, encoding="utf-8", errors="replace") as stream:
        package = PACKAGE.search(stream.read())
    name = os.path.basename(unit).removesuffix(".java")
    return f"{package[1]}.{name}" if package else name


def main() -> None:
    """Unit number n goes to the folder of that number; helpers of the suite, which are no units, to each."""
    settings = recorder.settings(FOLDER)
    tests, units = f"{settings['build']}/tests", list(settings["units"])
    shutil.rmtree(tests, ignore_errors=True)
    path = f"{javac.classpath()}:{settings['build']}/classes"
    helpers = settings["helpers"]
    jobs = [(f"{tests}/{number}", ("-cp", path), [unit, *helpers]) for number, unit in enumerate(units)]
    errors = dict(zip(units, javac.compile_all(jobs), strict=True))
    made = {
        "wrong": {unit: error for unit, error in errors.items() if error},
        "classes": {unit: class_of(unit) for unit in units},
    }
    with open(f"{settings['build']}/suite.json", "w", encoding="utf-8") as stream:
        json.dump(made, stream)


if __name__ == "__main__":
    main()
