"""Who owns a container: a process that holds a lock. What a dead owner left is removed by whoever comes next."""

from __future__ import annotations

import contextlib
import fcntl
import os
import tempfile
import time
import uuid
from collections.abc import Mapping
from pathlib import Path
from types import TracebackType
from typing import Any, TextIO

import docker

from runner.engine import guarded
from runner.errors import HostFailure

LABEL_OWNER = "assay.owner"
LABEL_LOCK = "assay.lock"
LABEL_POOL = "assay.pool"
LABEL_TASK = "assay.task"
REMAINS_SECONDS = 3600
"""Age from which an ended container whose lock is nowhere is taken for one that a restart left."""


def locks_folder() -> Path:
    """Where owners of this user on this machine keep their locks."""
    return Path(tempfile.gettempdir()) / f"assay-owners-{os.getuid()}"


class Owner:
    """This process, as the engine's labels know it. The lock is held until the process ends, however it ends."""

    def __init__(self, folder: Path) -> None:
        folder.mkdir(mode=0o700, parents=True, exist_ok=True)
        self.id = uuid.uuid4().hex
        self._path = folder / f"{self.id}.lock"
        self._stream = _held(self._path)

    def labels(self, pool: str, task: str = "") -> dict[str, str]:
        """Labels of a container that this process starts."""
        return {LABEL_OWNER: self.id, LABEL_LOCK: str(self._path), LABEL_POOL: pool, LABEL_TASK: task}

    def abandon(self) -> None:
        """Give up the lock and leave its file: containers of ours are left, for whoever comes next."""
        self._stream.close()

    def __enter__(self) -> Owner:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._path.unlink(missing_ok=True)
        self._stream.close()


def reap(client: docker.APIClient, own: Owner | None = None) -> int:
    """Remove the containers of owners that are no more (and of `own`, at its end); how many there were."""
    listed = guarded("list containers", lambda: client.containers(all=True, filters={"label": LABEL_OWNER}))
    dead = [container for container in listed if _is_dead(container, own)]
    for container in dead:
        remove_container(client, container["Id"])
    return len(dead)


def forget_locks(client: docker.APIClient, folder: Path) -> None:
    """Remove the locks in `folder` that nobody holds and that no container is waiting to be removed for."""
    listed = guarded("list containers", lambda: client.containers(all=True, filters={"label": LABEL_OWNER}))
    needed = {Path(container["Labels"][LABEL_LOCK]) for container in listed}
    for lock in folder.glob("*.lock"):
        if lock not in needed and _unheld(lock):
            lock.unlink(missing_ok=True)


def remove_container(client: docker.APIClient, container: str) -> None:
    """Remove a container, running or not. One that is gone, or an engine that is gone, is no error here."""
    with contextlib.suppress(HostFailure):
        guarded("remove a container", lambda: client.remove_container(container, force=True, v=True))


def _is_dead(container: Mapping[str, Any], own: Owner | None) -> bool:
    labels = container["Labels"]
    if own is not None and labels[LABEL_OWNER] == own.id:
        return True
    lock = Path(labels[LABEL_LOCK])
    return _unheld(lock) or (not lock.exists() and _is_old_remains(container))


def _is_old_remains(container: Mapping[str, Any]) -> bool:
    """Ended long ago, and its lock is not on this machine, or no more: a restart empties /tmp."""
    age_seconds = time.time() - float(container["Created"])
    return str(container["State"]) != "running" and age_seconds > REMAINS_SECONDS


def _held(path: Path) -> TextIO:
    """The lock's file, open and locked. If somebody took it for a dead one's before it was locked: once more."""
    while True:
        stream = path.open("w")
        fcntl.flock(stream, fcntl.LOCK_EX)
        if path.exists() and path.stat().st_ino == os.fstat(stream.fileno()).st_ino:
            return stream
        stream.close()


def _unheld(lock: Path) -> bool:
    """True if the lock is on this machine and nobody holds it. One that is not here belongs to another machine."""
    try:
        with lock.open("r") as stream:
            fcntl.flock(stream, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except (FileNotFoundError, PermissionError, BlockingIOError):
        return False
    return True
