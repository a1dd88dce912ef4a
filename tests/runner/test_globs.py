"""Globs as task files write them."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from runner.globs import matches_any


@pytest.mark.parametrize(
    ("glob", "path", "matches"),
    [
        ("a/*.py", "a/b.py", True),
        ("a/*.py", "a/b/c.py", False),
        ("a/**/*.py", "a/b.py", True),
        ("a/**/*.py", "a/b/c/d.py", True),
        ("**/*.py", "a.py", True),
        ("**", "a/b", True),
        ("a/**", "a/b/c", True),
        ("a/**", "ab/c", False),
        ("a.py", "axpy", False),
        ("a?.py", "ab.py", True),
        ("a?.py", "a/.py", False),
        ("[ab].py", "b.py", True),
        ("[!ab].py", "b.py", False),
        ("[!ab].py", "c.py", True),
        ("a[", "a[", True),
        ("a.py", "a.py\n", False),
    ],
)
def test_a_glob_matches_whole_paths(glob: str, path: str, matches: bool) -> None:
    assert matches_any(path, (glob,)) is matches


@given(st.text(max_size=30), st.text(max_size=30))
def test_any_text_is_a_glob(glob: str, path: str) -> None:
    assert matches_any(path, (glob, path.replace("[", "?"))) in (True, False)
