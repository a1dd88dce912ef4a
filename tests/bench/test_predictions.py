from __future__ import annotations

import json
import os
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

import bench.predictions
from bench.json_records import read_records
from bench.predictions import Prediction, read_predictions, without_prediction
from runner.errors import PredictionsError

KNOWN = ("task-a", "task-b", "task-c")
PATCH = "--- a/x\n+++ b/x\n@@ -1 +1 @@\n-ä\n+ö\n"


def record(task: str = "task-a", **changes: Any) -> dict[str, Any]:
    return {"instance_id": task, "model_name_or_path": "agent", "model_patch": PATCH} | changes


def written(folder: Path, text: str | bytes, name: str = "preds.json") -> Path:
    path = folder / name
    path.write_bytes(text.encode() if isinstance(text, str) else text)
    return path


def faults(path: Path, **options: Any) -> list[str]:
    with pytest.raises(PredictionsError) as caught:
        read_predictions(path, KNOWN, **options)
    return [str(fault).removeprefix(str(path)) for fault in caught.value.faults]


SHAPES = {
    "list": (json.dumps([record(), record("task-b")]), "preds.json"),
    "indented list": (json.dumps([record(), record("task-b")], indent=2), "preds.json"),
    "keyed": (json.dumps({"task-a": record(), "task-b": record("task-b")}), "agent.json"),
    "keyed, id left out": (
        json.dumps({t: {"model_patch": PATCH} for t in ("task-a", "task-b")}),
        "agent.json",
    ),
    "keyed by plain patches": (json.dumps({"task-a": PATCH, "task-b": PATCH}, indent=1), "agent.json"),
    "lines": (json.dumps(record()) + "\n" + json.dumps(record("task-b")) + "\n", "preds.jsonl"),
    "lines, blank and CRLF": (f"\r\n{json.dumps(record())}\r\n\r\n{json.dumps(record('task-b'))}", "p.jsonl"),
    "lines called .json": (json.dumps(record()) + "\n" + json.dumps(record("task-b")), "preds.json"),
    "list called .jsonl": (json.dumps([record(), record("task-b")]), "preds.jsonl"),
    "byte order mark": ("\ufeff" + json.dumps([record(), record("task-b")]), "preds.json"),
}


@pytest.mark.parametrize("shape", SHAPES)
def test_every_shape_says_the_same(shape: str, tmp_path: Path) -> None:
    found = read_predictions(written(tmp_path, *SHAPES[shape]), KNOWN)
    assert [(item.task, item.agent, item.patch, item.attempt) for item in found.items] == [
        ("task-a", "agent", PATCH.encode(), 1),
        ("task-b", "agent", PATCH.encode(), 1),
    ]
    assert found.unknown == ()


def test_one_record_on_its_own_is_a_prediction(tmp_path: Path) -> None:
    assert len(read_predictions(written(tmp_path, json.dumps(record())), KNOWN).items) == 1


def test_places_name_the_line_and_the_element(tmp_path: Path) -> None:
    listed = written(tmp_path, f"[\n{json.dumps(record())},\n{json.dumps(record('task-b'))}\n]")
    assert [item.place for item in read_predictions(listed, KNOWN).items] == [
        f"{listed}:2 .[0]",
        f"{listed}:3 .[1]",
    ]
    keyed = written(tmp_path, f'{{\n"task-a": {json.dumps(record())}}}')
    assert read_predictions(keyed, KNOWN).items[0].place == f'{keyed}:2 .["task-a"]'
    lines = written(tmp_path, f"\n{json.dumps(record())}\n", "preds.jsonl")
    assert read_predictions(lines, KNOWN).items[0].place == f"{lines}:2"


def test_an_unknown_id_is_reported_and_stops_nothing(tmp_path: Path) -> None:
    path = written(tmp_path, json.dumps([record("django__django-1"), record()]))
    found = read_predictions(path, KNOWN)
    assert [item.task for item in found.items] == ["task-a"]
    assert [fault.message for fault in found.unknown] == [
        ".[0] django__django-1 is not a task of this benchmark; left out"
    ]


@pytest.mark.parametrize("empty", [None, ""])
def test_no_patch_is_an_empty_patch_and_noted(empty: str | None, tmp_path: Path) -> None:
    found = read_predictions(written(tmp_path, json.dumps([record(model_patch=empty)])), KNOWN)
    assert found.items[0].patch == b""
    assert [note.message for note in found.noted] == [".[0] empty patch: judged as a change of nothing"]


