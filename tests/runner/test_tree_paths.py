"""Paths and links that may stand in a tree, and those that may not."""

from __future__ import annotations

import pytest

from runner.tree import REGULAR, SYMLINK, Entry
from runner.tree_paths import link_fault, parents, path_fault, place_fault, resolve_link, shown

FILE = Entry(REGULAR, b"")


@pytest.mark.parametrize(
    "path",
    ["a", "a/b.py", ".gitignore", ".github/x", "git", "a.git/x", "...", "caf\u00e9", "a b", "-x", ".gitx"],
)
def test_good_paths(path: str) -> None:
    assert path_fault(path) is None


@pytest.mark.parametrize(
    "path",
    [
        "",
        "/a",
        "a//b",
        "a/",
        "./a",
        "a/../b",
        "..",
        ".git",
        "a/.Git/b",
        ".git.",
        ".git ",
        "GIT~1",
        "a\\b",
        "a\nb",
        "C:/x",
    ],
)
def test_bad_paths(path: str) -> None:
    assert path_fault(path)


@pytest.mark.parametrize(
    ("path", "target", "inside"),
    [
        ("a/l", "x", "a/x"),
        ("a/l", "../x", "x"),
        ("a/l", "../../x", None),
        ("l", "/x", None),
        ("l", "", None),
        ("l", "a/../../x", None),
        ("a/l", "b/../../x", "x"),
    ],
)
def test_where_a_link_leads(path: str, target: str, inside: str | None) -> None:
    assert resolve_link(path, Entry(SYMLINK, target.encode())) == inside


def test_a_link_passes_no_other_and_stands_outside_of_its_target() -> None:
    entries = {
        "d/x": FILE,
        "alias": Entry(SYMLINK, b"d"),
        "good": Entry(SYMLINK, b"d/x"),
        "through": Entry(SYMLINK, b"alias/x"),
        "around": Entry(SYMLINK, b"alias/../d/x"),
        "d/loop": Entry(SYMLINK, b"../d"),
        "top": Entry(SYMLINK, b"."),
    }

    faults = {path: link_fault(path, entries) for path, entry in entries.items() if entry.mode == SYMLINK}

    assert faults["alias"] is None
    assert faults["good"] is None
    assert "passes through another link, `alias`" in (faults["through"] or "")
    assert "passes through another link, `alias`" in (faults["around"] or "")
    assert "a folder that it stands in" in (faults["d/loop"] or "")
    assert "a folder that it stands in" in (faults["top"] or "")


def test_nothing_stands_below_a_file_or_a_link() -> None:
    entries = {"f": FILE, "l": Entry(SYMLINK, b"f"), "d/x": FILE}

    assert parents("a/b/c") == ("a", "a/b")
    assert "which is a file" in (place_fault("f/x", entries) or "")
    assert "which is a link" in (place_fault("l/x/y", entries) or "")
    assert place_fault("d/y", entries) is None


def test_a_path_is_shown_in_one_printable_line() -> None:
    assert shown("a\nb\u202e\udcff\u00e9") == "a\\nb\\u202e\\udcff\u00e9"
    assert len(shown("x" * 999)) == 200
