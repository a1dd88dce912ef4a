"""The records of a JSON or JSON Lines file, each with the line it stands on, and every fault at once."""

from __future__ import annotations

import codecs
import json
import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from runner.errors import Fault

_SPACE = re.compile(r"[ \t\n\r]*")
_CLOSER = {"[": "]", "{": "}"}
_OTHER_ENCODINGS = (codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE)


class JsonObject(dict[str, object]):
    """A JSON object that remembers the keys it named more than once (the last value stands)."""

    repeated: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Record:
    """One value of the file. `line` counts from 1; `path` is jq's (`.[0]`, `.["id"]`), '' in JSON Lines."""

    value: object
    line: int
    path: str = ""
    key: str | None = None


@dataclass(frozen=True, slots=True)
class Records:
    """What a file holds: its records as far as they could be read, and all its faults."""

    items: tuple[Record, ...]
    faults: tuple[Fault, ...]


def read_records(data: bytes, file: str, *, json_lines: bool | None = None) -> Records:
    """Read `data` as a JSON array, a JSON object, or JSON Lines; `file` names it in faults.

    `json_lines` says which of the two an opening `{` means; None decides by whether the first line is
    complete. A byte order mark is skipped. Nothing is raised: what is wrong stands in `faults`.
    """
    body = data.removeprefix(codecs.BOM_UTF8)
    if not body.strip():
        return Records((), (Fault(file, 0, "the file is empty; write at least one record"),))
    if body.startswith(_OTHER_ENCODINGS):
        return Records((), (Fault(file, 1, "the file is UTF-16; save it as UTF-8"),))
    if body.lstrip()[:1] == b"{" and (_first_line_is_complete(body) if json_lines is None else json_lines):
        return _read_lines(body.split(b"\n"), file)
    return _read_document(body, file)


def _first_line_is_complete(body: bytes) -> bool:
    first, _, rest = body.lstrip().partition(b"\n")
    try:
        value = json.loads(first)
    except (ValueError, RecursionError):
        return False
    return bool(rest.strip()) or (isinstance(value, dict) and "instance_id" in value)


def _read_lines(lines: Iterable[bytes], file: str) -> Records:
    items: list[Record] = []
    faults: list[Fault] = []
    for number, line in enumerate(lines, 1):
        if not line.strip():
            continue
        try:
            items.append(Record(_decode(line.decode("utf-8")), number))
        except (ValueError, RecursionError) as error:
            faults.append(Fault(file, number, f"not a JSON object on one line: {_why(error)}"))
    return Records(tuple(items), tuple(faults))


def _read_document(body: bytes, file: str) -> Records:
    items: list[Record] = []
    try:
        items.extend(_entries(body.decode("utf-8")))
    except (ValueError, RecursionError) as error:
        line = _line_of(error)
        return Records(tuple(items), (Fault(file, line, f"not JSON: {_why(error)}"),))
    if not items:
        return Records((), (Fault(file, 0, "the file holds no record; write at least one"),))
    return Records(tuple(items), ())


def _entries(text: str) -> Iterator[Record]:
    """Each element of a top-level array, or each member of a top-level object, as it comes."""
    at = _skip(text, 0)
    opener = text[at]
    if opener not in _CLOSER:
        raise json.JSONDecodeError("expected a list, an object, or one object a line", text, at)
    line, counted, index = 1, 0, 0
    at = _skip(text, at + 1)
    more = not text.startswith(_CLOSER[opener], at)
    while more:
        line, counted = line + text.count("\n", counted, at), at
        key, at = _key(text, at) if opener == "{" else (None, at)
        value, at = _DECODER.raw_decode(text, at)
        path = f".[{index}]" if key is None else f".[{json.dumps(key)}]"
        yield Record(value, line, path, key)
        at = _skip(text, at)
        more = text.startswith(",", at)
        index, at = index + 1, _skip(text, at + 1) if more else at
    if not text.startswith(_CLOSER[opener], at):
        raise json.JSONDecodeError(f"expected ',' or '{_CLOSER[opener]}'", text, at)
    end = _skip(text, at + 1)
    if end != len(text):
        raise json.JSONDecodeError("more text after the end", text, end)


def _key(text: str, at: int) -> tuple[str, int]:
    key, after = _DECODER.raw_decode(text, at)
    if not isinstance(key, str):
        raise json.JSONDecodeError("expected a key in double quotes", text, at)
    colon = _skip(text, after)
    if not text.startswith(":", colon):
        raise json.JSONDecodeError("expected ':'", text, colon)
    return key, _skip(text, colon + 1)


def _decode(line: str) -> object:
    value, at = _DECODER.raw_decode(line, _skip(line, 0))
    end = _skip(line, at)
    if end != len(line):
        raise json.JSONDecodeError("more text after the end", line, end)
    return value


def _skip(text: str, at: int) -> int:
    found = _SPACE.match(text, at)
    return found.end() if found else at


def _object(pairs: list[tuple[str, object]]) -> JsonObject:
    made = JsonObject(pairs)
    if len(made) != len(pairs):
        names = [name for name, _ in pairs]
        made.repeated = tuple(name for name in made if names.count(name) > 1)
    return made


def _line_of(error: ValueError | RecursionError) -> int:
    match error:
        case json.JSONDecodeError():
            return error.lineno
        case UnicodeDecodeError():
            return bytes(error.object).count(b"\n", 0, error.start) + 1
        case _:
            return 0


def _why(error: ValueError | RecursionError) -> str:
    match error:
        case json.JSONDecodeError():
            return f"{error.msg.removesuffix(' at')} at column {error.colno}"
        case UnicodeDecodeError():
            return f"byte 0x{error.object[error.start]:02x} is not UTF-8; save the file as UTF-8"
        case RecursionError():
            return "nested too deep"
        case _:
            return str(error)


_DECODER = json.JSONDecoder(object_pairs_hook=_object)
