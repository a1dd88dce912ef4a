"""The object store applies and makes patches exactly, whatever the host's configuration, for many at once."""

from __future__ import annotations

import subprocess
from concurrent.futures import ProcessPoolExecutor, ThreadPoolExecutor
from multiprocessing import get_context
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from runner.errors import HostFailure, PatchRejected
from runner.object_store import ObjectStore
from runner.scratch import PREFIX, scratch_folder
from runner.tree import EXECUTABLE, REGULAR, SYMLINK, Entry, Tree, write_tree

BASE = Tree(
    {
        "a.py": Entry(REGULAR, b"one = 1\ntwo = 2\n"),
        "d/run.sh": Entry(EXECUTABLE, b"#!/bin/sh\n"),
        "d/link": Entry(SYMLINK, b"../a.py"),
        "data.bin": Entry(REGULAR, bytes(range(256)) * 4),
        "sp ace/caf\u00e9 \udcff.txt": Entry(REGULAR, b"x\n"),
        "crlf.txt": Entry(REGULAR, b"one\r\ntwo\r\n"),
        ".gitattributes": Entry(REGULAR, b"* text eol=crlf\n*.py filter=lfs ident\n"),
    }
)
EDITED = Tree(
    {
        "a.py": Entry(EXECUTABLE, b"one = 1\ntwo = 3"),
        "b.py": Entry(REGULAR, b"$Id$\r\nmixed\n"),
        "d/link": Entry(SYMLINK, b"run.sh"),
        "d/run.sh": BASE["d/run.sh"],
        "data.bin": Entry(REGULAR, bytes(range(255, -1, -1)) * 4),
        "empty": Entry(REGULAR, b""),
        "crlf.txt": Entry(REGULAR, b"one\r\nthree\r\n"),
        ".gitattributes": Entry(REGULAR, b"* -text\n"),
    }
)


@pytest.fixture(scope="module")
def store(tmp_path_factory: pytest.TempPathFactory) -> ObjectStore:
    return ObjectStore(tmp_path_factory.mktemp("objects") / "store")


@pytest.mark.parametrize(
    ("before", "after"), [(BASE, EDITED), (EDITED, BASE), (Tree({}), BASE), (BASE, Tree({}))]
)
def test_a_diff_applied_gives_the_tree_back(store: ObjectStore, before: Tree, after: Tree) -> None:
    assert store.apply(before, store.diff(before, after)) == after


def test_the_tree_is_the_one_that_git_knows(store: ObjectStore, tmp_path: Path) -> None:
    tree = Tree({path: entry for path, entry in BASE.items() if path != ".gitattributes"})
    write_tree(tree, tmp_path / "work")
    git = ["git", "-C", str(tmp_path / "work"), "-c", "core.autocrlf=false"]
    subprocess.run([*git, "init", "-q"], check=True)
    subprocess.run([*git, "add", "-A"], check=True)

    expected = subprocess.run([*git, "write-tree"], check=True, capture_output=True, text=True).stdout.strip()

    assert store.add_tree(tree) == expected


def test_what_does_not_apply_is_refused_whole(store: ObjectStore) -> None:
    patch = store.diff(BASE, Tree({**BASE, "a.py": EDITED["a.py"], "new.py": EDITED["b.py"]}))

    with pytest.raises(PatchRejected, match=r"a\.py: does not exist in index") as caught:
        store.apply(Tree({"other": Entry(REGULAR, b"")}), patch)

    assert caught.value.code == "does-not-apply"
    assert str(store) not in str(caught.value)


def test_a_submodule_is_refused(store: ObjectStore) -> None:
    patch = b"diff --git a/sub b/sub\nnew file mode 160000\n--- /dev/null\n+++ b/sub\n@@ -0,0 +1 @@\n"

    with pytest.raises(PatchRejected, match="no submodules") as caught:
        store.apply(BASE, patch + b"+Subproject commit " + b"a" * 40 + b"\n")

    assert (caught.value.code, caught.value.where) == ("submodule", "sub")


