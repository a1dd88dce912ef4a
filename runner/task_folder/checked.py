"""Reads a folder's files into models and gathers every fault with its file and line, instead of the first."""

from __future__ import annotations

import json
import re
import tomllib
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Generic, TypeVar, cast

import yaml
from pydantic import BaseModel, ValidationError
from pydantic_core import ErrorDetails

from runner.errors import Fault
from runner.task_folder.places import Place, Places, line_of, toml_places, yaml_places

Model = TypeVar("Model", bound=BaseModel)


@dataclass(frozen=True, slots=True)
class Loaded(Generic[Model]):
    """A file's content as a model, and where its keys stand."""

    value: Model
    file: Path
    places: Places = field(default_factory=dict)


class CheckedFiles:
    """The faults of a folder's files. Every reading method answers None after noting what is wrong."""

    def __init__(self) -> None:
        self.faults: list[Fault] = []

    def note(self, file: Path, message: str, line: int = 0) -> None:
        """Note a fault; `line` from 1, 0 for the file as a whole."""
        self.faults.append(Fault(str(file), line, message))

    def note_at(self, loaded: Loaded[Any], place: Place, message: str) -> None:
        """Note a fault of one value of a file that was read."""
        self.note(loaded.file, message, line_of(loaded.places, place))

    def text(self, file: Path) -> str | None:
        """A file's text: UTF-8, there, and a regular file."""
        try:
            return file.read_bytes().decode()
        except (FileNotFoundError, NotADirectoryError):
            self.note(file, "is missing; add it")
        except IsADirectoryError:
            self.note(file, "is a folder; a file belongs here")
        except UnicodeDecodeError as error:
            line = error.object[: error.start].count(b"\n") + 1
            self.note(file, "is not UTF-8; save it as UTF-8", line)
        return None

    def toml(self, file: Path, model: type[Model]) -> Loaded[Model] | None:
        """A TOML file as `model`."""
        text = self.text(file)
        if text is None:
            return None
        try:
            document = tomllib.loads(text)
        except tomllib.TOMLDecodeError as error:
            found = re.search(r"at line (\d+)", str(error))
            self.note(file, f"is not TOML: {error}", int(found[1]) if found else text.count("\n") + 1)
            return None
        return self._checked(file, document, model, toml_places(text))

    def yaml(self, file: Path, model: type[Model]) -> Loaded[Model] | None:
        """A YAML file as `model`; a key that stands twice is a fault."""
        text = self.text(file)
        if text is None:
            return None
        try:
            places, twice = yaml_places(text)
            document = yaml.safe_load(text)
        except yaml.MarkedYAMLError as error:
            line = error.problem_mark.line + 1 if error.problem_mark else 0
            self.note(file, f"is not YAML: {error.problem}", line)
            return None
        except yaml.YAMLError as error:
            self.note(file, f"is not YAML: {error}")
            return None
        for line, key in twice:
            self.note(file, f"`{key}` stands here a second time; keep one", line)
        return self._checked(file, document, model, places)

    def json(self, file: Path, model: type[Model]) -> Loaded[Model] | None:
        """A JSON file as `model`; its faults have no line but those of its syntax."""
        text = self.text(file)
        return None if text is None else self._json(file, text, model, 1)

    def json_lines(self, file: Path, model: type[Model]) -> list[tuple[int, Model]]:
        """(line, model) for every line of a JSON-lines file that is one; blank lines are skipped."""
        found: list[tuple[int, Model]] = []
        for number, line in enumerate((self.text(file) or "").split("\n"), 1):
            loaded = self._json(file, line, model, number) if line.strip() else None
            if loaded is not None:
                found.append((number, loaded.value))
        return found

    def _json(self, file: Path, text: str, model: type[Model], line: int) -> Loaded[Model] | None:
        try:
            document = json.loads(text)
        except json.JSONDecodeError as error:
            self.note(file, f"is not JSON: {error.msg} (column {error.colno})", line + error.lineno - 1)
            return None
        return self._checked(file, document, model, {(): line})

    def _checked(
        self, file: Path, document: object, model: type[Model], places: Places
    ) -> Loaded[Model] | None:
        try:
            return Loaded(model.model_validate(document), file, places)
        except ValidationError as error:
            for each in error.errors(include_url=False):
                place = _place(each["loc"], document)
                self.note(file, _message(each, place), line_of(places, place))
        return None


def _place(location: Place, document: object) -> Place:
    """A pydantic location without what names no key (the branches of a union)."""
    place: list[str | int] = []
    here = document
    for step in location:
        inner = _inside(here, step)
        if inner is not None:
            here = inner
        elif step != location[-1]:
            continue
        place.append(step)
    return tuple(place)


def _inside(document: object, step: str | int) -> object | None:
    if isinstance(document, Mapping):
        return document.get(step)
    if isinstance(document, list) and isinstance(step, int) and step < len(document):
        return cast(object, document[step])
    return None


def _message(error: ErrorDetails, place: Place) -> str:
    name = ".".join(str(step) for step in place) or "the document"
    match error["type"]:
        case "missing":
            return f"`{name}` is missing; add it"
        case "extra_forbidden":
            return f"`{name}` is not a key that is known here; remove it or correct its name"
        case _:
            message = error["msg"].removeprefix("Value error, ")
            return f"`{name}`: {message[:1].lower()}{message[1:]}"
