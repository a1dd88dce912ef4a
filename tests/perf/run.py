"""`make perf`: what an evaluation costs, as ratios within one run. Writes build/perf.json.

Every figure is the median of several rounds in which all variants take turns, so that a busy machine slows
them alike. The tasks are made here: a small product and a suite that burns a fixed amount of CPU.
"""

from __future__ import annotations

import datetime
import io
import json
import resource
import statistics
import subprocess
import sys
import tarfile
import tempfile
import time
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from dataclasses import asdict, dataclass, replace
from pathlib import Path

from rich.console import Console
from rich.table import Table

from bench.batch import Watcher, run_batch
from bench.evaluate import Judging, Submission, evaluate
from bench.results_file import open_results
from grader.canaries.twins import propose, trimmed
from runner.evidence import EvidenceStore
from runner.host import Host, default_cache
from runner.materials import Materials
from runner.overlay import suite_files
from runner.plan import Pass
from runner.task import (
    Benchmark,
    DeltaChange,
    ImageSpec,
    Limits,
    Measured,
    Protocol,
    Structure,
    Suite,
    SuiteTest,
    Task,
    TreeSource,
    Unit,
)
from runner.task_folder.digest import suite_digest, task_digest
from runner.toolchains.registry import TOOLCHAINS
from runner.tree import Entry, Tree, write_tree

TESTS = 20
ROUNDS = {"1 s": 5, "10 s": 3}
PRODUCT = """\
def burn(rounds, seed):
    value = seed
    for _ in range(rounds):
        value = (value * 1103515245 + 12345) % 2147483648
    return value
"""
CHANGED = PRODUCT.replace("value = seed\n", "value = seed  # where it starts\n")


def burn(rounds: int, seed: int) -> int:
    """The product's function, to know what the suite has to expect."""
    value = seed
    for _ in range(rounds):
        value = (value * 1103515245 + 12345) % 2147483648
    return value


@dataclass(frozen=True, slots=True)
class Row:
    """One measured promise: `measured` and `wanted` are ratios or megabytes; it holds if measured <= wanted."""

    what: str
    measured: float
    wanted: float
    detail: str

    @property
    def holds(self) -> bool:
        return self.measured <= self.wanted


def make_task(folder: Path, name: str, rounds: int) -> Task:
    """A task whose suite burns about TESTS * rounds loops of CPU."""
    base = Tree({"burner.py": Entry("100644", PRODUCT.encode())})
    write_tree(base, folder / name / "tree")
    (folder / name / "gold.delta").write_text("assay-delta 1\n")
    lines = ["import burner", ""]
    tests = [f"test_burn_{number:02}" for number in range(TESTS)]
    for number, test in enumerate(tests):
        expected = burn(rounds, 1000 + 37 * number)
        lines += ["", f"def {test}():", f"    assert burner.burn({rounds}, {1000 + 37 * number}) == {expected}", ""]
    file = "tests/test_burner.py"
    files = {file: "\n".join(lines).encode()}
    ids = [f"{file}::{test}" for test in tests]
    suite = Suite(
        units=(Unit(file, "keep", tuple(ids)),),
        tests={id_: SuiteTest(id_, file, "keep", "burns") for id_ in ids},
        files=files,
        publication="published",
    )
    twins = propose("pytest", files, ids, docs="", seed=1).canaries
    measured = Measured(
        suite_digest=suite_digest(suite),
        base_tree=base.digest,
        gold_tree=base.digest,
        repeats=0,
        base=dict.fromkeys(ids, "passed"),
        gold=dict.fromkeys(ids, "passed"),
        canaries={id_: trimmed(twins[id_]) for id_ in ids},
        uncarried={},
        durations={},
    )
    task = Task(
        id=name,
        title=name,
        kind="refactor",
        language="python",
        created_at=datetime.date(2026, 1, 1),
        licence="Apache-2.0",
        folder=folder / name,
        statement="",
        source=TreeSource(folder / name / "tree"),
        gold=DeltaChange(folder / name / "gold.delta"),
        image=ImageSpec(),
        limits=Limits(cpu_seconds=300),
        upstream_tests=(),
        allowed=(),
        suite=suite,
        structure=Structure(),
        controls=(),
        reviews=(),
        measured=measured,
        digest="",
        home=folder / name,
    )
    return replace(task, digest=task_digest(task))


