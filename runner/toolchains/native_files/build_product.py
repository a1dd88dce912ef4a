"""Builds the product in a sandbox, and the base in its image: what has not changed is not compiled again.

An object is as good as new while its command, every file that it was made of, and the places of all files that
have the same names as those are the same: a file that appears may come first in a search path.
"""

from __future__ import annotations

import json
import os
import re
import sys
from concurrent.futures import ThreadPoolExecutor
from functools import cache
from typing import TYPE_CHECKING, Any, NamedTuple

if TYPE_CHECKING:
    from runner.toolchains.native_files.native import (
        Native,
        digest,
        jobs,
        remove,
        run,
        say,
        settings,
    )
else:
    sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
    from native import Native, digest, jobs, remove, run, say, settings

SYSTEM = "/usr/"
"""What lies here is the image's and never changes."""
ASKS_FOR_NAMES = re.compile(rb"__has_(?:include|embed)")

Record = dict[str, Any]


class Made(NamedTuple):
    """One source's object: what it was made of, or why it was not."""

    source: str
    record: Record
    problem: str = ""
    compiled: bool = False


class Names:
    """Every path of the tree by its last name, and where links lead."""

    def __init__(self) -> None:
        self.paths: list[str] = []
        self.by_name: dict[str, list[str]] = {}
        self.links: list[tuple[str, str]] = []
        for folder, folders, files in os.walk("."):
            folders.sort()
            for name in sorted([*folders, *files]):
                path = os.path.join(folder, name)[2:]
                self.by_name.setdefault(name, []).append(path)
                if os.path.islink(path):
                    self.links.append((path, os.readlink(path)))
                if name in files:
                    self.paths.append(path)

    def around(self, names: set[str], *, every: bool) -> str:
        """A digest of where files of these names, or all files, are."""
        places = self.by_name if every else {name: self.by_name.get(name, []) for name in sorted(names)}
        return digest(repr((sorted(places.items()), self.links)).encode("utf-8", "surrogateescape"))


class Product(Native):
    """The builder of one tree."""

    def __init__(self, made: dict[str, Any]) -> None:
        super().__init__(made)
        self.names = Names()
        self.content = cache(content)

    def sources(self) -> list[str]:
        """The files of the tree that are to be compiled."""
        wanted = [re.compile(one, re.DOTALL) for one in self.settings["sources"]]
        left_out = [re.compile(one, re.DOTALL) for one in self.settings["exclude"]]
        return [
            path
            for path in sorted(self.names.paths)
            if any(one.fullmatch(path) for one in wanted) and not any(one.fullmatch(path) for one in left_out)
        ]

    def make(self, source: str, known: Record | None) -> Made:
        """The object of one source, compiled if it is not as good as new."""
        target = self.object_of(source)
        if known is not None and os.path.isfile(target) and self.is_fresh(source, known):
            return Made(source, known)
        listing, assembled = f"{target}.d", f"{target}.s.d"
        remove(listing)
        remove(assembled)
        problem = self.compile(source, target, more=["-MD", "-MF", listing, f"-Wa,--MD,{assembled}"])
        if problem:
            return Made(source, {}, problem, compiled=True)
        included = (
            path for path in listed(assembled) if os.path.exists(path)
        )  # beside names of its own making
        parts = sorted({*listed(listing), *included})
        return Made(source, self.record(source, parts), compiled=True)

    def object_of(self, source: str) -> str:
        """Where a source's object is."""
        return f"{self.build}/obj/{source}.o"

    def record(self, source: str, parts: list[str]) -> Record:
        """What an object is made of, as of now."""
        contents = {path: self.content(path) for path in parts}
        asks = any(found is None or found.asks for found in contents.values())
        return {
            "command": self.command(source, self.object_of(source)),
            "parts": {path: found.digest if found else "" for path, found in contents.items()},
            "names": self.names.around({os.path.basename(path) for path in parts}, every=asks),
        }

    def is_fresh(self, source: str, known: Record) -> bool:
        """Whether the object was made of just what is there now."""
        return "" not in known["parts"].values() and known == self.record(source, list(known["parts"]))

    def archive(self, sources: list[str]) -> str:
        """The library of all objects, made anew; '' or why not."""
        remove(self.library)
        ended = run(["/usr/bin/ar", "qcsD", self.library, *map(self.object_of, sources)])
        return "" if ended.returncode == 0 else f"the library could not be made: {ended.stdout[-200:]}"


class Content(NamedTuple):
    """A file's digest, and whether it asks which files there are."""

    digest: str
    asks: bool


def content(path: str) -> Content | None:
    """What is in a file; None if it cannot be read."""
    if path.startswith(SYSTEM):
        return Content("system", asks=False)
    try:
        with open(path, "rb") as stream:
            data = stream.read()
    except OSError:
        return None
    return Content(digest(data), asks=ASKS_FOR_NAMES.search(data) is not None)


def listed(path: str) -> list[str]:
    """The files that a list of dependencies names."""
    with open(path, encoding="utf-8", errors="surrogateescape") as stream:
        text = stream.read().replace("\\\n", " ")
    _, _, rest = text.partition(": ")
    found = re.findall(r"(?:\\.|[^\\\s])+", rest)
    return [re.sub(r"\\(.)", r"\1", name).replace("$$", "$") for name in found]


def main() -> int:
    product = Product(settings())
    notes = f"{product.build}/objects.json"
    known: dict[str, Record] = {}
    if os.path.isfile(notes):
        with open(notes, encoding="utf-8") as stream:
            known = json.load(stream)
    sources = product.sources()
    for gone in known.keys() - set(sources):
        remove(product.object_of(gone))
    with ThreadPoolExecutor(jobs()) as pool:
        made = list(pool.map(lambda source: product.make(source, known.get(source)), sources))
    with open(notes, "w", encoding="utf-8") as stream:
        json.dump({one.source: one.record for one in made if not one.problem}, stream)
    say(f"{sum(one.compiled for one in made)} of {len(made)} sources compiled\n")
    problem = next((one.problem for one in made if one.problem), "")
    if not sources:
        problem = "there is no source to build the product of"
    problem = problem or product.archive(sources)
    if problem:
        say(f"{problem}\n")
    return 1 if problem else 0


if __name__ == "__main__":
    sys.exit(main())
