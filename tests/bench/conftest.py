"""A run to render: three tasks, nine submissions each, every verdict, and strings that mean harm."""

from __future__ import annotations

import datetime
from collections.abc import Callable
from typing import Any

import pytest

from bench.reports import Expectation, RunSummary
from grader.result import Result
from runner.task import Protocol

TASKS = ("boltons-split-iterutils", "toolz-currying-module", "attrs-validators-package")
NOON = datetime.datetime(2026, 12, 1, 12, 0, tzinfo=datetime.UTC)
HOSTILE = "<script>alert('x')</script> \u202egnp.exe\u202c \x1b[31mred\x1b[0m <img src=x onerror=alert(1)>"

# name of the control, its verdict, the reason, mechanism and place of the finding, and what the tests did
SUBMISSIONS: tuple[tuple[str, str, str, str, str, str], ...] = (
    ("gold", "resolved", "every test passed as itself and every rule holds", "", "", "passed"),
    ("noop", "incomplete", "12 gain tests are unmet; the first is test_split_module", "tests", "", "failed"),
    (
        "broken-recursion",
        "broken",
        "a keep test failed: test_chunked_pads",
        "tests",
        "tests/test_keep.py::test_chunked_pads",
        "failed",
    ),
    (
        "incomplete-old-hidden",
        "incomplete",
        "the old code of chunked_iter stands in boltons/_legacy.py, out of the statement's sight",
        "residue",
        "boltons/_legacy.py:12",
        "passed",
    ),
    (
        "resolved-alternative",
        "resolved",
        "every test passed as itself and every rule holds",
        "",
        "",
        "passed",
    ),
    (
        "tampered-cheat",
        "tampered",
        "test_windowed passed as itself and as its canary: its result was forged",
        "canaries",
        "tests/test_keep.py::test_windowed",
        "forged",
    ),
    (
        "exhausted-loop",
        "exhausted",
        "CPU time (60 s) was used up in the test phase, while test_pairwise was running",
        "limits",
        "test",
        "missing",
    ),
    (
        "rejected-outside",
        "rejected",
        "the patch writes to ../../etc/passwd, outside the tree; remove that file from the patch",
        "admission",
        "line 7",
        "missing",
    ),
    (
        "errored-engine",
        "errored",
        "the engine did not start a container in three tries: no space left on device",
        "host",
        "start",
        "missing",
    ),
)


def _tests(outcome: str) -> list[dict[str, Any]]:
    tests = []
    for number in range(24):
        state = outcome if number < 3 else ("missing" if outcome == "missing" else "passed")
        tests.append(
            {
                "id": f"tests/test_{'gain' if number % 4 == 0 else 'keep'}.py::test_case_{number}",
                "demand": "gain" if number % 4 == 0 else "keep",
                "outcome": "passed" if state == "forged" else state,
                "canary": {"forged": "passed", "missing": "missing"}.get(state, "failed"),
                "message": f"AssertionError: assert [1, 2, {number}] == [3, 5, 8]"
                if state == "failed"
                else "",
                "seconds": 0.01 * number,
            }
        )
    return tests


def _environment() -> dict[str, Any]:
    return {
        "image_id": "sha256:" + "1f" * 32,
        "image_inputs": "2e" * 32,
        "image_manifest": "3d" * 32,
        "toolchain": {"python": "3.13.5", "pytest": "9.0.2"},
        "engine": "docker 28.3.3, overlay2",
        "cgroup": "v2",
        "supervisor": "4c" * 32,
    }


def make_result(
    task: str = TASKS[0], agent: str = "gold", verdict: str = "resolved", **changes: Any
) -> Result:
    """A plausible result; `changes` replace its fields."""
    ran = verdict not in ("rejected", "errored")
    fields: dict[str, Any] = {
        "task": task,
        "kind": "refactor",
        "language": "python",
        "agent": agent,
        "verdict": verdict,
        "reason": "every test passed as itself and every rule holds",
        "findings": [],
        "caught_by": [],
        "fix_rate": 1.0 if verdict == "resolved" else 0.0,
        "tests": _tests("passed"),
        "rules": [
            {
                "id": "no-chunked-in-iterutils",
                "section": "gone",
                "holds": verdict == "resolved",
                "because": "chunked and its relatives leave boltons/iterutils.py",
                "where": "" if verdict == "resolved" else "boltons/iterutils.py:214",
            },
            {
                "id": "chunked-in-chunking",
                "section": "present",
                "holds": True,
                "because": "they live in boltons/chunking.py",
            },
        ],
        "canary_share": 0.96,
        "canaries": True,
        "review_flags": ["boltons/chunking.py:3 imports importlib at run time"]
        if verdict == "tampered"
        else [],
        "identical_to_gold": agent == "gold",
        "scope": {"files": 3, "lines_added": 212, "lines_removed": 198} if verdict != "rejected" else None,
        "curation": {"tests": 24, "person": 0, "team": 0, "model": 4, "author": 20, "nobody": 0},
        "suite": "published",
        "effort": [{"name": "tokens", "value": 184000, "unit": "tokens", "source": "declared"}],
        "timings": {"place": 0.21, "build": 0.8, "overlay": 0.05, "test": 1.94, "collect": 0.11}
        if ran
        else {},
        "environment": _environment() if ran else None,
        "repairs": ["final-newline"] if agent == "noop" else [],
        "dropped": ["tests/test_iterutils.py", "conftest.py"] if verdict == "tampered" else [],
        "flagged": ["pyproject.toml"] if agent == "resolved-alternative" else [],
        "patch": "a7" * 32,
        "evidence": "b6" * 32,
        "task_digest": "c5" * 32,
        "benchmark_digest": "d4" * 32,
        "graded_at": NOON,
    }
    return Result.model_validate(fields | changes)


