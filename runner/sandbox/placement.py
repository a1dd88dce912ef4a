"""Which of a patch's files reach a sandbox: not upstream's tests, not what steers the test runner."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from runner.globs import matches_any
from runner.mechanisms import Mechanisms
from runner.task import Task
from runner.toolchains import Toolchain
from runner.tree import Entry, Tree


@dataclass(frozen=True, slots=True)
class Placed:
    """What to write into a sandbox that holds the start tree (None: remove), and what was left out or flagged."""

    files: Mapping[str, Entry | None]
    dropped: tuple[str, ...]
    flagged: tuple[str, ...]


def start_tree(task: Task, base: Tree) -> Tree:
    """The base as every sandbox starts from it: without upstream's test roots and the suite's own folders."""
    closed = closed_folders(task)
    return Tree({path: entry for path, entry in base.items() if not _in(path, closed)})


def closed_folders(task: Task) -> tuple[str, ...]:
    """Folders (or files) of the tree that no patch reaches."""
    return (*(root.rstrip("/") for root in task.upstream_tests), *task.suite.folders)


def place_patch(task: Task, toolchain: Toolchain, base: Tree, patched: Tree, mechanisms: Mechanisms) -> Placed:
    """Sort the changed paths into those that are placed, those dropped and those placed but flagged."""
    closed = closed_folders(task) if mechanisms.test_roots else ()
    kept: dict[str, Entry | None] = {}
    dropped: list[str] = []
    flagged: list[str] = []
    for path in base.changed(patched):
        protected = matches_any(path, toolchain.protected)
        allowed = matches_any(path, task.allowed) and matches_any(path, toolchain.buildable)
        if _in(path, closed) or (protected and not allowed and mechanisms.protected_paths):
            dropped.append(path)
            continue
        if protected and allowed:
            flagged.append(path)
        kept[path] = patched.get(path)
    standing = tuple(path for path in dropped if path in base and not _in(path, closed))
    clashes = {path for path in kept if kept[path] and _clashes(path, standing, task.suite.folders)}
    placed = {path: entry for path, entry in kept.items() if path not in clashes}
    return Placed(_removals_first(placed, toolchain), tuple(sorted({*dropped, *clashes})), tuple(flagged))


def _clashes(path: str, standing: tuple[str, ...], folders: tuple[str, ...]) -> bool:
    """Whether a file at `path` needs a folder where a file of the base stands, or a folder has to stand there."""
    return _in(path, standing) or any(other.startswith(path + "/") for other in (*standing, *folders))


def _removals_first(files: Mapping[str, Entry | None], toolchain: Toolchain) -> dict[str, Entry | None]:
    """What goes, with what was built of it, then what comes: a link that is new leads no removal astray."""
    gone = [path for path, entry in files.items() if entry is None]
    built = [product for path in files for product in toolchain.outdated(path) if files.get(product) is None]
    return {**dict.fromkeys((*gone, *built)), **{path: entry for path, entry in files.items() if entry}}


def _in(path: str, folders: tuple[str, ...]) -> bool:
    return any(path == folder or path.startswith(folder + "/") for folder in folders)
