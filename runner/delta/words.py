"""The words of a delta's lines: bare or quoted, and back to bytes."""

from __future__ import annotations

import re

_ESCAPES = {"n": b"\n", "t": b"\t", "r": b"\r", "\\": b"\\", '"': b'"'}
_NAMED = {"\n": "\\n", "\t": "\\t", "\r": "\\r", "\\": "\\\\", '"': '\\"'}
_ESCAPE = re.compile(r"\\(x[0-9a-fA-F]{2}|.)|([^\\]+)", re.DOTALL)
_BARE = re.compile(r"[!#-+\--~]+\Z")
"""Printable ASCII without quotes and commas."""
_RESERVED = frozenset({"->", "indent", "from", "mode", "eol"})
_WORD = re.compile(r'"(?:[^"\\]|\\.)*"|[^\s",]+|,')
LINE_RANGE = re.compile(r"([1-9]\d*)(?:-([1-9]\d*))?\Z", re.ASCII)


def path_bytes(path: str) -> bytes:
    """A tree's path as bytes (bytes that are not UTF-8 stand as surrogates in a tree)."""
    return path.encode("utf-8", "surrogateescape")


def path_text(path: bytes) -> str:
    """The inverse of `path_bytes`."""
    return path.decode("utf-8", "surrogateescape")


def quote(data: bytes) -> str:
    """`data` in double quotes; control, bidirectional and invisible characters and bad UTF-8 as `\\xNN`."""
    return '"' + "".join(_escaped(char) for char in data.decode("utf-8", "surrogateescape")) + '"'


def _escaped(char: str) -> str:
    if char in _NAMED:
        return _NAMED[char]
    if is_visible(char):
        return char
    return "".join(f"\\x{byte:02x}" for byte in path_bytes(char))


def is_visible(char: str) -> bool:
    """Can the character stand in a delta as itself? Not a control, an odd blank, bad UTF-8."""
    return char == " " or char.isprintable()


def unquote(quoted: str) -> bytes:
    """The bytes of a quoted word. Raises ValueError, with what is wrong, if it is not one."""
    if len(quoted) < 2 or quoted[0] != '"' or not _WORD.fullmatch(quoted):
        raise ValueError(f"{quoted} is not a quoted text; it needs a double quote at both ends")
    return _ESCAPE.sub(_unescaped, quoted[1:-1]).encode("latin-1")


def _unescaped(match: re.Match[str]) -> str:
    escape, plain = match.groups()
    if plain is not None:
        return str(plain).encode().decode("latin-1")
    if escape[0] == "x" and len(escape) == 3:
        return chr(int(escape[1:], 16))
    if escape not in _ESCAPES:
        raise ValueError(f'\\{escape} is no escape; use \\n \\t \\r \\\\ \\" or \\xNN')
    return _ESCAPES[escape].decode("latin-1")


def word(data: bytes) -> str:
    """`data` as one word: bare where that reads back the same, else quoted."""
    text = data.decode("latin-1")
    if _BARE.match(text) and text not in _RESERVED and not LINE_RANGE.match(text):
        return text
    return quote(data)


def unword(text: str) -> bytes:
    """The bytes of a bare or quoted word. Raises ValueError."""
    return unquote(text) if text.startswith('"') else text.encode()


def split_words(line: str) -> list[str]:
    """The words of a line, quotes kept, commas as words. Raises ValueError for a stray quote."""
    if _WORD.sub("", line).strip():
        raise ValueError("a double quote is not closed")
    return _WORD.findall(line)
