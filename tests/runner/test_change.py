"""A task's change, whatever its form, makes the tree that it stands for."""

from __future__ import annotations

from pathlib import Path

import pytest

from runner.change import apply_change
from runner.delta import encode
from runner.errors import DeltaError, PatchRejected
from runner.object_store import ObjectStore
from runner.task import DeltaChange, PatchChange, ReleaseChange, TreeSource
from runner.tree import REGULAR, Entry, Tree, write_tree

BASE = Tree({"a.py": Entry(REGULAR, b"one = 1\ntwo = 2\n")})
EDITED = Tree({"a.py": Entry(REGULAR, b"one = 1\ntwo = 3\n"), "b.py": Entry(REGULAR, b"\xff\r\n")})


@pytest.fixture
def store(tmp_path: Path) -> ObjectStore:
    return ObjectStore(tmp_path / "store")


def test_patch_delta_and_release_make_the_same_tree(store: ObjectStore, tmp_path: Path) -> None:
    (tmp_path / "gold.patch").write_bytes(store.diff(BASE, EDITED))
    (tmp_path / "gold.delta").write_bytes(encode(BASE, EDITED).encode())
    write_tree(EDITED, tmp_path / "later")
    changes = (
        PatchChange(tmp_path / "gold.patch"),
        DeltaChange(tmp_path / "gold.delta"),
        ReleaseChange(TreeSource(tmp_path / "later")),
    )

    outcomes = [apply_change(change, BASE, tmp_path / "cache", store) for change in changes]

    assert outcomes == [EDITED, EDITED, EDITED]


def test_a_change_of_another_base_is_refused_with_its_file(store: ObjectStore, tmp_path: Path) -> None:
    other = Tree({"a.py": Entry(REGULAR, b"three = 3\n")})
    (tmp_path / "gold.patch").write_bytes(store.diff(BASE, EDITED))
    (tmp_path / "gold.delta").write_text(encode(BASE, EDITED), encoding="utf-8")
    (tmp_path / "bad.delta").write_bytes(b"\xff")

    with pytest.raises(DeltaError, match=r"gold\.delta: line 2: `a\.py` differs"):
        apply_change(DeltaChange(tmp_path / "gold.delta"), other, tmp_path, store)
    with pytest.raises(DeltaError, match=r"bad\.delta: is not UTF-8"):
        apply_change(DeltaChange(tmp_path / "bad.delta"), other, tmp_path, store)
    with pytest.raises(PatchRejected, match="does not match"):
        apply_change(PatchChange(tmp_path / "gold.patch"), other, tmp_path, store)
