"""Patches in: the three shapes of a SWE-bench predictions file, checked before anything runs.

A JSON list, a JSON object keyed by instance id (its values objects, or plain patch strings) or JSON Lines;
each record has `instance_id`, `model_name_or_path`, `model_patch` and may have `attempt`.
`docs/predictions.md` is the user's page.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from bench.json_records import JsonObject, Record, read_records
from runner.errors import Fault, PredictionsError

MAX_FILE_MIB = 256
MAX_NAME_CHARACTERS = 200
_JSON_LINES_SUFFIXES = (".jsonl", ".ndjson")
_OTHER_PATCH_FIELDS = ("patch", "fix_patch", "test_patch", "diff")


@dataclass(frozen=True, slots=True)
class Prediction:
    """One patch of one agent for one task. `place` says where it stood: `preds.json:9 .[2]`."""

    task: str
    agent: str
    patch: bytes
    attempt: int = 1
    place: str = ""

    @property
    def key(self) -> tuple[str, str, int]:
        """What makes it one of a kind: task, agent, attempt."""
        return self.task, self.agent, self.attempt


@dataclass(frozen=True, slots=True)
class Predictions:
    """What a file asks to be judged. Neither `unknown` nor `noted` stops anything; both are to be shown."""

    items: tuple[Prediction, ...]
    unknown: tuple[Fault, ...]
    """Predictions for ids that are not in the benchmark; they are left out of `items`."""
    noted: tuple[Fault, ...]
    """What was read with a grain of salt: an empty patch, a lone surrogate, an agent named after the file."""


@dataclass(frozen=True, slots=True)
class _Reading:
    """One record, read: a prediction, or the faults that kept it from being one."""

    record: Record
    prediction: Prediction | None
    faults: tuple[str, ...] = ()
    notes: tuple[str, ...] = ()


def read_predictions(path: Path, known: Collection[str], *, attempts: int | None = None) -> Predictions:
    """Read and check the predictions in `path`; `known` are all task ids of the benchmark, chosen or not.

    `attempts` is what the protocol allows a task (None: not checked). Raises PredictionsError with every
    fault of the file: unreadable, not JSON, a missing field, a wrong type, a task, agent and attempt twice.
    """
    found = read_records(_read_capped(path), str(path), json_lines=_suffix_says(path))
    readings = [_read_record(record, path, attempts) for record in found.items]
    faults = [*found.faults, *_faults(readings, path)]
    if faults:
        faults.sort(key=lambda fault: fault.line)
        raise PredictionsError(f"{path} cannot be used; nothing was run:", faults)
    ids = frozenset(known)
    items = [reading.prediction for reading in readings if reading.prediction]
    return Predictions(
        items=tuple(item for item in items if item.task in ids),
        unknown=tuple(_unknown(reading, path) for reading in readings if not _is_known(reading, ids)),
        noted=tuple(_fault(path, reading.record, note) for reading in readings for note in reading.notes),
    )


def without_prediction(
    tasks: Sequence[str], predictions: Sequence[Prediction]
) -> tuple[tuple[str, str], ...]:
    """Task and agent of every pair that no prediction covers; each stays in its agent's denominator."""
    covered = {(item.task, item.agent) for item in predictions}
    agents = dict.fromkeys(item.agent for item in predictions)
    return tuple((task, agent) for agent in agents for task in tasks if (task, agent) not in covered)


def _suffix_says(path: Path) -> bool | None:
    return True if path.suffix.lower() in _JSON_LINES_SUFFIXES else None


def _read_capped(path: Path) -> bytes:
    limit = MAX_FILE_MIB * 2**20
    try:
        with path.open("rb") as stream:
            data = stream.read(limit + 1)
    except OSError as error:
        why = error.strerror or str(error)
        raise PredictionsError(f"{path} cannot be read:", [Fault(str(path), 0, why)]) from error
    if len(data) > limit:
        message = f"larger than {MAX_FILE_MIB} MiB; split the file and judge its parts into one --out folder"
        raise PredictionsError(f"{path} cannot be used; nothing was run:", [Fault(str(path), 0, message)])
    return data


def _read_record(record: Record, path: Path, attempts: int | None) -> _Reading:
    fields, notes = _fields(record, path)
    if fields is None:
        got = _json_type(record.value)
        return _Reading(record, None, (f"expected an object with instance_id and model_patch, got {got}",))
    faults = (*_repeated(record.value), *_field_faults(fields, record.key, attempts))
    if faults:
        return _Reading(record, None, faults)
    patch, more = _patch_bytes(fields["model_patch"])
    prediction = Prediction(
        task=str(fields["instance_id"]),
        agent=str(fields["model_name_or_path"]),
        patch=patch,
        attempt=int(str(fields.get("attempt", 1))),
        place=f"{path}:{record.line} {record.path}".rstrip(),
    )
    return _Reading(record, prediction, (), (*notes, *more))