def test_an_agent_named_after_the_file_is_noted(tmp_path: Path) -> None:
    found = read_predictions(written(tmp_path, json.dumps({"task-a": PATCH}), "my-agent.json"), KNOWN)
    assert found.items[0].agent == "my-agent"
    assert "the agent is called 'my-agent', after the file" in found.noted[0].message


def test_more_attempts_are_kept_apart(tmp_path: Path) -> None:
    path = written(tmp_path, json.dumps([record(), record(attempt=2)]))
    assert [item.attempt for item in read_predictions(path, KNOWN, attempts=2).items] == [1, 2]
    assert faults(path, attempts=1) == [
        ":1: .[1] attempt 2 is over the budget: the benchmark's protocol allows 1 a task"
    ]


WRONG_FIELDS = [
    (record(instance_id=7), "instance_id must be a string, is a number"),
    (record(instance_id=" "), "instance_id is empty"),
    ({"model_name_or_path": "m", "model_patch": ""}, "no instance_id"),
    ({"instance_id": "task-a", "model_patch": ""}, "no model_name_or_path"),
    (record(model_name_or_path=None), "model_name_or_path must be a string, is null"),
    (record(model_name_or_path="m" * 201), "model_name_or_path has 201 characters; at most 200 are taken"),
    (
        record(model_name_or_path="a\u202eb"),
        "model_name_or_path 'a\\u202eb' holds characters that do not print; remove them",
    ),
    (record(model_patch=["x"]), "model_patch must be a string or null, is a list"),
    (record(model_patch={}), "model_patch must be a string or null, is an object"),
    (record(model_patch=True), "model_patch must be a string or null, is a boolean"),
    ({"instance_id": "task-a", "model_name_or_path": "m"}, "no model_patch"),
    (
        {"instance_id": "task-a", "model_name_or_path": "m", "fix_patch": ""},
        "no model_patch (there is 'fix_patch': rename it)",
    ),
    (record(attempt=0), "attempt is 0; it must be a whole number from 1"),
    (record(attempt=True), "attempt is True; it must be a whole number from 1"),
    (record(attempt="1"), "attempt is '1'; it must be a whole number from 1"),
    (record(attempt=1.5), "attempt is 1.5; it must be a whole number from 1"),
    ("a string", "expected an object with instance_id and model_patch, got a string"),
    (None, "expected an object with instance_id and model_patch, got null"),
]


@pytest.mark.parametrize(("wrong", "message"), WRONG_FIELDS)
def test_a_wrong_field_is_named(wrong: object, message: str, tmp_path: Path) -> None:
    assert faults(written(tmp_path, json.dumps([wrong]))) == [f":1: .[0] {message}"]


def test_all_faults_come_at_once_with_their_lines(tmp_path: Path) -> None:
    lines = [
        json.dumps(record()),
        '{"instance_id": "task-b", "model_na',
        "[]",
        json.dumps(record("task-b", model_patch=3)),
        json.dumps(record()),
        '{"instance_id": "task-c", "model_name_or_path": "x", "model_patch": "a", "model_patch": "b"}',
    ]
    path = written(tmp_path, "\n".join(lines) + "\n", "preds.jsonl")
    assert faults(path) == [
        ":2: not a JSON object on one line: Unterminated string starting at column 27",
        ":3: expected an object with instance_id and model_patch, got a list",
        ":4: model_patch must be a string or null, is a number",
        f":5: task-a, agent 'agent', attempt 1 was there already, at {path}:1; "
        "keep one, or number the attempts",
        ":6: the key 'model_patch' stands twice in this object; keep one",
    ]


def test_a_key_given_twice_names_both_places(tmp_path: Path) -> None:
    text = '{"task-a": "one",\n"task-b": "two",\n"task-a": "three"}'
    path = written(tmp_path, text, "agent.json")
    assert faults(path) == [
        ":3: .[\"task-a\"] task-a, agent 'agent', attempt 1 was there already, "
        f'at {path}:1 .["task-a"]; keep one, or number the attempts'
    ]


def test_an_id_that_contradicts_its_key_is_refused(tmp_path: Path) -> None:
    path = written(tmp_path, json.dumps({"task-a": record("task-b")}))
    assert faults(path) == [
        ":1: .[\"task-a\"] instance_id 'task-b' stands under the key 'task-a'; make them equal"
    ]


