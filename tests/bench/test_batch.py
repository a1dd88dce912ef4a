"""`assay bench`, killed at any moment and run again, loses nothing, doubles nothing and leaves nothing behind."""

from __future__ import annotations

import json
import os
import random
import signal
import subprocess
import sys
import time
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

import pytest

from bench.results_file import RESULTS_NAME, read_results
from runner.host import Host
from runner.materials import Materials
from runner.sandbox.ownership import LABEL_LOCK
from runner.task import Benchmark
from runner.tree import REGULAR, Entry, Tree

pytestmark = pytest.mark.engine

ROOT = Path(__file__).resolve().parents[2]
ASSAY = "import sys; from cli.main import main; sys.exit(main())"
TASK = "cachetools-7-3-to-8-0"
MOMENTS = 10
FAST_MOMENTS = (3, 7)
KNOWN = {
    "empty": "incomplete",
    "gold": "resolved",
    "gold again": "resolved",
    "into git": "rejected",
    "readme": "incomplete",
    "syntax": "broken",
}


@dataclass(frozen=True)
class Bench:
    """`assay bench` over one predictions file: its out folder, and a TMPDIR that is its own."""

    predictions: Path
    out: Path
    temporary: Path

    def start(self) -> subprocess.Popen[bytes]:
        self.temporary.mkdir(exist_ok=True)
        command = [sys.executable, "-c", ASSAY, "bench", "--no-canaries", "--workers=2"]
        command += [f"--task={TASK}", f"--predictions={self.predictions}", f"--out={self.out}"]
        with (self.temporary.parent / f"{self.out.name}.log").open("ab") as log:
            return subprocess.Popen(
                command, cwd=ROOT, env={**os.environ, "TMPDIR": str(self.temporary)}, stdout=log, stderr=log
            )

    def run(self) -> float:
        """To its end; how many seconds that took."""
        begun = time.monotonic()
        assert self.start().wait() == 0, (self.temporary.parent / f"{self.out.name}.log").read_text()
        return time.monotonic() - begun

    def lines(self) -> list[bytes]:
        """The whole lines of the results."""
        path = self.out / RESULTS_NAME
        return path.read_bytes().split(b"\n")[:-1] if path.exists() else []

    def verdicts(self) -> dict[str, str]:
        results = read_results(self.out / RESULTS_NAME)
        assert len({(r.task, r.agent, r.attempt) for r in results}) == len(results)
        return {result.agent: result.verdict for result in results}

    def remains(self, host: Host) -> list[str]:
        """What is left of it outside its results: containers, mounts, loop devices, temporary files."""
        listed = host.client().containers(all=True, filters={"label": LABEL_LOCK})
        labels: list[Mapping[str, str]] = [container["Labels"] for container in listed]
        ours = str(self.temporary)
        return [
            *(f"container {one}" for one in labels if one[LABEL_LOCK].startswith(ours)),
            *(line for line in Path("/proc/self/mounts").read_text().splitlines() if ours in line),
            *(
                str(path)
                for path in Path("/sys/block").glob("loop*/loop/backing_file")
                if ours in path.read_text()
            ),
            *(str(path) for path in self.temporary.rglob("*") if not path.name.startswith("assay-")),
            *(str(path) for path in self.out.rglob(".new-*")),
        ]


@pytest.fixture(scope="module")
def predictions(benchmark: Benchmark, materials: Materials, tmp_path_factory: pytest.TempPathFactory) -> Path:
    task = benchmark.task(TASK)
    base, gold = materials.base(task), materials.gold(task)

    def adding(path: str, data: bytes) -> str:
        return materials.patch(task, Tree({**base, path: Entry(REGULAR, data)})).decode()

    patches = {
        "empty": "",
        "gold": materials.patch(task, gold).decode(),
        "gold again": materials.patch(task, gold).decode(),
        "into git": adding("x", b"x\n").replace("/x", "/.git/x"),
        "readme": adding("README.rst", b"Anew.\n"),
        "syntax": adding("src/cachetools/__init__.py", b"def\n"),
    }
    path = tmp_path_factory.mktemp("predictions") / "all.jsonl"
    rows = [{"instance_id": TASK, "model_name_or_path": k, "model_patch": v} for k, v in patches.items()]
    path.write_text("".join(json.dumps(row) + "\n" for row in rows))
    return path


