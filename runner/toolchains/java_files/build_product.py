"""Compiles the product, all of it, if one of its sources is not as it was; the last line of the output is the error.

A class keeps nothing of the constants it took from another, so which classes a change leaves stale cannot be
told from the classes alone.
"""

from __future__ import annotations

import hashlib
import json
import os
import shutil
import sys
from collections.abc import Iterator

FOLDER = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, FOLDER)

import javac  # type: ignore[import-not-found]  # noqa: E402  # laid beside this script

NO_CLASS = frozenset({"module-info.java"})


def sources(roots: list[str]) -> Iterator[str]:
    """Every source under the roots, in order, each once."""
    seen: set[str] = set()
    for root in roots:
        for folder, folders, files in os.walk(root):
            folders.sort()
            for name in sorted(files):
                path = os.path.normpath(f"{folder}/{name}")
                if (
                    name.endswith(".java")
                    and name not in NO_CLASS
                    and path not in seen
                    and os.path.isfile(path)
                ):
                    seen.add(path)
                    yield path


def digest(path: str) -> str:
    """The digest of a file's bytes."""
    with open(path, "rb") as stream:
        return hashlib.file_digest(stream, "sha256").hexdigest()


def main() -> None:
    """Settings are `build.json`; the working folder is the tree."""
    with open(f"{FOLDER}/build.json", encoding="utf-8") as stream:
        settings = json.load(stream)
    classes, noted = f"{settings['build']}/classes", f"{settings['build']}/sources.json"
    found = {path: digest(path) for path in sources(settings["roots"])}
    if os.path.exists(noted):
        with open(noted, encoding="utf-8") as stream:
            if json.load(stream) == found:
                return
        os.unlink(noted)
    shutil.rmtree(classes, ignore_errors=True)
    os.makedirs(classes)
    if found:
        [error] = javac.compile_all([(classes, ("-cp", classes, *settings["options"]), list(found))])
        if error:
            sys.exit(error)
    with open(noted, "w", encoding="utf-8") as stream:
        json.dump(found, stream)


if __name__ == "__main__":
    main()
