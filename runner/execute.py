"""One evaluation: a patch, a plan, sealed containers, and the evidence they leave."""

from __future__ import annotations

import errno
import time
from collections.abc import Mapping
from concurrent.futures import wait
from dataclasses import replace

from runner.errors import HostFailure, PatchRejected
from runner.evidence import (
    Environment,
    Evidence,
    EvidenceStore,
    Limit,
    PassRecord,
    PhaseRecord,
    Rejection,
    TreeFile,
)
from runner.host import Host
from runner.image_build import Image
from runner.mechanisms import Mechanisms
from runner.overlay import suite_files
from runner.patch import Admitted, admit
from runner.plan import Pass, Plan
from runner.sandbox import PhaseOutcome, Refusal, Sandbox, SandboxDied, supervisor_digest
from runner.sandbox.placement import Placed, place_patch
from runner.task import Task
from runner.toolchains import Command, Report, Toolchain
from runner.toolchains.registry import TOOLCHAINS
from runner.tree import Tree

LIMIT_BEHIND: Mapping[int | None, Limit] = {
    errno.ENOSPC: "disk",
    errno.EDQUOT: "disk",
    errno.ENOMEM: "memory",
    errno.EAGAIN: "processes",
}


def execute(
    task: Task,
    patch: bytes,
    plan: Plan,
    host: Host,
    store: EvidenceStore,
    *,
    benchmark_digest: str = "",
    mechanisms: Mechanisms = Mechanisms(),
) -> Evidence:
    """Apply `patch` to the task's base, run the plan's passes, and freeze what came of it.

    Never raises for anything that the patch can do. What fails on our side is in `host_failure`.
    """
    begun = time.monotonic()
    blank = _blank(task, store.put(patch), benchmark_digest)
    try:
        base = host.materials.base(task)
        blank = replace(blank, base_tree=base.digest)
        admitted = admit(patch, base, host.materials.objects)
    except PatchRejected as rejected:
        rejection = Rejection(rejected.code, str(rejected), rejected.where)
        return replace(blank, rejection=rejection, timings={"admit": _since(begun)})
    except HostFailure as failure:
        return replace(blank, host_failure=str(failure))
    placed = place_patch(task, TOOLCHAINS[task.language], base, admitted.tree, mechanisms)
    frozen = _with_patch(blank, plan, admitted, base, placed, store)
    return _with_passes(frozen, task, plan, placed, host, store, mechanisms, _since(begun))


def run_tree(task: Task, tree: Tree, work: Pass, host: Host) -> Report:
    """One pass over a tree that needs no patch: for measuring a task. Raises HostFailure."""
    toolchain = TOOLCHAINS[task.language]
    placed = place_patch(task, toolchain, host.materials.base(task), tree, Mechanisms())
    room = _Room(task, toolchain, host, _NoStore(), Mechanisms())
    record = room.run_pass(placed, work)
    return toolchain.parse_report(room.reports.get(record.report or "", b""))


class _NoStore:
    """Where `run_tree` keeps nothing but what is asked for at once."""

    def put(self, data: bytes) -> str:
        return str(len(data))


def _blank(task: Task, patch: str, benchmark_digest: str) -> Evidence:
    return Evidence(
        task=task.id,
        task_digest=task.digest,
        benchmark_digest=benchmark_digest,
        patch=patch,
        repairs=(),
        rejection=None,
        base_tree="",
        patched_tree=None,
        changed={},
        dropped=(),
        flagged=(),
        plan=None,
        passes=(),
        environment=None,
        timings={},
    )


def _with_patch(
    blank: Evidence, plan: Plan, admitted: Admitted, base: Tree, placed: Placed, store: EvidenceStore
) -> Evidence:
    changed: dict[str, TreeFile] = {}
    for path in base.changed(admitted.tree):
        entry = admitted.tree.get(path)
        changed[path] = TreeFile(entry.mode, store.put(entry.data)) if entry else TreeFile(None, None)
    return replace(
        blank,
        repairs=admitted.repairs,
        patched_tree=admitted.tree.digest,
        changed=changed,
        dropped=placed.dropped,
        flagged=placed.flagged,
        plan=plan,
    )


def _with_passes(
    frozen: Evidence,
    task: Task,
    plan: Plan,
    placed: Placed,
    host: Host,
    store: EvidenceStore,
    mechanisms: Mechanisms,
    admit_seconds: float,
) -> Evidence:
    begun = time.monotonic()
    try:
        image = host.image(task)
        host.expect(task, len(plan.passes)) if mechanisms.suite_ownership else None
        room = _Room(task, TOOLCHAINS[task.language], host, store, mechanisms)
        running = [host.passes.submit(room.run_pass, placed, work) for work in plan.passes]
        wait(running)
        passes = tuple(one.result() for one in running)
    except HostFailure as failure:
        return replace(frozen, host_failure=str(failure), timings={"admit": admit_seconds})
    return replace(
        frozen,
        passes=passes,
        environment=_environment(image, host),
        timings={"admit": admit_seconds, "execute": _since(begun)},
    )


