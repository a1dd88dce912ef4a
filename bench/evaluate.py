"""One submission from patch to result: the function that bench, service and audits all go through."""

from __future__ import annotations

import datetime
import time
from collections.abc import Sequence
from dataclasses import dataclass

from grader.draw_plan import draw_plan, fresh_seed
from grader.grade import grade
from grader.result import Effort, Result
from runner.errors import HostFailure, SourceUnavailable
from runner.evidence import Evidence, EvidenceStore
from runner.execute import execute
from runner.host import Host
from runner.materials import Materials
from runner.mechanisms import Mechanisms
from runner.task import Benchmark, Task
from runner.tree import Tree

ENGINE_WAIT_SECONDS = 60
"""How long a retry waits for an engine that went away."""
ENGINE_POLL_SECONDS = 1.0


@dataclass(frozen=True, slots=True)
class Submission:
    """One patch of one agent for one task."""

    task: Task
    agent: str
    patch: bytes
    attempt: int = 1

    @property
    def key(self) -> tuple[str, str, int]:
        """What a run holds once: task, agent, attempt."""
        return self.task.id, self.agent, self.attempt


@dataclass(frozen=True, slots=True)
class Judging:
    """How submissions are judged. `canaries=False` is never ranked; only tests change `mechanisms`."""

    benchmark: Benchmark
    canaries: bool = True
    mechanisms: Mechanisms = Mechanisms()


def evaluate(submission: Submission, host: Host, store: EvidenceStore, judging: Judging) -> Result:
    """Run and grade one submission, retrying what failed on our side as often as the protocol says."""
    evidence = _run(submission, host, store, judging)
    for _ in range(judging.benchmark.protocol.infra_retries):
        if not evidence.host_failure:
            break
        _wait_for_engine(host)
        evidence = _run(submission, host, store, judging)
    return judge(submission, evidence, store, host.materials, judging)


def judge(
    submission: Submission,
    evidence: Evidence,
    store: EvidenceStore,
    materials: Materials,
    judging: Judging,
    *,
    effort: Sequence[Effort] = (),
) -> Result:
    """Freeze the evidence and grade it; needs no engine."""
    base, gold = _trees(submission.task, evidence, materials)
    return grade(
        submission.task,
        evidence,
        store,
        base,
        gold,
        evidence_digest=store.save(evidence),
        agent=submission.agent,
        attempt=submission.attempt,
        now=datetime.datetime.now(datetime.UTC),
        effort=effort,
        mechanisms=judging.mechanisms,
    )


def _run(submission: Submission, host: Host, store: EvidenceStore, judging: Judging) -> Evidence:
    plan = draw_plan(submission.task, fresh_seed(), canaries=judging.canaries and judging.mechanisms.canaries)
    return execute(
        submission.task,
        submission.patch,
        plan,
        host,
        store,
        benchmark_digest=judging.benchmark.digest,
        mechanisms=judging.mechanisms,
    )


def _trees(task: Task, evidence: Evidence, materials: Materials) -> tuple[Tree, Tree]:
    """Base and gold; empty ones where our side failed before there was a base."""
    try:
        return materials.base(task), materials.gold(task)
    except SourceUnavailable:
        if not evidence.host_failure:
            raise
        return Tree({}), Tree({})


def _wait_for_engine(host: Host) -> None:
    """Give an engine that was restarted time to answer; the next try says so if it does not."""
    host.forget_images()
    deadline = time.monotonic() + ENGINE_WAIT_SECONDS
    while time.monotonic() < deadline:
        try:
            host.reap()
        except HostFailure:
            time.sleep(ENGINE_POLL_SECONDS)
        else:
            return
