"""Builds every package of the module in the working folder; the last line of the output is the first error."""

from __future__ import annotations

import os
import sys

FOLDER = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, FOLDER)

import compiler  # type: ignore[import-not-found]  # noqa: E402  # laid beside this script


def main() -> None:
    """The folder of what is built is the first argument."""
    compiler.prepare(sys.argv[1])
    well, error = compiler.go("build", "-o", os.devnull, "./...")
    if not well:
        sys.exit(error)


if __name__ == "__main__":
    main()
