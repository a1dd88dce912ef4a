"""Builds a test program a unit, each on its own; what is wrong with those that do not build goes to suite.json."""

from __future__ import annotations

import json
import os
import sys

FOLDER = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, FOLDER)

import compiler  # type: ignore[import-not-found]  # noqa: E402  # laid beside this script
import recorder  # type: ignore[import-not-found]  # noqa: E402


def main() -> None:
    """Program number n is that of the settings' unit number n."""
    settings = recorder.settings(FOLDER)
    build, wrong = settings["build"], {}
    os.makedirs(f"{build}/tests", exist_ok=True)
    for number, unit in enumerate(settings["units"]):
        program = f"{build}/tests/{number}"
        if os.path.lexists(program):
            os.unlink(program)
        folder = "./" + os.path.dirname(unit)
        well, error = compiler.go("test", "-c", "-vet=off", "-ldflags=-s", "-o", program, folder)
        if not well or not os.path.isfile(program):
            wrong[unit] = error or "there are no tests in it"
    with open(f"{build}/suite.json", "w", encoding="utf-8") as stream:
        json.dump(wrong, stream)


if __name__ == "__main__":
    main()
