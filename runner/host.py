"""The machine room at hand: engine, images and ready sandboxes, for as long as a `with` lasts."""

from __future__ import annotations

import contextlib
import os
import threading
from collections.abc import Iterable, Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from types import TracebackType

import docker

from runner.engine import EngineFacts, connect, facts
from runner.errors import HostFailure
from runner.image_build import Image, Images, Progress
from runner.image_build.recipes import base_tag, toolchain_recipe
from runner.materials import Materials
from runner.sandbox import Sandbox
from runner.sandbox.ownership import Owner, forget_locks, locks_folder, reap
from runner.sandbox.placement import start_tree
from runner.sandbox.pool import Pool
from runner.task import Task


def quiet(name: str, doing: str) -> None:
    """Progress for nobody."""


class Host:
    """Everything that runs. `slots` is how many passes run at once (default: the cores of this machine).

    `passes` are the threads they run in, few and long-lived, for each has its own client of the engine.
    Raises EngineUnavailable if no engine answers. Entering removes what dead owners left; leaving removes
    what this one started.
    """

    def __init__(self, materials: Materials, *, progress: Progress = quiet, slots: int | None = None) -> None:
        self.materials = materials
        self._clients = threading.local()
        self.engine: EngineFacts = facts(self.client())
        self.owner = Owner(locks_folder())
        at_once = slots or os.cpu_count() or 1
        self.slots = threading.Semaphore(at_once)
        self.passes = ThreadPoolExecutor(at_once, thread_name_prefix="pass")
        self._progress, self._pool = progress, Pool()
        self._images: dict[str, Image] = {}
        self._image_locks: dict[str, threading.Lock] = {}
        self._lock = threading.Lock()

    def image(self, task: Task) -> Image:
        """The task's image, built if it is missing. Raises ImageBuildFailed, SourceUnavailable."""
        with self._lock:
            lock = self._image_locks.setdefault(task.digest, threading.Lock())
        with lock:
            image = self._images.get(task.digest)
            if image is None:
                tree = start_tree(task, self.materials.base(task))
                image = self._images[task.digest] = self.images().task(task, tree)
            return image

    def images(self) -> Images:
        """The builder of images."""
        return Images(self.client(), self.owner, self.materials.cache, self._progress)

    def image_bytes(self, tasks: Iterable[Task]) -> int:
        """Disk that the images of those of the tasks take that were used here, with what they stand on (bytes)."""
        used = [(task, self._images[task.digest].tag) for task in tasks if task.digest in self._images]
        below = {toolchain_recipe(task.language).tag for task, _ in used} | {base_tag()}
        return self.images().disk_bytes({*below, *(tag for _, tag in used)})

    def forget_images(self) -> None:
        """Look for images again at the next use: the engine was restarted, or somebody removed one."""
        self._images.clear()

    def expect(self, task: Task, count: int) -> None:
        """Start sandboxes ahead for the passes of an evaluation that is to come."""
        image = self.image(task)
        self._pool.expect(self._key(task, image), lambda: self._start(task, image, True), count)

    def settle(self) -> None:
        """Wait until every sandbox that was asked for ahead is ready: for measurements."""
        self._pool.settle()

    def take(self, task: Task, *, owned: bool = True) -> Sandbox:
        """A sandbox of the task, ready for a patch. `owned=False` only for tests of suite ownership."""
        image = self.image(task)
        if not owned:
            return self._start(task, image, False)
        client = self.client()
        sandbox = self._pool.take(self._key(task, image), lambda: self._start(task, image, True))
        sandbox.adopt(client)
        return sandbox

    @contextlib.contextmanager
    def sandbox(self, task: Task, *, owned: bool = True) -> Iterator[Sandbox]:
        """A slot, and a sandbox of the task in it, removed in the background on any exit."""
        with self.slots:
            sandbox = self.take(task, owned=owned)
            try:
                yield sandbox
            finally:
                self._pool.dispose(sandbox, self.client)

    def client(self) -> docker.APIClient:
        """A client for this thread: docker's is not made for two at once."""
        client: docker.APIClient | None = getattr(self._clients, "client", None)
        if client is None:
            client = self._clients.client = connect()
        return client

    def reap(self) -> int:
        """Remove containers and folders of owners that are no more; how many containers there were."""
        self.materials.sweep()
        removed = reap(self.client())
        forget_locks(self.client(), locks_folder())
        return removed

    def close(self) -> None:
        """Remove every container of this owner and give up the lock.

        An engine that is gone is no error here: the lock's file stays, for whoever comes next.
        """
        self.passes.shutdown(wait=True)
        self._pool.close()
        try:
            reap(self.client(), self.owner)
        except HostFailure:
            self.owner.abandon()
        else:
            self.owner.__exit__(None, None, None)

    def __enter__(self) -> Host:
        self.reap()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    def _start(self, task: Task, image: Image, owned: bool) -> Sandbox:
        return Sandbox.start(
            self.client(),
            image.id,
            task.limits,
            self.owner.labels("evaluation", task.id),
            suite_parents(task),
            owned=owned,
        )

    @staticmethod
    def _key(task: Task, image: Image) -> str:
        return f"{image.id} {task.limits} {task.suite.folders}"


def suite_parents(task: Task) -> list[str]:
    """Folders above the suite's own ones, outermost first: they stay root's, so that none can be renamed away."""
    parents = {
        folder[:at] for folder in task.suite.folders for at, char in enumerate(folder) if char == "/"
    }
    return sorted(parents)


def default_cache() -> Path:
    """Where a checkout keeps sources, objects and locks: `build/cache`."""
    return Path(__file__).resolve().parent.parent / "build" / "cache"
