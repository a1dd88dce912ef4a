"""Where a key stands in a TOML, YAML or JSON-lines file, so that a fault can name its line."""

from __future__ import annotations

import re
from collections.abc import Mapping

import yaml

Place = tuple[str | int, ...]
"""Keys and list positions (from 0) from the top of the document down to a value."""
Places = Mapping[Place, int]
"""Line (from 1) of each key found. Best effort: what is not found has the line of what it stands in."""

_KEY = r"""(?:[A-Za-z0-9_-]+|"(?:[^"\\]|\\.)*"|'[^']*')"""
_DOTTED = rf"{_KEY}(?:\s*\.\s*{_KEY})*"
_TABLE = re.compile(rf"\s*(\[\[?)\s*({_DOTTED})\s*\]")
_ASSIGNMENT = re.compile(rf"\s*({_DOTTED})\s*=")


def line_of(places: Places, place: Place) -> int:
    """The line of `place`, or of the nearest thing around it that was found; 0 if nothing was."""
    while place and place not in places:
        place = place[:-1]
    return places.get(place, 0)


def toml_places(text: str) -> Places:
    """The lines of a TOML document's tables and keys."""
    places: dict[Place, int] = {}
    counts: dict[Place, int] = {}
    table: Place = ()
    for number, line in enumerate(text.split("\n"), 1):
        header, assignment = _TABLE.match(line), _ASSIGNMENT.match(line)
        if header:
            table = _in_lists(_keys(header[2]), counts)
            if header[1] == "[[":
                counts[table] = counts.get(table, -1) + 1
                table = (*table, counts[table])
            places.setdefault(table, number)
        elif assignment:
            places.setdefault((*table, *_keys(assignment[1])), number)
    return places


def _keys(dotted: str) -> list[str]:
    return [key[1:-1] if key[0] in "\"'" else key for key in re.findall(_KEY, dotted)]


def _in_lists(keys: list[str], counts: Mapping[Place, int]) -> Place:
    """The place that `keys` name, with the position in every list of tables on the way but the last."""
    place: Place = ()
    for depth, key in enumerate(keys):
        place = (*place, key)
        if place in counts and depth < len(keys) - 1:
            place = (*place, counts[place])
    return place


def yaml_places(text: str) -> tuple[Places, list[tuple[int, str]]]:
    """The lines of a YAML document's keys and items, and (line, key) of keys that stand twice in a mapping.

    Raises yaml.YAMLError.
    """
    places: dict[Place, int] = {}
    twice: list[tuple[int, str]] = []
    root = yaml.compose(text, Loader=yaml.SafeLoader)
    if root is not None:
        _walk(root, (), places, twice)
    return places, twice


def _walk(node: yaml.Node, place: Place, places: dict[Place, int], twice: list[tuple[int, str]]) -> None:
    places.setdefault(place, node.start_mark.line + 1)
    if isinstance(node, yaml.MappingNode):
        for key, value in node.value:
            inner = (*place, str(key.value))
            if inner in places:
                twice.append((key.start_mark.line + 1, str(key.value)))
            places[inner] = key.start_mark.line + 1
            _walk(value, inner, places, twice)
    elif isinstance(node, yaml.SequenceNode):
        for position, item in enumerate(node.value):
            _walk(item, (*place, position), places, twice)
