"""The suite is laid with this pass's canaries in it, or not at all."""

from __future__ import annotations

import pytest

from runner.errors import TaskError
from runner.overlay import suite_files
from runner.plan import Canary, Pass
from runner.task import Suite

A, B = "tests/test_a.py", "tests/test_b.py"
FILES = {
    A: "# ä\nassert f() == 12\nassert g() == 'yes'\n".encode(),
    B: b"assert h() == 3\n",
    "tests/data.bin": b"\xff",
}
SUITE = Suite((), {}, FILES, "published")


def canary(test: str, file: str, old: str, new: str, start: int | None = None) -> Canary:
    found = FILES.get(file, b"").find(old.encode()) if start is None else start
    return Canary(test, "value", file, found, found + len(old.encode()), old, new)


def laid(*canaries: Canary) -> dict[str, bytes]:
    return suite_files(SUITE, Pass(("x",), {each.test: each for each in canaries}))


def test_without_canaries_the_files_are_as_they_stand() -> None:
    assert laid() == FILES


def test_every_canary_of_a_file_is_written_at_its_bytes() -> None:
    files = laid(canary("1", A, "12", "1345"), canary("2", A, "'yes'", "'nö'"), canary("3", B, "3", "4"))
    assert files[A].decode() == "# ä\nassert f() == 1345\nassert g() == 'nö'\n"
    assert files[B] == b"assert h() == 4\n"
    assert files["tests/data.bin"] == b"\xff"
    assert FILES[B] == b"assert h() == 3\n"


def test_a_canary_may_add_text_where_nothing_stood() -> None:
    assert laid(canary("1", B, "", "; x = 1", len(FILES[B]) - 1))[B] == b"assert h() == 3; x = 1\n"


def test_what_does_not_fit_is_refused_all_at_once_with_its_line() -> None:
    wrong = canary("1", A, "13", "14", FILES[A].find(b"12"))
    stray = canary("2", "tests/test_c.py", "1", "2", 0)
    with pytest.raises(TaskError) as caught:
        laid(wrong, stray)
    places = {(fault.file, fault.line) for fault in caught.value.faults}
    assert places == {(A, 2), ("tests/test_c.py", 0)}
    assert "lock" in str(caught.value)


def test_overlapping_canaries_are_refused() -> None:
    with pytest.raises(TaskError, match="overlaps"):
        laid(canary("1", A, "f() == 12", "f() == 13"), canary("2", A, "12", "14"))