class Ready:
    """A plain container of the task's image with tree and suite in place: what `docker exec` is measured in."""

    def __init__(self, host: Host, task: Task) -> None:
        toolchain = TOOLCHAINS[task.language]
        work = Pass(tuple(task.suite.tests), {})
        self._client = host.client()
        self._command = toolchain.test(task, Judging(_benchmark((task,))).mechanisms)
        config = self._client.create_host_config(network_mode="none")
        created = self._client.create_container(host.image(task).id, command=["sleep", "infinity"], host_config=config)
        self.id = str(created["Id"])
        self._client.start(self.id)
        files = {f"tree/{path}": entry.data for path, entry in host.materials.base(task).items()}
        files |= {f"tree/{path}": data for path, data in suite_files(task.suite, work).items()}
        files |= {f"trusted/{path}": data for path, data in toolchain.trusted_files(task, work).items()}
        self._exec(["mkdir", "-p", "/sandbox/reports"])
        self._client.put_archive(self.id, "/sandbox", _archive(files))

    def run(self) -> None:
        """The suite once, by `docker exec`."""
        code = self._exec(list(self._command.argv), dict(self._command.env))
        assert code == 0, f"the plain run failed with exit code {code}"

    def close(self) -> None:
        self._client.remove_container(self.id, force=True)

    def _exec(self, argv: list[str], env: dict[str, str] | None = None) -> int:
        made = self._client.exec_create(self.id, argv, environment=env, workdir="/sandbox/tree" if env else "/")
        self._client.exec_start(made["Id"])
        return int(self._client.exec_inspect(made["Id"])["ExitCode"])


def _archive(files: dict[str, bytes]) -> bytes:
    buffer = io.BytesIO()
    with tarfile.open(fileobj=buffer, mode="w") as archive:
        for path, data in files.items():
            member = tarfile.TarInfo(path)
            member.size = len(data)
            archive.addfile(member, io.BytesIO(data))
    return buffer.getvalue()


def _benchmark(tasks: tuple[Task, ...]) -> Benchmark:
    return Benchmark("perf", "1", Path(), Protocol(), 0.9, tasks, "perf")


def _seconds(action: Callable[[], object]) -> float:
    begun = time.perf_counter()
    action()
    return time.perf_counter() - begun


def one_evaluation(host: Host, store: EvidenceStore, task: Task, patch: bytes, label: str) -> list[Row]:
    """One evaluation with two passes, and with one, against the same tests by `docker exec`."""
    benchmark = _benchmark((task,))
    ready = Ready(host, task)
    plain: list[float] = []
    both: list[float] = []
    single: list[float] = []
    try:
        for _ in range(ROUNDS[label]):
            plain.append(_seconds(ready.run))
            for times, canaries in ((both, True), (single, False)):
                host.expect(task, 2 if canaries else 1)
                host.settle()
                judging = Judging(benchmark, canaries=canaries)
                times.append(_seconds(lambda j=judging: _judge(Submission(task, "a", patch), host, store, j)))
    finally:
        ready.close()
    floor, two, one = (statistics.median(times) for times in (plain, both, single))
    detail = f"docker exec {floor:.2f} s, evaluation {two:.2f} s, without canaries {one:.2f} s"
    return [
        Row(f"{label} suite, two passes: time beyond 0.5 s / docker exec", (two - 0.5) / floor, 2.1, detail),
        Row(f"{label} suite, --no-canaries: time beyond 0.2 s / docker exec", (one - 0.2) / floor, 1.05, detail),
    ]


def _judge(submission: Submission, host: Host, store: EvidenceStore, judging: Judging) -> None:
    _resolved(evaluate(submission, host, store, judging))


def _resolved(result: object) -> None:
    verdict = getattr(result, "verdict", None)
    assert verdict == "resolved", f"the evaluation measured here came out {verdict}: {getattr(result, 'reason', '')}"


def eight(host: Host, task: Task, patch: bytes, folder: Path) -> Row:
    """Eight evaluations on two workers against plain `docker run` of the same work two at a time."""
    ours: list[float] = []
    plain: list[float] = []
    image = host.image(task).id
    script = _docker_run_folder(host, task, folder / "plain")
    for number in range(3):
        plain.append(_seconds(lambda: _plain_runs(image, script)))
        ours.append(_seconds(lambda n=number: _our_runs(host, task, patch, folder / f"out-{n}")))
    ratio = statistics.median(ours) / statistics.median(plain)
    detail = f"docker run {statistics.median(plain):.2f} s, assay {statistics.median(ours):.2f} s"
    return Row("8 evaluations without canaries on 2 workers / plain docker run", ratio, 1.2, detail)


