"""Applies a task's change (a gold, a control) to its base tree."""

from __future__ import annotations

from pathlib import Path
from typing import assert_never

from runner.delta import decode
from runner.errors import DeltaError
from runner.object_store import ObjectStore
from runner.patch import admit
from runner.source import fetch_source
from runner.task import Change, DeltaChange, PatchChange, ReleaseChange
from runner.tree import Tree


def apply_change(change: Change, base: Tree, cache: Path, store: ObjectStore) -> Tree:
    """The tree that `change` makes of `base`. `cache` is the folder of fetched sources.

    Raises DeltaError (with the file), PatchRejected, or SourceUnavailable for a later release.
    """
    match change:
        case PatchChange():
            return admit(change.path.read_bytes(), base, store).tree
        case DeltaChange():
            return _apply_delta(change.path, base)
        case ReleaseChange():
            return fetch_source(change.source, cache)
        case _:
            assert_never(change)


def _apply_delta(file: Path, base: Tree) -> Tree:
    try:
        return decode(file.read_bytes().decode(), base)
    except UnicodeDecodeError as error:
        raise DeltaError(f"{file}: is not UTF-8; record it again") from error
    except DeltaError as error:
        raise DeltaError(f"{file}: {error}") from error
