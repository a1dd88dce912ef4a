"""A file of a tree as text, read as the language's own tools would read it."""

from __future__ import annotations

import codecs
import io
import re
import tokenize
from dataclasses import dataclass

from runner.tree import SYMLINK, Entry, Tree
from runner.tree_paths import resolve_link

MAX_BYTES = 2_000_000
"""Larger files are reported instead of being read."""

_ENCODINGS = frozenset({"utf-8", "ascii", "iso8859-1", "iso8859-15", "cp1252"})
"""Encodings of Python source that show code as it is. Others (utf-7, unicode_escape) serve to hide it."""

_CONTINUED = re.compile(r"(?:\\\r?\n[ \t\f]*){200}")
"""tree-sitter-python takes time quadratic in such a run (20,000 lines: 8 s)."""


@dataclass(frozen=True, slots=True)
class SourceText:
    """A file's text, or why it cannot be read (the end of a sentence that begins with the path)."""

    text: str = ""
    problem: str = ""


def python_text(entry: Entry) -> SourceText:
    """Python source by its declared encoding (PEP 263). Never raises."""
    if len(entry.data) > MAX_BYTES:
        return SourceText(problem=_too_large(entry))
    try:
        encoding, _ = tokenize.detect_encoding(io.BytesIO(entry.data).readline)
        if codecs.lookup(encoding.removesuffix("-sig")).name not in _ENCODINGS:
            return SourceText(problem=f"declares the encoding {encoding}; write it in UTF-8")
        text = entry.data.decode(encoding)
    except (SyntaxError, UnicodeDecodeError):
        return SourceText(problem="is not text in the encoding it declares; write it in UTF-8")
    if _CONTINUED.search(text):
        return SourceText(problem="holds hundreds of empty continued lines; take them out")
    return SourceText(text)


def any_text(entry: Entry) -> SourceText:
    """A file of any kind as UTF-8, bytes that are not replaced. Never raises."""
    if len(entry.data) > MAX_BYTES:
        return SourceText(problem=_too_large(entry))
    return SourceText(entry.data.decode("utf-8", "replace"))


def followed(tree: Tree, path: str) -> Entry | None:
    """The entry at `path`, or the one a link there leads to (one link, as admission allows); None if none."""
    entry = tree.get(path)
    if entry is None or entry.mode != SYMLINK:
        return entry
    inside = resolve_link(path, entry)
    target = tree.get(inside) if inside is not None else None
    return None if target is None or target.mode == SYMLINK else target


def _too_large(entry: Entry) -> str:
    return f"is {len(entry.data) / 1e6:.1f} MB; files above {MAX_BYTES / 1e6:.0f} MB are not read"
