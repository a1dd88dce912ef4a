"""Temporary folders that no killed process leaves for good: each is locked, and a sweep takes the unheld."""

from __future__ import annotations

import fcntl
import os
import shutil
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

PREFIX = ".scratch-"


@contextmanager
def scratch_folder(parent: Path) -> Iterator[Path]:
    """A new folder in `parent` (made if need be), removed at the end.

    The kernel lets go of its lock when the process ends, however it ends; then `sweep(parent)` removes it.
    """
    parent.mkdir(parents=True, exist_ok=True)
    folder, handle = _locked_folder(parent)
    try:
        yield folder
    finally:
        shutil.rmtree(folder, ignore_errors=True)
        os.close(handle)


def sweep(parent: Path) -> int:
    """Remove the scratch folders in `parent` that no process holds; how many there were."""
    return sum(map(_remove_if_unheld, sorted(parent.glob(f"{PREFIX}*"))))


def system_scratch() -> Path:
    """Where scratch folders of this user go that have no better place."""
    return Path(tempfile.gettempdir()) / f"assay-scratch-{os.getuid()}"


def _locked_folder(parent: Path) -> tuple[Path, int]:
    """A folder and its held lock. One that a sweep took before it was locked is made anew."""
    while True:
        folder = Path(tempfile.mkdtemp(dir=parent, prefix=PREFIX))
        with suppress(FileNotFoundError):
            handle = os.open(folder, os.O_RDONLY | os.O_DIRECTORY)
            fcntl.flock(handle, fcntl.LOCK_EX)
            if folder.exists():
                return folder, handle
            os.close(handle)


def _remove_if_unheld(folder: Path) -> bool:
    try:
        handle = os.open(folder, os.O_RDONLY | os.O_DIRECTORY)
    except (FileNotFoundError, NotADirectoryError, PermissionError):
        return False
    try:
        fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        return False
    else:
        shutil.rmtree(folder, ignore_errors=True)
        return True
    finally:
        os.close(handle)