def _docker_run_folder(host: Host, task: Task, folder: Path) -> Path:
    toolchain, work = TOOLCHAINS[task.language], Pass(tuple(task.suite.tests), {})
    files = {f"tree/{path}": entry.data for path, entry in host.materials.base(task).items()}
    files |= {f"tree/{path}": data for path, data in suite_files(task.suite, work).items()}
    files |= {f"trusted/{path}": data for path, data in toolchain.trusted_files(task, work).items()}
    for path, data in files.items():
        target = folder / path
        target.parent.mkdir(parents=True, exist_ok=True)
        target.write_bytes(data)
    (folder / "reports").mkdir()
    return folder


def _plain_runs(image: str, folder: Path) -> None:
    command = ["docker", "run", "--rm", "--network", "none", "-v", f"{folder}:/given:ro", image, "sh", "-c"]
    start = "/opt/venv/bin/python -P -s /sandbox/trusted/run_suite.py"
    command.append(f"cp -r /given /sandbox && cd /sandbox/tree && {start}")
    with ThreadPoolExecutor(2) as threads:
        done = threads.map(lambda _: subprocess.run(command, capture_output=True, check=False), range(8))
        codes = [one.returncode for one in done]
    assert codes == [0] * 8, f"plain runs failed: {codes}"


def _our_runs(host: Host, task: Task, patch: bytes, out: Path) -> None:
    submissions = [Submission(task, f"agent-{number}", patch) for number in range(8)]
    nobody = Watcher(lambda _: None, lambda _, result: _resolved(result), lambda _, __: None)
    with open_results(out) as results:
        run_batch(
            submissions, host, results, Judging(_benchmark((task,)), canaries=False), workers=2, watcher=nobody
        )


def memory(host: Host, store: EvidenceStore, task: Task, patch: bytes) -> Row:
    """Resident memory of this process, which holds 100 results and everything before them."""
    judging = Judging(_benchmark((task,)), canaries=False)
    result = evaluate(Submission(task, "a", patch), host, store, judging)
    held = [result.model_copy(update={"attempt": number}, deep=True) for number in range(100)]
    megabytes = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
    return Row("peak memory of the runner holding 100 results, MB", megabytes, 150, f"{len(held)} results")


def main() -> int:
    """Measure, print the table, write build/perf.json; exit code 1 if a promise does not hold."""
    rows: list[Row] = []
    materials = Materials(default_cache())
    with tempfile.TemporaryDirectory(prefix="assay-perf-") as scratch, Host(materials) as host:
        folder = Path(scratch)
        store = EvidenceStore(folder / "evidence")
        for label, rounds in (("1 s", 600_000), ("10 s", 6_000_000)):
            print(f"measuring a suite of about {label}", file=sys.stderr)
            task = make_task(folder, f"perf-{label.split()[0]}", rounds)
            patch = materials.patch(task, Tree({"burner.py": Entry("100644", CHANGED.encode())}))
            rows += one_evaluation(host, store, task, patch, label)
            if label == "1 s":
                rows.append(eight(host, task, patch, folder))
                rows.append(memory(host, store, task, patch))
    show(rows)
    target = default_cache().parent / "perf.json"
    document = [{**asdict(row), "measured": round(row.measured, 3), "holds": row.holds} for row in rows]
    target.write_text(json.dumps({"schema": "assay.perf/1", "rows": document}, indent=2) + "\n")
    return 0 if all(row.holds for row in rows) else 1


def show(rows: list[Row]) -> None:
    """The table, on stdout."""
    table = Table(box=None)
    for column in ("what", "measured", "wanted", "holds", "detail"):
        table.add_column(column, overflow="fold")
    for row in rows:
        table.add_row(row.what, f"{row.measured:.2f}", f"<= {row.wanted:.2f}", "yes" if row.holds else "NO", row.detail)
    Console(width=None if sys.stdout.isatty() else 160).print(table)


if __name__ == "__main__":
    sys.exit(main())
