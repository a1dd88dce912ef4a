"""Each pass of an evaluation as the graders see it: what was planned, done and reported."""

from __future__ import annotations

import signal
from collections import defaultdict
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property

from grader.finding import Finding
from grader.sentences import last_line, one_line
from runner.evidence import Evidence, EvidenceStore, Limit, PassRecord, PhaseRecord
from runner.mechanisms import Mechanisms
from runner.plan import Pass
from runner.task import Limits, Task
from runner.toolchains import Report, Reported

ReadReport = Callable[[bytes], Report]
_NOTHING = Report(tests=(), complete=False)


@dataclass(frozen=True)
class PassView:
    """One pass. `number` counts from 1.

    `findings` say why tests could not run, or not all; `report` is empty where there was none.
    """

    number: int
    planned: Pass
    report: Report
    findings: tuple[Finding, ...]
    cut_short: bool
    """Tests are missing for a reason that has its own finding, here or in an earlier pass."""

    @cached_property
    def listed(self) -> Mapping[str, tuple[Reported, ...]]:
        """Every id reported, with its entries."""
        found: defaultdict[str, list[Reported]] = defaultdict(list)
        for entry in self.report.tests:
            found[entry.id].append(entry)
        return {test: tuple(entries) for test, entries in found.items()}


def read_passes(
    task: Task, evidence: Evidence, store: EvidenceStore, read_report: ReadReport, mechanisms: Mechanisms
) -> tuple[PassView, ...]:
    """Every planned pass with its findings. Raises ValueError if one is missing and nothing explains it."""
    planned = evidence.plan.passes if evidence.plan else ()
    views: list[PassView] = []
    for number, work in enumerate(planned, 1):
        if number <= len(evidence.passes):
            record = evidence.passes[number - 1]
            report = read_report(store.get(record.report)) if record.report else _NOTHING
            findings = _findings(task.limits, number, _forgiven(record, work, report), report, store)
            if mechanisms.completion and not findings:
                findings = _completion(number, record, report)
            views.append(PassView(number, work, report, tuple(findings), bool(findings)))
        elif any(view.findings for view in views):
            views.append(PassView(number, work, _NOTHING, (), True))
        else:
            raise ValueError(f"the evidence has no pass {number}, and nothing in it says why; evaluate again")
    return tuple(views)


def _findings(
    limits: Limits, number: int, record: PassRecord, report: Report, store: EvidenceStore
) -> list[Finding]:
    findings = [*_limits(limits, number, record, report), *_builds(number, record, store)]
    if record.sandbox_died and not findings:
        findings.append(_supervisor_died(number, record))
    return findings


def _forgiven(record: PassRecord, work: Pass, report: Report) -> PassRecord:
    """A disk that was full for a while harmed nothing if every test that is itself in the pass has passed.

    The command's exit code cannot tell: with canaries a pass always ends with failed tests.
    """
    passed = {entry.id for entry in report.tests if entry.outcome == "passed"}
    if not report.complete or not passed.issuperset(set(work.order) - set(work.canaries)):
        return record
    phases = tuple(
        replace(phase, exhausted=None) if phase.name == "test" and phase.exhausted == "disk" else phase
        for phase in record.phases
    )
    return replace(record, phases=phases)


def _limits(limits: Limits, number: int, record: PassRecord, report: Report) -> list[Finding]:
    reached = [(phase.name, phase.exhausted) for phase in record.phases if phase.exhausted]
    if record.exhausted and not reached:
        reached = [(record.phases[-1].name if record.phases else "start", record.exhausted)]
    running = f" while {one_line(report.running)} ran" if report.running else ""
    return [
        Finding(
            "limits",
            "exhausted",
            f"the {_limit(limits, limit)} limit was reached in the {phase} phase of pass {number}"
            + (running if phase == "test" else ""),
            phase,
        )
        for phase, limit in reached
    ]


def _limit(limits: Limits, limit: Limit) -> str:
    return {
        "cpu": f"CPU time ({limits.cpu_seconds} s)",
        "wall": f"wall clock ({limits.wall_seconds} s)",
        "memory": f"memory ({limits.memory_mb} MB)",
        "processes": f"process ({limits.processes} at once)",
        "disk": f"disk ({limits.disk_mb} MB)",
        "output": f"output ({limits.output_mb} MB)",
    }[limit]


def _builds(number: int, record: PassRecord, store: EvidenceStore) -> list[Finding]:
    failed = [phase for phase in record.phases if _is_build(phase) and _failed(phase) and not phase.exhausted]
    return [Finding("build", "broken", _build_message(phase, number, store), phase.name) for phase in failed]


def _is_build(phase: PhaseRecord) -> bool:
    return phase.name.startswith("build")


def _failed(phase: PhaseRecord) -> bool:
    return phase.exit_code != 0 or phase.signal is not None


def _build_message(phase: PhaseRecord, number: int, store: EvidenceStore) -> str:
    what = (
        "the product does not build"
        if phase.name == "build"
        else "the suite does not build against the product"
    )
    said = last_line(store.get(phase.output)) if phase.output else ""
    return f"{what} ({_ending(phase)} in pass {number}): {said or 'no output'}"


def _supervisor_died(number: int, record: PassRecord) -> Finding:
    phase = record.phases[-1].name if record.phases else "place"
    message = f"the sandbox went away in or after the {phase} phase of pass {number}, by the patch's doing"
    return Finding("completion", "broken", message, phase)


def _completion(number: int, record: PassRecord, report: Report) -> list[Finding]:
    if record.report is None:
        why = record.report_problem or "there is none"
        message = f"the report of pass {number} was not taken ({one_line(why)}); {_test_ending(record)}"
    elif report.problem:
        message = (
            f"the report of pass {number} is not valid ({one_line(report.problem)}); {_test_ending(record)}"
        )
    elif not report.complete:
        during = f"while {one_line(report.running)} ran" if report.running else "between tests"
        message = f"{_test_ending(record)} {during} in pass {number}, before its report was closed"
    else:
        return []
    return [Finding("completion", "broken", message, one_line(report.running) or "test")]


def _test_ending(record: PassRecord) -> str:
    phase = next((phase for phase in reversed(record.phases) if phase.name == "test"), None)
    return f"the test process ended ({_ending(phase)})" if phase else "the test process never ran"


def _ending(phase: PhaseRecord) -> str:
    if phase.signal is not None:
        known = {number.value: number.name for number in signal.Signals}
        return f"signal {known.get(phase.signal, phase.signal)}"
    return "never ran" if phase.exit_code is None else f"exit code {phase.exit_code}"


def measured_seconds(passes: Sequence[PassRecord]) -> dict[str, float]:
    """Wall-clock seconds by phase, all passes summed."""
    total: dict[str, float] = {}
    for record in passes:
        for phase in record.phases:
            total[phase.name] = total.get(phase.name, 0.0) + phase.wall_seconds
    return total