UNREADABLE = [
    (b"", ": the file is empty; write at least one record"),
    (b" \n\t\n", ": the file is empty; write at least one record"),
    (b"\xef\xbb\xbf", ": the file is empty; write at least one record"),
    (b"[]", ": the file holds no record; write at least one"),
    (b"{}", ": the file holds no record; write at least one"),
    (b"[\n", ":2: not JSON: Expecting value at column 1"),
    (b'[\n{"a": 1}\n{"a": 2}]', ":3: not JSON: expected ',' or ']' at column 1"),
    (b'[{"a": 1}] x', ":1: not JSON: more text after the end at column 12"),
    (b'{"task-a": "x",}', ":1: not JSON: Expecting value at column 16"),
    (b'{"task-a" "x"}', ":1: not JSON: expected ':' at column 11"),
    (b"{1: 2}", ":1: not JSON: expected a key in double quotes at column 2"),
    (b"diff --git a/x b/x", ":1: not JSON: expected a list, an object, or one object a line at column 1"),
    (b'[\n"\xe4"]', ":2: not JSON: byte 0xe4 is not UTF-8; save the file as UTF-8"),
    ("[]".encode("utf-16"), ":1: the file is UTF-16; save it as UTF-8"),
    (b"[" * 100_000, ": not JSON: nested too deep"),
]


@pytest.mark.parametrize(("data", "fault"), UNREADABLE)
def test_what_is_not_json_says_where(data: bytes, fault: str, tmp_path: Path) -> None:
    assert fault in faults(written(tmp_path, data))


def test_a_line_that_is_not_utf_8_does_not_hide_the_others(tmp_path: Path) -> None:
    path = written(tmp_path, b'{"x": "\xff"}\n{"y": 1}\n', "preds.jsonl")
    found = faults(path)
    assert found[0] == ":1: not a JSON object on one line: byte 0xff is not UTF-8; save the file as UTF-8"
    assert found[1] == ":2: no instance_id"


def test_a_number_with_too_many_digits_is_a_fault(tmp_path: Path) -> None:
    assert "not JSON" in faults(written(tmp_path, '[{"attempt": ' + "9" * 5000 + "}]"))[0]


def test_escaped_bytes_come_back(tmp_path: Path) -> None:
    latin = "-caf\u00e9\n".encode("latin-1")
    path = written(tmp_path, json.dumps([record(model_patch=latin.decode("utf-8", "surrogateescape"))]))
    found = read_predictions(path, KNOWN)
    assert found.items[0].patch == latin
    assert "bytes that are not UTF-8" in found.noted[0].message


def test_half_a_character_is_judged_as_it_stands(tmp_path: Path) -> None:
    found = read_predictions(
        written(tmp_path, "[" + json.dumps(record(model_patch="+\ud800\n")) + "]"), KNOWN
    )
    assert found.items[0].patch == b"+\xed\xa0\x80\n"
    assert "U+D800, half a character" in found.noted[0].message


def test_a_file_over_the_limit_is_refused_without_reading_it_all(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(bench.predictions, "MAX_FILE_MIB", 1)
    path = written(tmp_path, "")
    os.truncate(path, 2**40)
    assert faults(path) == [": larger than 1 MiB; split the file and judge its parts into one --out folder"]


def test_a_missing_file_and_a_folder_are_named(tmp_path: Path) -> None:
    assert faults(tmp_path / "none.json") == [": No such file or directory"]
    assert faults(tmp_path) == [": Is a directory"]


def test_tasks_without_a_prediction_are_listed_for_every_agent() -> None:
    items = [
        Prediction("task-a", "x", b""),
        Prediction("task-b", "x", b"", attempt=2),
        Prediction("task-c", "y", b""),
    ]
    assert without_prediction(KNOWN, items) == (("task-c", "x"), ("task-a", "y"), ("task-b", "y"))


@given(st.binary(max_size=200))
def test_no_bytes_break_the_reader(data: bytes) -> None:
    found = read_records(data, "f")
    assert found.items or found.faults


@given(st.lists(st.text(max_size=20), max_size=5), st.booleans(), st.sampled_from([None, 1]))
def test_any_patch_text_comes_through(patches: list[str], ascii_only: bool, indent: int | None) -> None:
    text = json.dumps([{"model_patch": patch} for patch in patches], ensure_ascii=ascii_only, indent=indent)
    found = read_records(text.encode("utf-8"), "f")
    assert [item.value for item in found.items] == [{"model_patch": patch} for patch in patches]
