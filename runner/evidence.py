"""What an evaluation left behind: frozen, content-addressed, enough to grade it again without an engine."""

from __future__ import annotations

import hashlib
import os
import tempfile
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Literal

from pydantic import TypeAdapter

from runner.plan import Plan

Limit = Literal["cpu", "wall", "memory", "processes", "disk", "output"]


@dataclass(frozen=True, slots=True)
class PhaseRecord:
    """One phase of one pass, as the supervisor saw it. Times in seconds; `output` is a blob's digest."""

    name: str
    wall_seconds: float
    cpu_seconds: float
    exit_code: int | None
    """The process's exit code; None if it was killed or never ran."""
    signal: int | None
    exhausted: Limit | None
    """The limit that was reached, if one was."""
    swept: int
    """Processes that outlived the phase and were killed."""
    output: str | None
    """Blob: standard output and error together, capped."""
    output_truncated: bool = False


@dataclass(frozen=True, slots=True)
class PassRecord:
    """One container: its phases, the report's blob (None if there was none) and how it ended."""

    phases: tuple[PhaseRecord, ...]
    report: str | None
    report_problem: str = ""
    """Why there is no report, or why it was not taken: a link, too large, not a file."""
    sandbox_died: bool = False
    """The supervisor went away after the patch was in, and nothing of ours explains it."""
    exhausted: Limit | None = None
    """A limit that the host saw reached (an OOM kill of the whole container, the wall-clock backstop)."""


@dataclass(frozen=True, slots=True)
class Rejection:
    """Why the patch was not admitted: `where` names a path or a line of the patch."""

    code: str
    message: str
    where: str


@dataclass(frozen=True, slots=True)
class TreeFile:
    """A file of the patched tree that differs from the base: mode and blob, or None for both if it is gone."""

    mode: str | None
    blob: str | None


@dataclass(frozen=True, slots=True)
class Environment:
    """What the evaluation ran in: enough to tell whether two results can be compared."""

    image_id: str
    image_inputs: str
    image_manifest: str
    """SHA-256 over the packages with their versions and the base tree: equal on two hosts if images mean the same."""
    toolchain: Mapping[str, str]
    """Name to version, as `python 3.13.5`."""
    engine: str
    cgroup: str
    supervisor: str
    """SHA-256 of the supervisor that ran as PID 1."""


@dataclass(frozen=True, slots=True)
class Evidence:
    """Everything one evaluation left behind. Blobs are named by SHA-256 and held by an `EvidenceStore`."""

    task: str
    task_digest: str
    benchmark_digest: str
    patch: str
    """Blob: the patch as it came in."""
    repairs: tuple[str, ...]
    """Harmless repairs made before applying: `final-newline`, `line-endings`."""
    rejection: Rejection | None
    base_tree: str
    patched_tree: str | None
    """Tree digest of the tree as patched, before test roots are emptied; None if rejected."""
    changed: Mapping[str, TreeFile]
    """Every path where the patched tree differs from the base."""
    dropped: tuple[str, ...]
    """Paths whose change was not taken into the sandbox: test roots and protected paths."""
    flagged: tuple[str, ...]
    """Protected build files that the task allows a patch to touch, and this one did."""
    plan: Plan | None
    passes: tuple[PassRecord, ...]
    environment: Environment | None
    timings: Mapping[str, float]
    """Seconds by phase of the host's work: `admit`, `wait`, `execute`."""
    host_failure: str = ""
    """What failed on our side; the verdict is then `errored`."""
    schema: str = "assay.evidence/1"


EVIDENCE = TypeAdapter(Evidence)
UNFINISHED = ".new-"


class EvidenceStore:
    """Blobs in a folder, by SHA-256. Writing is atomic; the same blob twice costs nothing."""

    def __init__(self, root: Path) -> None:
        self._root = root

    def put(self, data: bytes) -> str:
        """Keep `data`; its digest (64 hex digits) comes back."""
        digest = hashlib.sha256(data).hexdigest()
        target = self._path(digest)
        if not target.exists():
            target.parent.mkdir(parents=True, exist_ok=True)
            handle, scratch = tempfile.mkstemp(dir=target.parent, prefix=UNFINISHED)
            try:
                with os.fdopen(handle, "wb") as stream:
                    stream.write(data)
                Path(scratch).replace(target)
            except OSError:
                Path(scratch).unlink(missing_ok=True)
                raise
        return digest

    def get(self, digest: str) -> bytes:
        """The blob of that digest. Raises FileNotFoundError if it is not here, ValueError if it was altered."""
        data = self._path(digest).read_bytes()
        if hashlib.sha256(data).hexdigest() != digest:
            raise ValueError(f"evidence blob {digest} was altered; delete the folder and evaluate again")
        return data

    def remove_unfinished(self) -> None:
        """Remove what a killed writer left, where nobody else may be writing."""
        for scratch in self._root.glob(f"*/{UNFINISHED}*"):
            scratch.unlink(missing_ok=True)

    def save(self, evidence: Evidence) -> str:
        """Freeze `evidence` as canonical JSON; the digest names it from now on."""
        return self.put(EVIDENCE.dump_json(evidence))

    def load(self, digest: str) -> Evidence:
        """The evidence of that digest."""
        return EVIDENCE.validate_json(self.get(digest))

    def _path(self, digest: str) -> Path:
        return self._root / digest[:2] / digest
