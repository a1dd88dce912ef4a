"""Gets the tree that a task's source names. Nothing of it is ever executed."""

from __future__ import annotations

from pathlib import Path
from typing import assert_never

from runner.errors import SourceUnavailable
from runner.source.archive import archive_tree
from runner.source.git_commit import fetch_commit
from runner.source.registry import fetch_archive
from runner.task import GitSource, RegistrySource, Source, TreeSource
from runner.tree import Tree, read_tree


def fetch_source(source: Source, cache: Path) -> Tree:
    """The tree of `source`. What came over the network is kept in the folder `cache`, by digest.

    Raises SourceUnavailable, with what to do, if it cannot be had or is not what the task pins.
    """
    match source:
        case RegistrySource():
            return archive_tree(fetch_archive(source, cache / "archives"), source)
        case GitSource():
            return fetch_commit(source, cache / "git")
        case TreeSource():
            if not source.path.is_dir():
                raise SourceUnavailable(f"the tree {source.path} is not there; restore it from the benchmark")
            return read_tree(source.path)
        case _:
            assert_never(source)