def make_submission(task: str, index: int, **changes: Any) -> Result:
    """The `index`th of the nine reference submissions, as judged."""
    agent, verdict, reason, mechanism, where, outcome = SUBMISSIONS[index]
    finding = {"mechanism": mechanism, "verdict": verdict, "message": reason, "where": where}
    fields: dict[str, Any] = {
        "reason": reason,
        "findings": [finding] if mechanism else [],
        "caught_by": [mechanism] if mechanism else [],
        "tests": _tests(outcome) if verdict not in ("rejected", "errored") else [],
    }
    fields |= {"task": task, "agent": agent, "verdict": verdict} | changes
    return make_result(**fields)


def make_summary(results: tuple[Result, ...], **changes: Any) -> RunSummary:
    """A finished run of predictions over the three tasks; `changes` replace its fields."""
    fields: dict[str, Any] = {
        "benchmark": "refactor-python",
        "version": "1.0",
        "digest": "d4" * 32,
        "protocol": Protocol(),
        "benchmark_tasks": 3,
        "tasks": TASKS,
        "results": results,
        "started": NOON,
        "finished": NOON + datetime.timedelta(minutes=4, seconds=12),
        "options": {"workers": "2", "out": "build/bench/2026-12-01"},
        "folder": "build/bench/2026-12-01",
    }
    return RunSummary(**(fields | changes))


def make_reference_run() -> RunSummary:
    """Three tasks, nine submissions each; two of the 27 verdicts are not as known."""
    results = [make_submission(task, index) for task in TASKS for index in range(9)]
    results[3] = make_submission(
        TASKS[0], 3, verdict="resolved", reason="every test passed as itself and every rule holds"
    )
    expected = [Expectation(task, entry[0], entry[1]) for task in TASKS for entry in SUBMISSIONS]
    expected[14] = Expectation(TASKS[1], "tampered-cheat", "broken")
    return make_summary(tuple(results), expected=tuple(expected))


def make_hostile_run() -> RunSummary:
    """Every text that a patch, a test or an agent's name can reach says something nasty."""
    finding = {"mechanism": "tests", "verdict": "broken", "message": HOSTILE, "where": HOSTILE}
    test = {"id": HOSTILE, "demand": "keep", "outcome": "failed", "message": HOSTILE}
    rule = {"id": HOSTILE, "section": "gone", "holds": False, "because": HOSTILE, "where": HOSTILE}
    result = make_result(
        TASKS[0],
        f'"><b>agent|`{HOSTILE}',
        "broken",
        reason=HOSTILE,
        findings=[finding],
        caught_by=[HOSTILE],
        tests=[test],
        rules=[rule],
        review_flags=[HOSTILE],
        dropped=[HOSTILE],
        flagged=[HOSTILE],
        repairs=[HOSTILE],
        timings={HOSTILE: 1.0},
        effort=[{"name": HOSTILE, "value": 1, "unit": HOSTILE, "source": "declared"}],
        environment=_environment() | {"engine": HOSTILE, "toolchain": {HOSTILE: HOSTILE}},
    )
    return make_summary(
        (result,), unknown=(HOSTILE,), noted=(HOSTILE,), options={HOSTILE: HOSTILE}, benchmark=HOSTILE
    )


@pytest.fixture
def result_of() -> Callable[..., Result]:
    """`make_result`: one result, its fields replaced at will."""
    return make_result


@pytest.fixture
def submission_of() -> Callable[..., Result]:
    """`make_submission`: one of the nine sample submissions of a task."""
    return make_submission


@pytest.fixture
def summary_of() -> Callable[..., RunSummary]:
    """`make_summary`: a run over the three sample tasks."""
    return make_summary


@pytest.fixture
def reference_run() -> RunSummary:
    return make_reference_run()


@pytest.fixture
def hostile_run() -> RunSummary:
    return make_hostile_run()
