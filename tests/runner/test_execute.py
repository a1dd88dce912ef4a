"""Who is to blame: what an evaluation's evidence says, whatever its sandbox does."""

from __future__ import annotations

import contextlib
import errno
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from typing import Any, cast

import pytest

from bench.evaluate import Judging, Submission, judge
from grader.draw_plan import draw_plan
from grader.result import Result
from runner.engine import EngineFacts
from runner.errors import EngineUnavailable, HostFailure, ImageBuildFailed, SandboxFailure
from runner.evidence import Evidence, EvidenceStore
from runner.execute import execute
from runner.host import Host
from runner.image_build import Image
from runner.materials import Materials
from runner.sandbox import PhaseOutcome, Refusal, SandboxDied
from runner.task import Benchmark, Task

FACTS = EngineFacts("0", "0", "v1", "none", True, False, "none", "none", 1, 1)
IMAGE = Image("assay/x:1", "sha256:0", "0", "0", {})
DONE = PhaseOutcome(0.1, 0.1, 0, None, None, 0, False, b"")


@dataclass
class Script:
    """A sandbox that does as it is told: what `place`, `lay`, `run` and `collect` answer or raise."""

    place_answer: Refusal | Exception | None = None
    lay_answer: Refusal | Exception | None = None
    run_answer: PhaseOutcome | Exception = DONE
    collect_answer: bytes | Refusal | Exception = field(default_factory=lambda: Refusal("none", errno.ENOENT))
    done: list[str] = field(default_factory=list)

    def place(self, *_: object) -> Refusal | None:
        return self._answer("place", self.place_answer)

    def lay(self, *_: object, **__: object) -> Refusal | None:
        return self._answer("lay", self.lay_answer)

    def run(self, *_: object, **__: object) -> PhaseOutcome:
        return cast(PhaseOutcome, self._answer("run", self.run_answer))

    def collect(self, *_: object) -> bytes | Refusal:
        return cast(bytes, self._answer("collect", self.collect_answer))

    def _answer(self, frame: str, answer: Any) -> Any:
        self.done.append(frame)
        if isinstance(answer, Exception):
            raise answer
        return answer


class Room:
    """A host without an engine, whose sandboxes are scripts."""

    engine = FACTS

    def __init__(self, materials: Materials, script: Script, failure: HostFailure | None = None) -> None:
        self.materials, self.script, self.failure = materials, script, failure
        self.passes = ThreadPoolExecutor(2)

    def image(self, task: Task) -> Image:
        if self.failure:
            raise self.failure
        return IMAGE

    def expect(self, task: Task, count: int) -> None:
        pass

    @contextlib.contextmanager
    def sandbox(self, task: Task, *, owned: bool) -> Iterator[Script]:
        yield self.script


Judged = Callable[..., tuple[Evidence, Result]]


@pytest.fixture
def judged(benchmark: Benchmark, materials: Materials, store: EvidenceStore) -> Judged:
    """`judged(script, failure=...)`: the gold's evidence and result, as if its sandboxes had done that."""
    task = benchmark.task("cachetools-7-3-to-8-0")
    patch = materials.patch(task, materials.gold(task))

    def run(script: Script, failure: HostFailure | None = None) -> tuple[Evidence, Result]:
        room = Room(materials, script, failure)
        with room.passes:
            evidence = execute(task, patch, draw_plan(task, 1), cast(Host, cast(Any, room)), store)
        submission = Submission(task, "x", patch)
        return evidence, judge(submission, evidence, store, materials, Judging(benchmark))

    return run


@pytest.mark.parametrize(
    ("number", "verdict", "says"),
    [
        (errno.ENOSPC, "exhausted", "disk"),
        (errno.EDQUOT, "exhausted", "disk"),
        (errno.ENOMEM, "exhausted", "memory"),
        (errno.EAGAIN, "exhausted", "process"),
        (errno.ENAMETOOLONG, "broken", "could not be"),
        (errno.ENOTDIR, "broken", "could not be"),
        (errno.EEXIST, "broken", "could not be"),
        (errno.EACCES, "broken", "could not be"),
        (errno.EMFILE, "broken", "could not be"),
        (errno.EIO, "broken", "could not be"),
        (None, "broken", "could not be"),
    ],
)
@pytest.mark.parametrize("frame", ["place", "lay"])
def test_what_cannot_be_written_is_the_patchs_doing(
    judged: Judged, frame: str, number: int | None, verdict: str, says: str
) -> None:
    script = Script(**{f"{frame}_answer": Refusal("File trouble: '/sandbox/tree/x'", number)})
    evidence, result = judged(script)
    assert evidence.host_failure == ""
    assert result.verdict == verdict
    assert says in result.reason
    assert "run" not in script.done or frame == "lay"
    assert "collect" not in script.done


@pytest.mark.parametrize("frame", ["place", "lay", "run", "collect"])
@pytest.mark.parametrize(
    ("error", "verdict"),
    [
        (SandboxDied("exit code 1", None), "broken"),
        (SandboxDied("no memory", "memory"), "exhausted"),
        (SandboxDied("silent", "wall"), "exhausted"),
        (SandboxFailure("removed by hand"), "errored"),
        (EngineUnavailable("no engine"), "errored"),
    ],
    ids=["died", "died-of-memory", "silent", "by-hand", "no-engine"],
)
def test_whose_fault_an_end_is(judged: Judged, frame: str, error: Exception, verdict: str) -> None:
    evidence, result = judged(Script(**{f"{frame}_answer": error}))
    assert result.verdict == verdict, result.reason
    assert bool(evidence.host_failure) == (verdict == "errored")


def test_an_image_that_cannot_be_built_is_ours(judged: Judged) -> None:
    evidence, result = judged(Script(), ImageBuildFailed("step 'dependencies' failed"))
    assert result.verdict == "errored"
    assert "dependencies" in result.reason
    assert evidence.passes == ()


def test_the_evidence_names_what_ran(judged: Judged) -> None:
    evidence, result = judged(Script(run_answer=DONE))
    assert [phase.name for phase in evidence.passes[0].phases] == ["build", "test"]
    assert result.verdict == "broken"
    assert "not taken" in result.reason
    assert evidence.environment is not None
    assert len(evidence.passes) == 2


def test_a_build_that_fails_ends_the_pass(judged: Judged) -> None:
    script = Script(run_answer=PhaseOutcome(0.1, 0.1, 1, None, None, 0, False, b"SyntaxError: x\n"))
    _, result = judged(script)
    assert (result.verdict, "SyntaxError: x" in result.reason) == ("broken", True)
    assert "lay" not in script.done


def test_a_limit_in_a_build_ends_the_pass(judged: Judged) -> None:
    script = Script(run_answer=PhaseOutcome(0.1, 0.1, None, None, "cpu", 0, False, b""))
    _, result = judged(script)
    assert (result.verdict, result.findings[0].where) == ("exhausted", "build")
    assert "lay" not in script.done
