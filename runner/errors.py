"""Everything that can go wrong on purpose, as one tree.

    AssayError                   exit code, retryable, charged
    ├── UsageError               2  the caller asked for something that is not there or not well formed
    │   ├── TaskError               a task folder is wrong; carries every fault with file and line
    │   ├── PredictionsError        a predictions file is wrong; carries every fault with its place
    │   ├── ResultsError            a results file is damaged; carries every fault with its line
    │   └── FolderBusy              another run is writing to the same folder
    ├── PatchRejected            1  the patch is inadmissible (verdict `rejected`); the agent is charged
    ├── DeltaError               2  a delta does not read, or does not fit its base
    └── HostFailure              3  our side failed (verdict `errored`); retried, never charged
        ├── EngineUnavailable       no engine answers
        ├── ImageBuildFailed        an image step failed; carries step, last lines and how to repeat it
        ├── SourceUnavailable       a registry or a git remote did not give the pinned source
        └── SandboxFailure          a container could not be started, or went away by a hand that is not the patch's
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import ClassVar


class AssayError(Exception):
    """Root of the tree. `exit_code` is the command line's, `charged` says whether the agent pays an attempt."""

    exit_code: ClassVar[int] = 3
    retryable: ClassVar[bool] = False
    charged: ClassVar[bool] = False


class UsageError(AssayError):
    """The caller asked for something that does not exist or is not well formed."""

    exit_code = 2


@dataclass(frozen=True, slots=True)
class Fault:
    """One thing wrong in a file from outside: where it stands (`line` from 1, 0 if none) and what to do."""

    file: str
    line: int
    message: str

    def __str__(self) -> str:
        place = f"{self.file}:{self.line}" if self.line else self.file
        return f"{place}: {self.message}"


class FaultyInput(UsageError):
    """Input with faults, all of them at once."""

    def __init__(self, summary: str, faults: Sequence[Fault]) -> None:
        self.faults = tuple(faults)
        super().__init__("\n".join([summary, *(f"  {fault}" for fault in self.faults)]))


class TaskError(FaultyInput):
    """A task folder is not as `docs/tasks.md` says."""


class PredictionsError(FaultyInput):
    """A predictions file cannot be used."""


class ResultsError(FaultyInput):
    """A results file is damaged where no interrupted write explains it."""


class FolderBusy(UsageError):
    """Another run holds the folder that this one was to write to."""


class DeltaError(UsageError):
    """A delta does not read, or does not fit the base tree it is applied to."""


class PatchRejected(AssayError):
    """The patch is inadmissible: `code` is stable, `where` a path or line of the patch ('' if none)."""

    exit_code = 1
    charged = True

    def __init__(self, code: str, message: str, where: str = "") -> None:
        self.code, self.where = code, where
        super().__init__(message)


class HostFailure(AssayError):
    """Our side failed, shown by evidence from our side; becomes the verdict `errored`."""

    retryable = True


class EngineUnavailable(HostFailure):
    """No container engine answers."""


class ImageBuildFailed(HostFailure):
    """An image could not be built: which step, its last lines, how to repeat it."""

    retryable = False


class SourceUnavailable(HostFailure):
    """A pinned source could not be had, or what came has another digest."""


class SandboxFailure(HostFailure):
    """A container did not start, or was ended by something that the patch cannot reach."""
