"""The trees of tasks, fetched once and kept: what grading needs without an engine."""

from __future__ import annotations

import threading
from pathlib import Path

from runner.change import apply_change
from runner.object_store import ObjectStore
from runner.scratch import sweep, system_scratch
from runner.source import fetch_source
from runner.task import Change, Source, Task
from runner.tree import Tree


class Materials:
    """Sources and object store in the folder `cache`, and base and gold trees in memory, one of each a task."""

    def __init__(self, cache: Path) -> None:
        self.cache = cache
        self.objects = ObjectStore(cache / "objects.git")
        self._trees: dict[tuple[str, str], Tree] = {}
        self._lock = threading.Lock()

    def sweep(self) -> None:
        """Remove the temporary folders that killed processes left."""
        sources = self.cache / "sources"
        for folder in (self.cache, self.cache / "scratch", sources / "archives", sources / "git", system_scratch()):
            sweep(folder)

    def base(self, task: Task) -> Tree:
        """The task's base state. Raises SourceUnavailable."""
        return self._kept(task, "base")

    def gold(self, task: Task) -> Tree:
        """The task's reference state. Raises SourceUnavailable, DeltaError."""
        return self._kept(task, "gold")

    def fetch(self, source: Source) -> Tree:
        """The tree of a source, from the cache where it is there. Raises SourceUnavailable."""
        return fetch_source(source, self.cache / "sources")

    def changed(self, task: Task, change: Change) -> Tree:
        """The base with a change of the task's folder applied."""
        return apply_change(change, self.base(task), self.cache / "sources", self.objects)

    def patch(self, task: Task, after: Tree) -> bytes:
        """The unified diff from the base to `after`, as an agent's `git diff` gives it."""
        return self.objects.diff(self.base(task), after)

    def _kept(self, task: Task, which: str) -> Tree:
        key = (task.digest, which)
        with self._lock:
            if key not in self._trees:
                self._trees[key] = self._read(task, which)
            return self._trees[key]

    def _read(self, task: Task, which: str) -> Tree:
        base = self._trees.get((task.digest, "base")) or self.fetch(task.source)
        if which == "base":
            return base
        self._trees[task.digest, "base"] = base
        return apply_change(task.gold, base, self.cache / "sources", self.objects)
