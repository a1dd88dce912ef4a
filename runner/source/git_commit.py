"""Fetches one commit of a git repository as a tree. No hook, filter or attribute of it takes effect."""

from __future__ import annotations

import shutil
from collections.abc import Mapping
from contextlib import suppress
from pathlib import Path

from runner.errors import SourceUnavailable
from runner.git_command import run_git
from runner.scratch import scratch_folder
from runner.task import GitSource
from runner.tree import Entry, Tree

_FETCH_SECONDS = 1800
_SUBMODULE = "160000"


def fetch_commit(source: GitSource, cache: Path) -> Tree:
    """The tree of the commit; its objects are kept in `cache` by commit, and fetched again if they broke.

    A submodule is left out, as git leaves it out of a clone. Raises SourceUnavailable.
    """
    kept = cache / source.commit
    if kept.is_dir():
        with suppress(SourceUnavailable):
            return _read(source, kept)
        shutil.rmtree(kept, ignore_errors=True)
    with scratch_folder(cache) as scratch:
        made = scratch / "repository"
        made.mkdir()
        _fetch(source, made)
        tree = _read(source, made)
        with suppress(OSError):
            made.rename(kept)
    return tree


def _fetch(source: GitSource, repository: Path) -> None:
    """The one commit; where the server gives none by its hash, everything."""
    _run(source, repository, "init", "--quiet", "--bare", "--template=")
    one = ("fetch", "--quiet", "--depth=1", "--no-tags", "--", source.url, source.commit)
    everything = ("fetch", "--quiet", "--tags", "--", source.url, "+refs/heads/*:refs/heads/*")
    variables = _variables(repository)
    if run_git(repository, one, variables, seconds=_FETCH_SECONDS, personal=True).status != 0:
        _run(source, repository, *everything, personal=True)


def _read(source: GitSource, repository: Path) -> Tree:
    listing = _run(source, repository, "ls-tree", "-r", "-z", "--full-tree", f"{source.commit}^{{commit}}")
    found: list[tuple[str, str, str]] = []
    for line in listing.split(b"\0")[:-1]:
        description, _, path = line.partition(b"\t")
        mode, _, blob = description.decode().split(" ")
        if mode != _SUBMODULE:
            found.append((path.decode("utf-8", "surrogateescape"), mode, blob))
    ids = "".join(f"{blob}\n" for _, _, blob in found).encode()
    output, at = _run(source, repository, "cat-file", "--batch", data=ids), 0
    entries: dict[str, Entry] = {}
    for name, mode, _ in found:
        end = output.index(b"\n", at)
        size = int(output[at:end].rpartition(b" ")[2])
        entries[name] = Entry(mode, output[end + 1 : end + 1 + size])
        at = end + 1 + size + 1
    return Tree(entries)


def _run(
    source: GitSource, repository: Path, *words: str, data: bytes = b"", personal: bool = False
) -> bytes:
    output = run_git(
        repository, words, _variables(repository), data=data, seconds=_FETCH_SECONDS, personal=personal
    )
    if output.status != 0:
        raise SourceUnavailable(
            f"git did not give commit {source.commit} of {source.url}: {' '.join(output.stderr.split())}; "
            "check the URL, the commit and the network"
        )
    return output.stdout


def _variables(repository: Path) -> Mapping[str, str]:
    return {"GIT_DIR": str(repository), "GIT_OBJECT_DIRECTORY": str(repository / "objects")}
