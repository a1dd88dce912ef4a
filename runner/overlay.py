"""The suite as one pass lays it over the tree: this pass's canaries written into its files."""

from __future__ import annotations

from runner.errors import Fault, TaskError
from runner.plan import Canary, Pass
from runner.task import Suite


def suite_files(suite: Suite, work: Pass) -> dict[str, bytes]:
    """Path to content of every suite file, with the pass's canaries in place of the tests they stand for.

    Raises TaskError, with every fault, if a canary does not find what it replaces or two overlap.
    """
    faults: list[Fault] = []
    laid: dict[str, bytes] = {}
    for path, data in suite.files.items():
        here = sorted((c for c in work.canaries.values() if c.file == path), key=lambda c: c.start)
        faults += _faults(data, here)
        laid[path] = _rewritten(data, here)
    faults += [
        Fault(canary.file, 0, f"the canary of {test} rewrites a file that is not in the suite; {_REMEDY}")
        for test, canary in work.canaries.items()
        if canary.file not in suite.files
    ]
    if faults:
        raise TaskError("the canaries do not fit the suite", faults)
    return laid


_REMEDY = "run `assay tasks lock` again"


def _rewritten(data: bytes, canaries: list[Canary]) -> bytes:
    for canary in reversed(canaries):
        data = data[: canary.start] + canary.new.encode() + data[canary.end :]
    return data


def _faults(data: bytes, canaries: list[Canary]) -> list[Fault]:
    faults, end = [], 0
    for canary in canaries:
        line = data.count(b"\n", 0, canary.start) + 1
        if data[canary.start : canary.end] != canary.old.encode():
            message = f"the canary of {canary.test} replaces {canary.old!r}, which is not there; {_REMEDY}"
            faults.append(Fault(canary.file, line, message))
        if canary.start < end:
            message = f"the canary of {canary.test} overlaps the one before it; {_REMEDY}"
            faults.append(Fault(canary.file, line, message))
        end = max(end, canary.end)
    return faults