@pytest.fixture(scope="module")
def whole_seconds(predictions: Path, tmp_path_factory: pytest.TempPathFactory) -> float:
    """How long a run takes that nobody kills; its verdicts are the known ones."""
    folder = tmp_path_factory.mktemp("whole")
    bench = Bench(predictions, folder / "out", folder / "tmp")
    seconds = bench.run()
    assert bench.verdicts() == KNOWN
    return seconds


def moment(number: int) -> object:
    marks = () if number in FAST_MOMENTS else (pytest.mark.slow,)
    return pytest.param(number, marks=marks, id=f"in-tenth-{number}")


@pytest.mark.parametrize("number", [moment(number) for number in range(MOMENTS)])
def test_killed_and_run_again_every_result_is_there_once(
    number: int, predictions: Path, whole_seconds: float, host: Host, tmp_path: Path
) -> None:
    bench = Bench(predictions, tmp_path / "out", tmp_path / "tmp")
    seconds = whole_seconds * (number + random.random()) / MOMENTS
    killed = bench.start()
    try:
        killed.wait(timeout=seconds)
    except subprocess.TimeoutExpired:
        killed.send_signal(signal.SIGKILL)
    killed.wait()
    before = bench.lines()
    bench.run()
    assert bench.verdicts() == KNOWN, f"killed after {seconds} s"
    assert bench.lines()[: len(before)] == before
    assert bench.remains(host) == [], f"killed after {seconds} s"


def test_a_bench_beside_it_loses_nothing_to_its_reaper(
    predictions: Path, whole_seconds: float, host: Host, tmp_path: Path
) -> None:
    beside = Bench(predictions, tmp_path / "beside", tmp_path / "beside-tmp")
    killed = Bench(predictions, tmp_path / "killed", tmp_path / "killed-tmp")
    running, victim = beside.start(), killed.start()
    while not killed.lines() and victim.poll() is None:
        time.sleep(0.01)
    victim.kill()
    victim.wait()
    killed.run()
    assert running.wait() == 0
    assert beside.verdicts() == killed.verdicts() == KNOWN
    assert [*beside.remains(host), *killed.remains(host)] == []


GRADING = """
import sys
from pathlib import Path
from bench.batch import evidence_store
from bench.evaluate import Judging, Submission, judge
from bench.results_file import RESULTS_NAME, open_results, read_results
from runner.host import default_cache
from runner.materials import Materials
from runner.task_folder import load_benchmark
run, out = Path(sys.argv[1]), Path(sys.argv[2])
benchmark, materials, store = load_benchmark(Path("tasks")), Materials(default_cache()), evidence_store(run)
gold = next(one for one in read_results(run / RESULTS_NAME) if one.agent == "gold")
evidence, task = store.load(gold.evidence), benchmark.task(gold.task)
with open_results(out) as results:
    for number in range(100):
        submission = Submission(task, f"agent {number}", b"")
        results.append(judge(submission, evidence, store, materials, Judging(benchmark)))
status = Path("/proc/self/status").read_text()
print(next(line.split()[1] for line in status.splitlines() if line.startswith("VmHWM")))
"""


@pytest.mark.slow
def test_a_hundred_results_take_less_than_150_mb(predictions: Path, tmp_path: Path) -> None:
    bench = Bench(predictions, tmp_path / "out", tmp_path / "tmp")
    bench.run()
    command = [sys.executable, "-c", GRADING, str(bench.out), str(tmp_path / "hundred")]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=True)
    assert len(read_results(tmp_path / "hundred" / RESULTS_NAME)) == 100
    assert int(done.stdout) < 150_000, f"{done.stdout.strip()} kB at its highest"
