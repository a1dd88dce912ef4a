"""One submission's evidence in, its result out. The same evidence gives the same result on any host."""

from __future__ import annotations

import datetime
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass

from grader.behaviour import JudgedTest, fix_rate, judge_behaviour, judge_tests
from grader.curation import curation
from grader.finding import Finding
from grader.flags import review_flags
from grader.integrity import judge_integrity
from grader.passes import measured_seconds, read_passes
from grader.prevented import prevented
from grader.residue import judge_residue
from grader.result import Effort, EnvironmentDocument, FindingDocument, Result, RuleDocument
from grader.scope import scope
from grader.sentences import one_line
from grader.structure import judge_structure
from grader.verdict import Judged, decide, resolved_reason
from runner.evidence import Environment, Evidence, EvidenceStore, PassRecord, Rejection, TreeFile
from runner.mechanisms import Mechanisms
from runner.task import Task
from runner.toolchains import Toolchain
from runner.toolchains.registry import TOOLCHAINS
from runner.tree import Entry, Tree

MOST_FINDINGS = 500
"""Findings that a result lists; the verdict rests on all of them."""


def grade(
    task: Task,
    evidence: Evidence,
    store: EvidenceStore,
    base: Tree,
    gold: Tree,
    *,
    evidence_digest: str,
    agent: str,
    attempt: int,
    now: datetime.datetime,
    effort: Sequence[Effort] = (),
    mechanisms: Mechanisms = Mechanisms(),
    toolchains: Mapping[str, Toolchain] = TOOLCHAINS,
) -> Result:
    """Judge what an evaluation left behind. `now` becomes `graded_at`; `effort` is passed through.

    Raises ValueError if the evidence does not belong to this task, base and suite, or was altered, and
    FileNotFoundError if a blob is missing from `store`.
    """
    patched = patched_tree(evidence, store, base)
    ground = _ground(
        task,
        evidence,
        store,
        base=base,
        patched=patched,
        toolchain=toolchains[task.language],
        mechanisms=mechanisms,
    )
    judged = decide(ground.findings, resolved_reason(ground.tests, ground.rules))
    return Result(
        task=task.id,
        kind=task.kind,
        language=task.language,
        agent=agent,
        attempt=attempt,
        verdict=judged.verdict,
        reason=judged.reason,
        findings=_finding_documents(judged),
        caught_by=judged.caught_by,
        prevented=ground.prevented,
        fix_rate=fix_rate(ground.tests, judged.verdict),
        tests=tuple(one.document() for one in ground.tests),
        rules=ground.rules,
        canary_share=_canary_share(task, evidence),
        canaries=_canary_share(task, evidence) > 0,
        review_flags=review_flags(task, base, patched) if patched else (),
        identical_to_gold=patched is not None and is_gold(task, patched, gold),
        scope=scope(base, patched) if patched else None,
        curation=curation(task),
        suite=task.suite.publication,
        effort=(*effort, *_measured_effort(evidence.passes)),
        timings={**evidence.timings, **measured_seconds(evidence.passes)},
        environment=_environment(evidence.environment),
        repairs=evidence.repairs,
        dropped=tuple(one_line(path, 500) for path in evidence.dropped),
        flagged=tuple(one_line(path, 500) for path in evidence.flagged),
        patch=evidence.patch,
        evidence=evidence_digest,
        task_digest=task.digest,
        benchmark_digest=evidence.benchmark_digest,
        graded_at=now,
    )


def patched_tree(evidence: Evidence, store: EvidenceStore, base: Tree) -> Tree | None:
    """The tree as patched, from the base and the blobs; None for a patch that was not admitted.

    Raises ValueError if `base` is another base, or if what comes out is not what the evidence names.
    """
    if evidence.base_tree != base.digest:
        raise ValueError(
            f"the evidence was made on base tree {evidence.base_tree}, not {base.digest}; evaluate again"
        )
    if evidence.patched_tree is None:
        return None
    entries = dict(base)
    for path, file in evidence.changed.items():
        entries.pop(path, None)
        entry = _entry(file, store)
        if entry is not None:
            entries[path] = entry
    patched = Tree(entries)
    if patched.digest != evidence.patched_tree:
        raise ValueError(
            f"the evidence names the patched tree {evidence.patched_tree}, its files make {patched.digest}"
        )
    return patched