def _fields(record: Record, path: Path) -> tuple[Mapping[str, object] | None, tuple[str, ...]]:
    """The record's fields, completed from its key and the file's name where it is a member of an object."""
    value = record.value
    if record.key is None:
        return (value if isinstance(value, JsonObject) else None), ()
    if value is None or isinstance(value, str):
        value = JsonObject(model_patch=value)
    if not isinstance(value, JsonObject):
        return None, ()
    completed: dict[str, object] = {"instance_id": record.key, "model_name_or_path": path.stem, **value}
    if "model_name_or_path" in value:
        return completed, ()
    return completed, (f"no model_name_or_path: the agent is called {path.stem!r}, after the file",)


def _repeated(value: object) -> tuple[str, ...]:
    names = value.repeated if isinstance(value, JsonObject) else ()
    return tuple(f"the key {name!r} stands twice in this object; keep one" for name in names)


def _field_faults(fields: Mapping[str, object], key: str | None, attempts: int | None) -> Iterator[str]:
    yield from _name_faults(fields, "instance_id")
    yield from _name_faults(fields, "model_name_or_path")
    if key is not None and fields.get("instance_id") != key:
        yield f"instance_id {fields.get('instance_id')!r} stands under the key {key!r}; make them equal"
    yield from _patch_faults(fields)
    attempt = fields.get("attempt", 1)
    if not isinstance(attempt, int) or isinstance(attempt, bool) or attempt < 1:
        yield f"attempt is {attempt!r:.60}; it must be a whole number from 1"
    elif attempts is not None and attempt > attempts:
        yield f"attempt {attempt} is over the budget: the benchmark's protocol allows {attempts} a task"


def _name_faults(fields: Mapping[str, object], name: str) -> Iterator[str]:
    if name not in fields:
        yield f"no {name}"
        return
    value = fields[name]
    if not isinstance(value, str):
        yield f"{name} must be a string, is {_json_type(value)}"
    elif not value.strip():
        yield f"{name} is empty"
    elif len(value) > MAX_NAME_CHARACTERS:
        yield f"{name} has {len(value)} characters; at most {MAX_NAME_CHARACTERS} are taken"
    elif not value.isprintable():
        yield f"{name} {value!a:.120} holds characters that do not print; remove them"


def _patch_faults(fields: Mapping[str, object]) -> Iterator[str]:
    if "model_patch" in fields:
        value = fields["model_patch"]
        if value is not None and not isinstance(value, str):
            yield f"model_patch must be a string or null, is {_json_type(value)}"
        return
    other = next((name for name in _OTHER_PATCH_FIELDS if name in fields), None)
    yield f"no model_patch (there is {other!r}: rename it)" if other else "no model_patch"


def _patch_bytes(value: object) -> tuple[bytes, tuple[str, ...]]:
    """The patch as bytes, and what a reader of the report should know about it.

    U+DC80 to U+DCFF is how Python writes a byte that is not UTF-8 (`surrogateescape`): such a text means
    those bytes. Any other lone surrogate means no bytes at all; it is kept as its own encoding
    (`surrogatepass`), so that the patch is judged as it stands and the rest of the file with it.
    """
    if not value:
        return b"", ("empty patch: judged as a change of nothing",)
    text = str(value)
    try:
        return text.encode("utf-8"), ()
    except UnicodeEncodeError:
        pass
    try:
        return text.encode("utf-8", "surrogateescape"), (
            "bytes that are not UTF-8: read from U+DC80..U+DCFF",
        )
    except UnicodeEncodeError as error:
        point = f"U+{ord(text[error.start]):04X}"
        note = f"the patch holds {point}, half a character; it is judged as it stands and will hardly apply"
        return text.encode("utf-8", "surrogatepass"), (note,)


def _faults(readings: Sequence[_Reading], path: Path) -> Iterator[Fault]:
    first: dict[tuple[str, str, int], _Reading] = {}
    for reading in readings:
        yield from (_fault(path, reading.record, message) for message in reading.faults)
        if reading.prediction is None:
            continue
        earlier = first.setdefault(reading.prediction.key, reading)
        if earlier is not reading:
            yield _fault(path, reading.record, _twice(reading.prediction, earlier))


def _twice(again: Prediction, earlier: _Reading) -> str:
    place = earlier.prediction.place if earlier.prediction else ""
    return (
        f"{again.task}, agent {again.agent!r}, attempt {again.attempt} was there already, at {place}; "
        "keep one, or number the attempts"
    )


def _is_known(reading: _Reading, ids: Collection[str]) -> bool:
    return reading.prediction is None or reading.prediction.task in ids


def _unknown(reading: _Reading, path: Path) -> Fault:
    task = reading.prediction.task if reading.prediction else ""
    return _fault(path, reading.record, f"{task} is not a task of this benchmark; left out")


def _fault(path: Path, record: Record, message: str) -> Fault:
    return Fault(str(path), record.line, f"{record.path} {message}".lstrip())


def _json_type(value: object) -> str:
    match value:
        case None:
            return "null"
        case bool():
            return "a boolean"
        case int() | float():
            return "a number"
        case str():
            return "a string"
        case list():
            return "a list"
        case _:
            return "an object"
