"""Who owns a container: a process that holds a lock. What a dead owner left is removed by whoever comes next."""

from __future__ import annotations

import contextlib
import fcntl
import os
import tempfile
import uuid
from collections.abc import Mapping
from pathlib import Path
from types import TracebackType

import docker

from runner.engine import guarded
from runner.errors import HostFailure

LABEL_OWNER = "assay.owner"
LABEL_LOCK = "assay.lock"
LABEL_POOL = "assay.pool"
LABEL_TASK = "assay.task"


def locks_folder() -> Path:
    """Where owners of this user on this machine keep their locks."""
    return Path(tempfile.gettempdir()) / f"assay-owners-{os.getuid()}"


class Owner:
    """This process, as the engine's labels know it. The lock is held until the process ends, however it ends."""

    def __init__(self, folder: Path) -> None:
        folder.mkdir(mode=0o700, parents=True, exist_ok=True)
        self.id = uuid.uuid4().hex
        self._path = folder / f"{self.id}.lock"
        self._stream = self._path.open("w")
        fcntl.flock(self._stream, fcntl.LOCK_EX)

    def labels(self, pool: str, task: str = "") -> dict[str, str]:
        """Labels of a container that this process starts."""
        return {LABEL_OWNER: self.id, LABEL_LOCK: str(self._path), LABEL_POOL: pool, LABEL_TASK: task}

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
    dead = [container for container in listed if _is_dead(container["Labels"], own)]
    for container in dead:
        remove_container(client, container["Id"])
    _forget_locks({container["Labels"][LABEL_LOCK] for container in dead})
    return len(dead)


def remove_container(client: docker.APIClient, container: str) -> None:
    """Remove a container, running or not. One that is gone, or an engine that is gone, is no error here."""
    with contextlib.suppress(HostFailure):
        guarded("remove a container", lambda: client.remove_container(container, force=True, v=True))


def _is_dead(labels: Mapping[str, str], own: Owner | None) -> bool:
    if own is not None and labels[LABEL_OWNER] == own.id:
        return True
    return _unheld(Path(labels[LABEL_LOCK]))


def _unheld(lock: Path) -> bool:
    """True if the lock is on this machine and nobody holds it. One that is not here belongs to another machine."""
    try:
        with lock.open("r") as stream:
            fcntl.flock(stream, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except (FileNotFoundError, PermissionError, BlockingIOError):
        return False
    return True


def _forget_locks(paths: set[str]) -> None:
    for path in paths:
        lock = Path(path)
        if _unheld(lock):
            lock.unlink(missing_ok=True)