def test_the_configuration_of_the_host_changes_nothing(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "gitconfig").write_text(
        "[core]\n\tautocrlf = true\n\thooksPath = /tmp\n"
        "[apply]\n\twhitespace = fix\n\tignoreWhitespace = change\n"
        "[diff]\n\tnoprefix = true\n\texternal = false\n\tmnemonicPrefix = true\n"
    )
    monkeypatch.setenv("HOME", str(tmp_path))
    monkeypatch.setenv("GIT_CONFIG_GLOBAL", str(tmp_path / "gitconfig"))
    monkeypatch.setenv("GIT_CONFIG_COUNT", "1")
    monkeypatch.setenv("GIT_CONFIG_KEY_0", "apply.whitespace")
    monkeypatch.setenv("GIT_CONFIG_VALUE_0", "error-all")
    monkeypatch.setenv("GIT_DIR", str(tmp_path / "elsewhere"))
    monkeypatch.setenv("GIT_INDEX_FILE", str(tmp_path / "index"))
    monkeypatch.setenv("GIT_OBJECT_DIRECTORY", str(tmp_path / "objects"))
    store = ObjectStore(tmp_path / "store")
    trailing = Tree({**BASE, "a.py": Entry(REGULAR, b"one = 1 \n\n\n")})

    patch = store.diff(BASE, trailing)

    assert b"--- a/a.py\n+++ b/a.py\n" in patch
    assert store.apply(BASE, patch) == trailing


def _applied(path: Path, number: int) -> bool:
    """Make a store of our own on `path`, as another process does, and apply a patch to a base of its own."""
    store = ObjectStore(path)
    base = Tree({**BASE, "n.py": Entry(REGULAR, b"%d\n" % (number % 3))})
    edited = Tree({**base, "n.py": Entry(REGULAR, b"edited %d\n" % number)})
    return store.apply(base, store.diff(base, edited)) == edited


def test_threads_and_processes_share_a_store(tmp_path: Path) -> None:
    path = tmp_path / "store"
    with (
        ProcessPoolExecutor(3, mp_context=get_context("spawn")) as processes,
        ThreadPoolExecutor(6) as threads,
    ):
        others = [processes.submit(_applied, path, number) for number in range(6)]
        ours = [threads.submit(_applied, path, number) for number in range(12)]
        assert all(each.result() for each in [*others, *ours])

    assert list((path / "assay-scratch").iterdir()) == []


def test_what_a_killed_process_left_is_swept(tmp_path: Path) -> None:
    ObjectStore(tmp_path / "store")
    scratch = tmp_path / "store" / "assay-scratch"
    left = scratch / f"{PREFIX}left"
    left.mkdir()

    with scratch_folder(scratch) as held:
        ObjectStore(tmp_path / "store")

        assert (left.exists(), held.exists()) == (False, True)


def test_a_folder_that_is_something_else_is_left_alone(tmp_path: Path) -> None:
    (tmp_path / "thesis.txt").write_text("mine")

    with pytest.raises(HostFailure, match="no object store of ours"):
        ObjectStore(tmp_path)

    assert [file.name for file in tmp_path.iterdir()] == ["thesis.txt"]


FILES = st.dictionaries(
    st.sampled_from(["a", "b/c", "b/d e", "caf\u00e9", 'q"uote', "t\tab"]),
    st.builds(Entry, st.sampled_from([REGULAR, EXECUTABLE]), st.binary(max_size=60)),
)


@settings(max_examples=25, deadline=None, suppress_health_check=list(HealthCheck))
@given(before=FILES, after=FILES)
def test_any_two_trees_go_round(
    store: ObjectStore, before: dict[str, Entry], after: dict[str, Entry]
) -> None:
    base, edited = Tree(before), Tree(after)
    patch = store.diff(base, edited)

    assert (store.apply(base, patch) if patch else base) == edited