class _Room:
    """Runs passes of one task, keeping outputs and reports in a store."""

    def __init__(
        self, task: Task, toolchain: Toolchain, host: Host, store: EvidenceStore | _NoStore, mechanisms: Mechanisms
    ) -> None:
        self._task, self._toolchain, self._host = task, toolchain, host
        self._store, self._mechanisms = store, mechanisms
        self._owned = mechanisms.suite_ownership
        self.reports: dict[str, bytes] = {}

    def run_pass(self, placed: Placed, work: Pass) -> PassRecord:
        """One container's life. Raises HostFailure."""
        phases: list[PhaseRecord] = []
        with self._host.sandbox(self._task, owned=self._owned) as sandbox:
            try:
                return self._phases(sandbox, placed, work, phases)
            except SandboxDied as death:
                return PassRecord(tuple(phases), None, str(death), sandbox_died=True, exhausted=death.exhausted)

    def _phases(self, sandbox: Sandbox, placed: Placed, work: Pass, phases: list[PhaseRecord]) -> PassRecord:
        if ended := self._product(sandbox, placed, phases) or self._suite(sandbox, work, phases):
            return ended
        self._run(sandbox, "test", self._toolchain.test(self._task, self._mechanisms), phases)
        return self._collect(sandbox, phases)

    def _product(self, sandbox: Sandbox, placed: Placed, phases: list[PhaseRecord]) -> PassRecord | None:
        """Place the patch and build the product; the record of a pass that ends here."""
        task, toolchain = self._task, self._toolchain
        if refusal := sandbox.place(placed.files):
            return self._refused("place", "the patched tree could not be written", refusal, phases)
        if (ours := toolchain.build_files(task)) and (refusal := sandbox.lay((), {}, ours, owned=self._owned)):
            return self._refused("place", "our build files could not be laid", refusal, phases)
        changed = [path for path, entry in placed.files.items() if entry is not None]
        if not self._run(sandbox, "build", toolchain.build(task, changed), phases):
            return PassRecord(tuple(phases), None, "the product was not built")
        return None

    def _suite(self, sandbox: Sandbox, work: Pass, phases: list[PhaseRecord]) -> PassRecord | None:
        """Lay and build the suite; the record of a pass that ends here."""
        task, toolchain = self._task, self._toolchain
        laid, trusted = suite_files(task.suite, work), toolchain.trusted_files(task, work)
        if refusal := sandbox.lay(task.suite.folders, laid, trusted, owned=self._owned):
            return self._refused("overlay", "the suite could not be laid over the tree", refusal, phases)
        if not self._run(sandbox, "build tests", toolchain.build_tests(task), phases):
            return PassRecord(tuple(phases), None, "the suite was not built")
        if (sources := toolchain.compiled_away(task)) and (refusal := sandbox.strip(sources, owned=self._owned)):
            return self._refused("overlay", "the suite's sources could not be removed", refusal, phases)
        return None

    def _run(self, sandbox: Sandbox, name: str, command: Command | None, phases: list[PhaseRecord]) -> bool:
        """True if there was nothing to do, or it was done and no limit was reached."""
        if command is None:
            return True
        outcome = sandbox.run(command, self._task.limits, sweep=self._mechanisms.sweep)
        phases.append(self._record(name, outcome))
        return outcome.exit_code == 0 and outcome.exhausted is None

    def _collect(self, sandbox: Sandbox, phases: list[PhaseRecord]) -> PassRecord:
        report = sandbox.collect(self._toolchain.report_name)
        if isinstance(report, Refusal):
            return PassRecord(tuple(phases), None, f"no report was taken: {report.problem}")
        digest = self._store.put(report)
        self.reports[digest] = report
        return PassRecord(tuple(phases), digest)

    def _record(self, name: str, outcome: PhaseOutcome) -> PhaseRecord:
        return PhaseRecord(
            name=name,
            wall_seconds=round(outcome.wall_seconds, 4),
            cpu_seconds=round(outcome.cpu_seconds, 4),
            exit_code=outcome.exit_code,
            signal=outcome.signal,
            exhausted=outcome.exhausted,
            swept=outcome.swept,
            output=self._store.put(outcome.output) if outcome.output else None,
            output_truncated=outcome.truncated,
        )

    @staticmethod
    def _refused(name: str, what: str, refusal: Refusal, phases: list[PhaseRecord]) -> PassRecord:
        """The supervisor could not write. The same sandbox took the base tree before: it is the patch's doing."""
        limit = LIMIT_BEHIND.get(refusal.errno)
        phase = PhaseRecord(name, 0.0, 0.0, exit_code=None, signal=None, exhausted=limit, swept=0, output=None)
        return PassRecord((*phases, phase), None, f"{what}: {refusal.problem}")


def _environment(image: Image, host: Host) -> Environment:
    return Environment(
        image_id=image.id,
        image_inputs=image.inputs,
        image_manifest=image.manifest,
        toolchain=image.toolchain,
        engine=host.engine.version,
        cgroup=host.engine.cgroup,
        supervisor=supervisor_digest(),
    )


def _since(begun: float) -> float:
    return round(time.monotonic() - begun, 4)
