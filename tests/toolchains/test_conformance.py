"""Every language alike: what a test or a patch does to the process ends in the right verdict, and a reason."""

from __future__ import annotations

from collections.abc import Sequence
from importlib import import_module

import pytest

from bench.evaluate import Judging, Submission, evaluate
from grader.result import Result
from runner.evidence import EvidenceStore
from runner.host import Host
from runner.task import Task
from runner.task_folder import load_benchmark
from runner.toolchains.registry import TOOLCHAINS
from runner.tree import Tree
from tests.toolchains.case import COMPILED, REQUIRED, SMOKE, Case, edited, smoke_task

pytestmark = pytest.mark.engine

INTERPRETED = ("python",)


def cases(language: str) -> Sequence[Case]:
    """`CASES` of the language's module."""
    found: Sequence[Case] = import_module(f"tests.toolchains.cases_{language}").CASES
    return found


EACH = [
    pytest.param(language, case, id=f"{language}-{case}")
    for language in TOOLCHAINS
    for case in cases(language)
]


def judged(task: Task, after: Tree, host: Host, store: EvidenceStore) -> Result:
    patch = host.materials.patch(task, after)
    return evaluate(
        Submission(task, "case", patch), host, store, Judging(load_benchmark(SMOKE), canaries=False)
    )


@pytest.mark.parametrize("language", TOOLCHAINS)
def test_every_language_has_every_case(language: str) -> None:
    names = {case.name for case in cases(language)}
    assert names >= {*REQUIRED, *(COMPILED if language not in INTERPRETED else ())}


@pytest.mark.parametrize("language", TOOLCHAINS)
def test_the_smoke_program_passes_and_the_tripwire_fails(
    language: str, host: Host, store: EvidenceStore
) -> None:
    task = smoke_task(language)
    assert judged(task, host.materials.gold(task), host, store).verdict == "resolved"
    assert judged(task, host.materials.base(task), host, store).verdict == "incomplete"


@pytest.mark.parametrize(("language", "case"), EACH)
def test_a_case_ends_as_it_must(language: str, case: Case, host: Host, store: EvidenceStore) -> None:
    plain = smoke_task(language)
    start = host.materials.base(plain) if case.from_base else host.materials.gold(plain)
    result = judged(case.task(plain), edited(start, case.tree), host, store)
    assert result.verdict == case.verdict, result.reason
    for part in case.says:
        assert part in result.reason, result.reason
