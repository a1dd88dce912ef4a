"""A file that is the old one or the new one, never half of either."""

from __future__ import annotations

import os
import tempfile
from pathlib import Path

from runner.errors import HostFailure

UNFINISHED = ".new-"


def remove_unfinished(folder: Path) -> None:
    """Remove what a killed writer left in `folder`, which nobody else may be writing to."""
    for scratch in folder.glob(f"{UNFINISHED}*"):
        scratch.unlink(missing_ok=True)


def replace_file(path: Path, data: bytes) -> None:
    """Put `data` at `path` in one step, whatever kills us. Raises HostFailure if it cannot."""
    try:
        handle, scratch = tempfile.mkstemp(dir=path.parent, prefix=UNFINISHED)
    except OSError as error:
        raise HostFailure(_cannot(path, error)) from error
    try:
        with os.fdopen(handle, "wb") as stream:
            stream.write(data)
            stream.flush()
            os.fsync(stream.fileno())
        Path(scratch).chmod(0o644)
        Path(scratch).replace(path)
    except OSError as error:
        Path(scratch).unlink(missing_ok=True)
        raise HostFailure(_cannot(path, error)) from error
    _sync_folder(path.parent)


def _cannot(path: Path, error: OSError) -> str:
    return f"{path} cannot be written: {error.strerror}; make room, or choose another folder"


def _sync_folder(folder: Path) -> None:
    handle = os.open(folder, os.O_RDONLY)
    try:
        os.fsync(handle)
    finally:
        os.close(handle)
