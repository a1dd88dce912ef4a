"""Every language's smoke program has to pass here, and its tripwires have to fail: `assay doctor --toolchains`."""

from __future__ import annotations

import tempfile
import time
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path

from bench.evaluate import Judging, evaluate
from bench.reference import reference_submissions
from grader.result import Result
from runner import toolchains
from runner.errors import HostFailure
from runner.evidence import EvidenceStore
from runner.host import Host
from runner.task import Benchmark, Task
from runner.task_folder import load_benchmark
from runner.toolchains.registry import TOOLCHAINS

SMOKE_TASKS = Path(toolchains.__file__).with_name("smoke")
"""A benchmark of one small task a language."""
SMOKE, TRIPWIRE = "smoke", "tripwire"

Step = Callable[[str, int, int], None]


@dataclass(frozen=True, slots=True)
class Proof:
    """How a language stands here. `smoke` and `tripwire` say what went wrong, '' if nothing did.

    `versions` are the toolchain's, by tool; `seconds` is the time of all its evaluations, without its images'.
    `failed_here`: an image could not be built or a sandbox not be run, whatever the language does.
    """

    language: str
    versions: Mapping[str, str]
    smoke: str
    tripwire: str
    seconds: float
    failed_here: bool = False

    @property
    def holds(self) -> bool:
        """Whether a verdict on this language can be trusted here."""
        return not (self.smoke or self.tripwire)


def prove_toolchains(host: Host, step: Step) -> Iterator[Proof]:
    """One proof a language, in the registry's order; images that are missing are built. `step` is told the progress."""
    benchmark = load_benchmark(SMOKE_TASKS)
    with tempfile.TemporaryDirectory(prefix="assay-") as folder:
        store = EvidenceStore(Path(folder) / "evidence")
        order = sorted(benchmark.tasks, key=lambda task: list(TOOLCHAINS).index(task.language))
        for number, task in enumerate(order):
            step(task.language, number, len(benchmark.tasks))
            yield _proof(task, benchmark, host, store)
        step("done", len(benchmark.tasks), len(benchmark.tasks))


def _proof(task: Task, benchmark: Benchmark, host: Host, store: EvidenceStore) -> Proof:
    try:
        image = host.image(task)
    except HostFailure as failure:
        return Proof(task.language, {}, str(failure), "not tried", 0.0, failed_here=True)
    judging = Judging(benchmark, canaries=False)
    wrong: dict[str, list[str]] = {SMOKE: [], TRIPWIRE: []}
    results: list[Result] = []
    begun = time.monotonic()
    for submission, known in reference_submissions(task, host.materials):
        results.append(evaluate(submission, host, store, judging))
        if results[-1].verdict != known.verdict:
            kind = SMOKE if known.verdict == "resolved" else TRIPWIRE
            wrong[kind].append(f"{submission.agent} is {results[-1].verdict}: {results[-1].reason}")
    return Proof(
        task.language,
        image.toolchain,
        "; ".join(wrong[SMOKE]),
        "; ".join(wrong[TRIPWIRE]),
        round(time.monotonic() - begun, 1),
        failed_here=any(result.verdict == "errored" for result in results),
    )
