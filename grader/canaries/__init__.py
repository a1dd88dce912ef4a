"""Canaries: real tests under their own ids, rewritten so that they must fail.

One module a test framework finds where a test expects a literal; `twins` chooses what to put there.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Protocol

from grader.canaries import ctest, go_test, googletest, junit5, libtest, node_test, pytest, vitest
from grader.canaries.site import Site, Sites
from runner.plan import Canary, CanaryKind

__all__ = ["WRITERS", "CanaryWriter", "Site", "Sites"]


class CanaryWriter(Protocol):
    """What a framework's module offers. Everything is parsed on the host, nothing is ever imported or run."""

    def defined(self, file: str, data: bytes) -> Mapping[str, int]:
        """The id of every test that stands in a suite file, with its line (from 1). Raises SyntaxError."""

    def sites(self, files: Mapping[str, bytes], tests: Iterable[str]) -> Sites:
        """Where each test expects a literal; the reason for each that does so nowhere."""

    def literals(self, data: bytes) -> tuple[str, ...]:
        """The inner text of every literal of a file, as often as it stands there."""

    def differs(self, site: Site, text: str) -> bool:
        """Whether `text` is a literal of the same type whose value a comparison tells from the site's."""

    def turned(
        self, files: Mapping[str, bytes], tests: Iterable[str], kind: CanaryKind
    ) -> Mapping[str, Canary]:
        """The `negate` or `fail` canary of each test that can carry one."""


WRITERS: Mapping[str, CanaryWriter] = {
    "pytest": pytest,
    "go-test": go_test.WRITER,
    "ctest": ctest.WRITER,
    "googletest": googletest.WRITER,
    "libtest": libtest.WRITER,
    "junit5": junit5.WRITER,
    "vitest": vitest.WRITER,
    "node-test": node_test.WRITER,
}
"""Test framework to the writer for it."""
