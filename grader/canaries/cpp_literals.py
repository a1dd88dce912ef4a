"""Literals of C++: what kind one is, what it consists of, what it means."""

from __future__ import annotations

import re
import struct

from tree_sitter import Node

from grader.canaries.literal_writer import Parts, parsed_int, text_of
from grader.canaries.site import LiteralKind
from grader.syntax.c_like import unescaped

_INTEGER = re.compile(r"([+-]?)(0[xX][\da-fA-F']+|0[bB][01']+|[\d']+)([uUlLzZ]{0,3})")
_DECIMAL = re.compile(r"([+-]?)(\d[\d']*\.?[\d']*(?:[eE][+-]?\d+)?|\.\d[\d']*(?:[eE][+-]?\d+)?)([fFlL]?)")
_RAW = re.compile(r'((?:u8|[uUL])?R"([^()\\\s]{0,16})\()(.*)(\)\2")', re.DOTALL)
_QUOTED = re.compile(r"""((?:u8|[uUL])?(["']))(.*)(\2)""", re.DOTALL)
_GREEDY = re.compile(r"\\x[\da-fA-F]{3}")
"""`\\x` takes every digit that follows, so a letter put behind one may become part of it."""


def kind_of(node: Node) -> LiteralKind | None:
    """What kind of literal a node is; a character counts as a text of one character."""
    if node.type in ("string_literal", "raw_string_literal", "char_literal"):
        return "str" if _RAW.fullmatch(text_of(node)) or _QUOTED.fullmatch(text_of(node)) else None
    if node.type != "number_literal":
        return None
    if _INTEGER.fullmatch(text_of(node)):
        return "int"
    return "float" if _DECIMAL.fullmatch(text_of(node)) else None


def parts_of(node: Node) -> Parts:
    """A sign goes to the opening, a suffix to the closing."""
    text = text_of(node)
    if number := _INTEGER.fullmatch(text) or _DECIMAL.fullmatch(text):
        return Parts(number[1], number[2], number[3])
    if raw := _RAW.fullmatch(text):
        return Parts(raw[1], raw[3], raw[4], raw=True)
    quoted = _QUOTED.fullmatch(text)
    return Parts(quoted[1], quoted[3], quoted[4]) if quoted else Parts("", text, "")


def value(kind: LiteralKind, parts: Parts) -> object:
    """The value that a comparison sees. Raises ValueError for what is no literal, or not one of its kind."""
    if kind in ("int", "float"):
        form = _INTEGER if kind == "int" else _DECIMAL
        if not form.fullmatch(parts.inner):
            raise ValueError(f"{parts.inner!r:.50} is no number")
        return _number(kind, parts) * (-1 if parts.opening == "-" else 1)
    return parts.inner if parts.raw else _text(parts)


def _number(kind: LiteralKind, parts: Parts) -> int | float:
    if kind == "int":
        return parsed_int(parts.inner)
    found = float(parts.inner.replace("'", ""))
    single = parts.closing in ("f", "F")
    return float(struct.unpack("f", struct.pack("f", found))[0]) if single else found


def _text(parts: Parts) -> str:
    if _GREEDY.search(parts.inner):
        raise ValueError("an escape of three digits")
    text = unescaped(parts.inner)
    if parts.closing == "'" and len(text) != 1:
        raise ValueError("not one character")
    return text.partition("\0")[0]  # a C string ends there
