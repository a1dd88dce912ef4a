"""Which crates of the tree are built, and what a compiler says is wrong. Laid beside the builds, root's."""

from __future__ import annotations

import json
import os
import re
import sys
import tomllib
from typing import Any, NamedTuple

NAME = re.compile(r"[A-Za-z0-9_-]+")


class Crate(NamedTuple):
    """A crate of the tree: its package's name, its folder, and the name of its library in code."""

    package: str
    folder: str
    library: str


def settings(folder: str) -> dict[str, Any]:
    """The settings laid beside the scripts: folders, roots, features (None: the default ones)."""
    with open(f"{folder}/crates.json", encoding="utf-8") as stream:
        found: dict[str, Any] = json.load(stream)
    return found


def crates(tree: str, roots: list[str]) -> list[Crate]:
    """The crates at the roots. Raises ValueError, with `path: what is wrong`, for a manifest that is none."""
    return [_crate(tree, root) for root in roots]


def _crate(tree: str, root: str) -> Crate:
    place = os.path.normpath(f"{root}/Cargo.toml")
    try:
        with open(f"{tree}/{place}", "rb") as stream:
            manifest = tomllib.load(stream)
        package = manifest["package"]["name"]
        library = manifest.get("lib", {}).get("name", str(package).replace("-", "_"))
    except (OSError, tomllib.TOMLDecodeError, KeyError, TypeError, AttributeError, RecursionError) as error:
        raise ValueError(f"{place}:1: not a crate's manifest: {error!r:.200}") from error
    if not isinstance(library, str) or not NAME.fullmatch(str(package)) or not NAME.fullmatch(library):
        raise ValueError(f"{place}:1: not the name of a crate: {package!r:.100}, {library!r:.100}")
    return Crate(str(package), os.path.normpath(f"{tree}/{root}"), library)


def first_error(said: list[dict[str, Any]], folder: str, tree: str) -> str:
    """`path:line: error text` of the first error in rustc's JSON, '' if there is none.

    Its paths are seen from `folder`; ours from the tree.
    """
    for message in said:
        if message["level"].startswith("error"):
            spans = [span for span in message["spans"] if span["is_primary"]] or message["spans"]
            code = f"[{message['code']['code']}]" if message["code"] else ""
            text = f"error{code}: {message['message']}"
            if not spans:
                return text
            path = os.path.normpath(os.path.join(folder, spans[0]["file_name"]))
            return f"{path.removeprefix(tree + '/')}:{spans[0]['line_start']}: {text}"
    return ""


def show(text: str) -> None:
    """Put it out at once: the log's last line tells why a build failed."""
    sys.stdout.write(text)
    sys.stdout.flush()
