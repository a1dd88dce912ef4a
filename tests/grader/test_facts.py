"""What a result carries beside its verdict: review flags, scope, curation, and sentences fit to be read."""

from __future__ import annotations

import datetime
from collections.abc import Callable
from dataclasses import replace
from typing import TYPE_CHECKING, Literal

import pytest
from hypothesis import given
from hypothesis import strategies as st

from grader.curation import curation
from grader.flags import review_flags
from grader.scope import scope
from grader.sentences import last_line, one_line
from runner.task import Review, Task
from runner.tree import EXECUTABLE, REGULAR, SYMLINK, Entry, Tree

if TYPE_CHECKING:
    from tests.grader.conftest import Scene

KEEP = "tests/test_keep.py"


def flags(scene: Scene, source: str | bytes, path: str = "pkg/x.py") -> list[str]:
    data = source if isinstance(source, bytes) else source.encode()
    return list(review_flags(scene.task, scene.base, Tree({**scene.gold, path: Entry(REGULAR, data)})))


@pytest.mark.parametrize(
    ("source", "flag"),
    [
        ("import os\nos._exit(0)\n", "leaves the process: pkg/x.py:2"),
        ("import atexit\n", "runs at exit: pkg/x.py:1"),
        ("\nimport sys\nsys.settrace(f)\n", "traces execution: pkg/x.py:3"),
        ("gc.get_objects()\n", "searches live objects: pkg/x.py:1"),
        ("sys._getframe(1)\n", "looks at its callers: pkg/x.py:1"),
        ("import _pytest.reports\n", "names a test framework: pkg/x.py:1"),
        ("class A:\n    def __eq__(self, other):\n        return True\n", "equals everything: pkg/x.py:2"),
        ("sys.meta_path.insert(0, x)\n", "hooks imports: pkg/x.py:1"),
        ("builtins.len = x\n", "hooks imports: pkg/x.py:1"),
        ("import ctypes\n", "calls native code: pkg/x.py:1"),
        ("import socket\n", "opens sockets: pkg/x.py:1"),
        ("import subprocess\n", "starts processes: pkg/x.py:1"),
        ("open('/proc/self/maps')\n", "reads /proc: pkg/x.py:1"),
        ("time.time = f\n", "replaces time: pkg/x.py:1"),
        ("X = '" + "QUJD" * 60 + "'\n", "long encoded literal: pkg/x.py:1"),
        (
            "A = 1\nX = {" + ", ".join(f"{n}: 'v{n}'" for n in range(70)) + "}\n",
            "large literal table: pkg/x.py:2",
        ),
        (b"\x00\x01", "binary file: pkg/x.py"),
    ],
)
def test_what_a_person_should_look_at_is_flagged_with_its_place(
    scene: Scene, source: str | bytes, flag: str
) -> None:
    assert flags(scene, source) == [flag]


@pytest.mark.parametrize(
    "source",
    [
        "def __eq__(self, other):\n    return self.x == other.x\n",
        "X = [1, 2, 3]\n",
        "import importlib\n",
        "first = chunked(source, 3)\n",
    ],
)
def test_plain_code_has_no_flag(scene: Scene, source: str) -> None:
    assert flags(scene, source) == []


def test_what_the_base_held_is_not_flagged_again(scene: Scene) -> None:
    line = Entry(REGULAR, b"import subprocess\n")
    scene.base = Tree({**scene.base, "pkg/run.py": line})
    assert flags(scene, "import subprocess\nX = 1\n", "pkg/moved.py") == []


def test_a_link_and_a_hidden_encoding_are_flagged(scene: Scene) -> None:
    patched = Tree({**scene.gold, "a.py": Entry(SYMLINK, b"pkg/old.py")})
    assert review_flags(scene.task, scene.base, patched) == ("link: a.py",)
    assert flags(scene, "# coding: utf-7\n") == [
        "not read, declares the encoding utf-7; write it in UTF-8: pkg/x.py"
    ]


def test_a_flag_does_not_decide(scene: Scene) -> None:
    scene.patched = Tree({**scene.gold, "pkg/x.py": Entry(REGULAR, b"import ctypes\n")})
    result = scene.grade()
    assert (result.verdict, result.review_flags) == ("resolved", ("calls native code: pkg/x.py:1",))


def test_scope_counts_lines_a_file_has_more_or_fewer_of() -> None:
    base = Tree(
        {"a": Entry(REGULAR, b"1\n2\n2\n"), "b": Entry(REGULAR, b"x\n"), "c": Entry(REGULAR, b"same")}
    )
    patched = Tree(
        {"a": Entry(REGULAR, b"2\n3\n1\n3\n"), "c": Entry(EXECUTABLE, b"same"), "d": Entry(REGULAR, b"\0\n")}
    )
    found = scope(base, patched)
    assert (found.files, found.lines_added, found.lines_removed) == (4, 2, 2)


Kind = Literal["person", "team", "model", "author"]
Verdict = Literal["fair", "narrow", "wide", "wrong"]


def review(test: str, kind: Kind, verdict: Verdict = "fair", reviewer: str = "") -> Review:
    at = datetime.date(2026, 12, 1)
    return Review(f"{KEEP}::{test}", reviewer or kind, kind, at, verdict, "because")


@pytest.mark.parametrize(
    ("reviews", "counts"),
    [
        ((), {"nobody": 5}),
        ((review("test_one", "author"),), {"author": 1, "nobody": 4}),
        ((review("test_one", "author"), review("test_one", "person")), {"person": 1, "nobody": 4}),
        ((review("test_one", "person", "wrong"), review("test_one", "author")), {"author": 1, "nobody": 4}),
        ((review("test_one", "team"), review("test_one", "team", "narrow")), {"nobody": 5}),
        ((review("test_one", "team", "narrow"), review("test_one", "team")), {"team": 1, "nobody": 4}),
        ((review("test_none_such", "person"),), {"nobody": 5}),
        ((review("test_one", "model"), review("test_two", "model")), {"model": 2, "nobody": 3}),
    ],
)
def test_a_test_counts_under_its_weightiest_signature(
    task: Callable[..., Task], reviews: tuple[Review, ...], counts: dict[str, int]
) -> None:
    found = curation(replace(task(), reviews=reviews)).model_dump()
    none = {"person": 0, "team": 0, "model": 0, "author": 0, "nobody": 0}
    assert found == {"tests": 5, **none, **counts}


@given(st.text(), st.integers(1, 50))
def test_any_text_becomes_one_printable_line(text: str, limit: int) -> None:
    line = one_line(text, limit)
    assert len(line) <= limit
    assert line.isprintable()
    line.encode()


@pytest.mark.parametrize(
    ("output", "line"),
    [
        (b"", ""),
        (b"one\ntwo\n\n  \n", "two"),
        (b"error: bad\n=====\n", "error: bad"),
        (b"\xff\x1b[31mred", "\ufffd?[31mred"),
    ],
)
def test_the_last_line_that_says_something(output: bytes, line: str) -> None:
    assert last_line(output) == line