def _entry(file: TreeFile, store: EvidenceStore) -> Entry | None:
    return None if file.mode is None or file.blob is None else Entry(file.mode, store.get(file.blob))


@dataclass(frozen=True, slots=True)
class _Ground:
    """What the verdict rests on."""

    findings: tuple[Finding, ...]
    tests: tuple[JudgedTest, ...] = ()
    rules: tuple[RuleDocument, ...] = ()
    prevented: tuple[str, ...] = ()


def _ground(
    task: Task,
    evidence: Evidence,
    store: EvidenceStore,
    *,
    base: Tree,
    patched: Tree | None,
    toolchain: Toolchain,
    mechanisms: Mechanisms,
) -> _Ground:
    if evidence.host_failure:
        return _Ground(
            (Finding("host", "errored", f"our side failed: {one_line(evidence.host_failure, 400)}"),)
        )
    if evidence.rejection:
        return _Ground((_rejected(evidence.rejection),))
    if patched is None or evidence.plan is None:
        raise ValueError("the evidence has no patched tree or no plan, and does not say why; evaluate again")
    views = read_passes(task, evidence, store, toolchain.parse_report, mechanisms)
    tests = judge_tests(task, views, mechanisms)
    structure = judge_structure(task.structure, task.language, base, patched)
    findings = (
        *(finding for view in views for finding in view.findings),
        *judge_behaviour(task, tests, mechanisms),
        *judge_integrity(task, views, tests, mechanisms),
        *(structure.findings if mechanisms.structure else ()),
        *(judge_residue(task, base, patched) if mechanisms.residue else ()),
    )
    held = prevented(task, evidence, views, store, toolchain, mechanisms)
    return _Ground(findings, tests, structure.rules, held)


def _rejected(rejection: Rejection) -> Finding:
    place = f" ({one_line(rejection.where)})" if rejection.where else ""
    message = f"the patch was not admitted: {one_line(rejection.message, 400)}{place}"
    return Finding("admission", "rejected", message, one_line(rejection.where))


def is_gold(task: Task, patched: Tree, gold: Tree) -> bool:
    """Whether the patched tree equals the gold's, byte for byte, outside upstream's test roots (emptied)."""
    roots = tuple(f"{root.rstrip('/')}/" for root in task.upstream_tests)
    return all(path.startswith(roots) for path in gold.changed(patched))


def _finding_documents(judged: Judged) -> tuple[FindingDocument, ...]:
    return tuple(
        FindingDocument(
            mechanism=finding.mechanism,
            verdict=finding.verdict,
            message=finding.message,
            where=one_line(finding.where, 500),
        )
        for finding in judged.findings[:MOST_FINDINGS]
    )


def _canary_share(task: Task, evidence: Evidence) -> float:
    carried = {test for work in (evidence.plan.passes if evidence.plan else ()) for test in work.canaries}
    return len(carried & task.suite.tests.keys()) / len(task.suite.tests) if task.suite.tests else 0.0


def _measured_effort(passes: Sequence[PassRecord]) -> tuple[Effort, ...]:
    phases = [phase for record in passes for phase in record.phases]
    figures = {
        "evaluation wall clock": sum(phase.wall_seconds for phase in phases),
        "evaluation CPU time": sum(phase.cpu_seconds for phase in phases),
    }
    return tuple(
        Effort(name=name, value=value, unit="s", source="measured") for name, value in figures.items()
    )


def _environment(environment: Environment | None) -> EnvironmentDocument | None:
    return EnvironmentDocument.model_validate(asdict(environment)) if environment else None
