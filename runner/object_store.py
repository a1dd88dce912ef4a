"""A bare git repository that holds base and patched trees; `git apply --cached` runs in it."""

from __future__ import annotations

import os
import shutil
import subprocess
from collections.abc import Iterator, Mapping, Set
from contextlib import suppress
from pathlib import Path

from runner.errors import HostFailure, PatchRejected
from runner.git_command import GitOutput, run_git
from runner.scratch import scratch_folder, sweep
from runner.tree import EXECUTABLE, REGULAR, SYMLINK, Entry, Tree

APPLY_SECONDS = 60
"""A patch that git cannot place in this time is rejected: its hunks are made to be searched for."""
_MODES = frozenset({REGULAR, EXECUTABLE, SYMLINK})
_ABSENT = "000000"


class ObjectStore:
    """Trees by digest in a bare repository at `path`, made if it is not there.

    Several threads and processes may use one store: objects and caches are written by atomic rename, every
    call has its own index. Git runs without the host's configuration, attributes, filters and hooks.
    """

    def __init__(self, path: Path) -> None:
        self._path = path.resolve()
        self._scratch = self._path / "assay-scratch"
        self._indexes = self._path / "assay-indexes"
        self._work = self._path / "assay-work"
        if not (self._path / "HEAD").exists():
            self._make()
        for folder in (self._scratch, self._indexes, self._work):
            folder.mkdir(exist_ok=True)
        sweep(self._scratch)
        self._ids: dict[str, str] = {}

    def add_tree(self, tree: Tree) -> str:
        """Keep `tree`; git's id of it. The second time costs nothing."""
        if tree.digest not in self._ids:
            note = self._indexes / f"{tree.digest}.id"
            if not note.exists():
                self._write_tree(tree, note)
            self._ids[tree.digest] = note.read_text(encoding="ascii")
        return self._ids[tree.digest]

    def apply(self, base: Tree, patch: bytes) -> Tree:
        """`base` with `patch` as `git apply` applies it: exactly, all or nothing.

        Raises PatchRejected with the code `does-not-apply` and git's own words, or `submodule`.
        """
        base_id = self.add_tree(base)
        with scratch_folder(self._scratch) as scratch:
            index = scratch / "index"
            shutil.copyfile(self._indexes / f"{base.digest}.index", index)
            (scratch / "patch").write_bytes(patch)
            applied = self._apply(scratch / "patch", index)
            if applied.status != 0:
                raise PatchRejected("does-not-apply", applied.stderr.replace(f"{scratch}/", "").strip())
            outcome_id = self._run("write-tree", index=index).decode().strip()
            return self._changed_tree(base, base_id, outcome_id)

    def diff(self, before: Tree, after: Tree) -> bytes:
        """The patch from `before` to `after` as `git diff --binary --full-index` gives it, no renames."""
        options = ("-r", "-p", "--binary", "--full-index", "--no-renames", "--no-color", "--no-ext-diff")
        return self._run("diff-tree", *options, self.add_tree(before), self.add_tree(after))

    def _write_tree(self, tree: Tree, note: Path) -> None:
        """Write blobs, the tree and its index; the note of its id comes last, so that it stands for all."""
        with scratch_folder(self._scratch) as scratch:
            index = scratch / "index"
            self._run("read-tree", "--empty", index=index)
            listing = b"".join(self._index_lines(tree, scratch))
            self._run("update-index", "-z", "--index-info", index=index, data=listing)
            (scratch / "id").write_bytes(self._run("write-tree", index=index).strip())
            index.replace(note.with_suffix(".index"))
            (scratch / "id").replace(note)

    def _index_lines(self, tree: Tree, scratch: Path) -> Iterator[bytes]:
        blobs: list[Path] = []
        for number, entry in enumerate(tree.values()):
            blobs.append(scratch / f"blob-{number}")
            blobs[-1].write_bytes(entry.data)
        paths = b"".join(b"%b\n" % os.fsencode(blob) for blob in blobs)
        ids = self._run("hash-object", "-w", "--no-filters", "--stdin-paths", data=paths).split()
        for (path, entry), blob_id in zip(tree.items(), ids, strict=True):
            yield f"{entry.mode} {blob_id.decode()}\t".encode() + _path_bytes(path) + b"\0"

    def _changed_tree(self, base: Tree, base_id: str, outcome_id: str) -> Tree:
        """The outcome, of which only what differs from the base is read."""
        options = ("-r", "-z", "--raw", "--no-renames", "--full-index")
        fields = self._run("diff-tree", *options, base_id, outcome_id).split(b"\0")
        entries: dict[str, Entry] = dict(base)
        written: dict[str, tuple[str, str]] = {}
        for description, raw_path in zip(fields[::2], fields[1::2], strict=False):
            _, mode, _, blob_id, _ = description.decode().split(" ")
            path = raw_path.decode("utf-8", "surrogateescape")
            entries.pop(path, None)
            if mode != _ABSENT:
                written[path] = mode, blob_id
        for path, (mode, _) in written.items():
            if mode not in _MODES:
                raise PatchRejected(
                    "submodule",
                    f"`{path}` has mode {mode}; files and links may be added, no submodules",
                    path,
                )
        blobs = self._blobs({blob_id for _, blob_id in written.values()})
        return Tree({**entries, **{path: Entry(mode, blobs[blob]) for path, (mode, blob) in written.items()}})

    def _blobs(self, ids: Set[str]) -> Mapping[str, bytes]:
        if not ids:
            return {}
        output = self._run("cat-file", "--batch", data="".join(f"{blob_id}\n" for blob_id in ids).encode())
        blobs, at = {}, 0
        for _ in ids:
            end = output.index(b"\n", at)
            blob_id, _, size = output[at:end].decode().split(" ")
            blobs[blob_id] = output[end + 1 : end + 1 + int(size)]
            at = end + 1 + int(size) + 1
        return blobs

    def _make(self) -> None:
        """Make the repository beside its place and move it there whole: another process may do the same."""
        with scratch_folder(self._path.parent) as folder:
            made = folder / "store"
            made.mkdir()
            _checked(
                run_git(
                    made,
                    ["init", "--quiet", "--bare", "--template="],
                    {"GIT_DIR": str(made), "GIT_OBJECT_DIRECTORY": str(made / "objects")},
                ),
                "init",
                self._path,
            )
            with suppress(OSError):
                made.rename(self._path)
        if not (self._path / "HEAD").exists():
            raise HostFailure(
                f"{self._path} holds something that is no object store of ours; name another folder"
            )

    def _apply(self, patch: Path, index: Path) -> GitOutput:
        words = ["apply", "--cached", "--whitespace=nowarn", str(patch)]
        try:
            return run_git(self._work, words, self._variables(index), seconds=APPLY_SECONDS)
        except subprocess.TimeoutExpired:
            message = (
                f"git did not find the places of its hunks within {APPLY_SECONDS} s; make it against the base"
            )
            raise PatchRejected("too-slow", message) from None

    def _run(self, *words: str, index: Path | None = None, data: bytes = b"") -> bytes:
        """Git's output. Raises HostFailure if it fails: what is run here depends on no patch."""
        variables = self._variables(index or self._scratch / "no-index")
        return _checked(run_git(self._work, list(words), variables, data=data), words[0], self._path)

    def _variables(self, index: Path) -> dict[str, str]:
        return {
            "GIT_DIR": str(self._path),
            "GIT_INDEX_FILE": str(index),
            "GIT_OBJECT_DIRECTORY": str(self._path / "objects"),
            "GIT_WORK_TREE": str(self._work),
        }


def _checked(output: GitOutput, word: str, store: Path) -> bytes:
    if output.status != 0:
        raise HostFailure(
            f"`git {word}` failed in the object store {store}: {output.stderr.strip()}. "
            "Is the disk full? The store may be deleted; it is made again."
        )
    return output.stdout


def _path_bytes(path: str) -> bytes:
    return path.encode("utf-8", "surrogateescape")
