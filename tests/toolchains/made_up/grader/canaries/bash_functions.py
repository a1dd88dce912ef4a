"""Canaries for Bash functions: the number that `expect` wants of a command."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping

from grader.canaries.site import Site, Sites
from runner.plan import Canary, CanaryKind

_TEST = re.compile(r"^(test_[^\s()]*)\(\) \{\n(.*?)^\}", re.MULTILINE | re.DOTALL)
_EXPECTED = re.compile(r"^ *expect (\d+) ", re.MULTILINE)


class BashFunctionsWriter:
    """A test is a function `test_…` whose closing brace begins a line."""

    def defined(self, file: str, data: bytes) -> Mapping[str, int]:
        """Test id to line. Raises SyntaxError for one that stands there twice."""
        lines: dict[str, int] = {}
        text = data.decode("utf-8", "replace")
        for match in _TEST.finditer(text):
            id_, line = f"{file}::{match[1]}", text.count("\n", 0, match.start()) + 1
            if id_ in lines:
                raise SyntaxError(f"{id_} is defined twice", (file, line, 0, ""))
            lines[id_] = line
        return lines

    def sites(self, files: Mapping[str, bytes], tests: Iterable[str]) -> Sites:
        """The numbers that a test expects."""
        found: dict[str, tuple[Site, ...]] = {}
        refused: dict[str, str] = {}
        for test in tests:
            file, _, name = test.partition("::")
            here = tuple(self._sites_of(test, file, name, files.get(file, b"")))
            if here:
                found[test] = here
            else:
                refused[test] = "it expects no number"
        return Sites(found, refused)

    def literals(self, data: bytes) -> tuple[str, ...]:
        """Every number of a file."""
        return tuple(re.findall(r"\b\d+\b", data.decode("utf-8", "replace")))

    def differs(self, site: Site, text: str) -> bool:
        """Whether another number is meant."""
        return text.isdigit() and int(text) != int(site.inner)

    def turned(
        self, files: Mapping[str, bytes], tests: Iterable[str], kind: CanaryKind
    ) -> Mapping[str, Canary]:
        """None: a number can always be changed."""
        return {}

    @staticmethod
    def _sites_of(test: str, file: str, name: str, data: bytes) -> Iterator[Site]:
        text = data.decode("utf-8", "surrogateescape")
        for match in _TEST.finditer(text):
            for wanted in _EXPECTED.finditer(match[2]) if match[1] == name else ():
                offset = match.start(2) + wanted.start(1)
                start = len(text[:offset].encode("utf-8", "surrogateescape"))
                numbers = tuple(re.findall(r"\b\d+\b", match[2].replace(wanted[0], "", 1)))
                yield Site(
                    test, file, start, start + len(wanted[1]), "int", "", wanted[1], "", inputs=numbers
                )


WRITER = BashFunctionsWriter()
