"""Text from patches and test output, made safe to look at: nothing in it hides or reorders."""

from __future__ import annotations

import unicodedata

_UNSEEN = frozenset({"Cc", "Cf", "Cs", "Co", "Zl", "Zp"})
_NAMED = {"\n": " ⏎ ", "\r": " ␍ ", "\t": "    "}


def visible(text: str) -> str:
    """`text` with control, bidirectional, zero-width and surrogate characters spelled out as `⟨U+202E⟩`."""
    if text.isprintable():
        return text
    return "".join(_seen(character) for character in text)


def cut(text: str, limit: int) -> str:
    """At most `limit` characters of `text`, saying how many were left out."""
    return text if len(text) <= limit else f"{text[:limit]} … ({len(text) - limit} more characters)"


def _seen(character: str) -> str:
    if character in _NAMED:
        return _NAMED[character]
    return f"⟨U+{ord(character):04X}⟩" if unicodedata.category(character) in _UNSEEN else character
