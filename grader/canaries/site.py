"""Where a suite expects a literal: what a canary writer finds and the choice of twins reads."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Literal

LiteralKind = Literal["int", "float", "str", "bytes"]


@dataclass(frozen=True, slots=True)
class Site:
    """One expected literal of one test: the bytes `start`..`end` of `file` are `opening + inner + closing`.

    `inner` is the literal as written, without quotes and prefix. Escapes in it are not resolved unless `raw`.
    """

    test: str
    file: str
    start: int
    end: int
    kind: LiteralKind
    opening: str
    inner: str
    closing: str
    raw: bool = False
    inputs: tuple[str, ...] = ()
    """The inner texts of every other literal that the test works on."""
    beside: tuple[str, ...] = ()
    """Every literal of the same expectation in order, this one among them."""
    place: int = 0
    """Which of `beside` this one is."""
    relative: float = 0.0
    absolute: float = 0.0
    """What the comparison forgives; a twin has to be further away than both."""

    @property
    def text(self) -> str:
        """The literal as it stands in the file."""
        return self.written(self.inner)

    def written(self, inner: str) -> str:
        """Another inner text in this literal's quotes."""
        return f"{self.opening}{inner}{self.closing}"


@dataclass(frozen=True, slots=True)
class Sites:
    """Test id to its sites, or test id to the reason why it has none."""

    found: Mapping[str, tuple[Site, ...]]
    refused: Mapping[str, str]
