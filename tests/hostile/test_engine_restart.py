"""The engine is killed while a patch is judged, and comes back: an engine of this test's own, beside the real one."""

from __future__ import annotations

import contextlib
import gc
import os
import shutil
import subprocess
import tempfile
import threading
import time
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import docker
import pytest

from bench.evaluate import Judging, Submission, evaluate
from runner.evidence import EvidenceStore
from runner.host import Host
from runner.materials import Materials
from runner.task import Benchmark

pytestmark = [
    pytest.mark.engine,
    pytest.mark.slow,
    # docker-py leaves its socket open where nobody answers, which is what an engine that was killed does
    pytest.mark.filterwarnings("ignore::pytest.PytestUnraisableExceptionWarning"),
]

MARK = "/bin/sleep 6.75"
ANSWER_SECONDS = 60


class SecondEngine:
    """A dockerd with folders, socket, containerd and bridge of its own.

    Never `--bridge=none`: dockerd then deletes docker0, which is the other engine's.
    """

    def __init__(self, folder: Path) -> None:
        self.folder, self.address = folder, f"unix://{folder}/sock"
        self.process: subprocess.Popen[bytes] | None = None
        self.bridge = f"assay{os.getpid() % 1_000_000}"
        subprocess.run(["ip", "link", "add", self.bridge, "type", "bridge"], check=True)

    def start(self) -> None:
        """Start it, and wait until it answers."""
        for stale in ("pid", "exec/containerd/containerd.pid"):  # of the killed one; a zombie would count as alive
            (self.folder / stale).unlink(missing_ok=True)
        command = ["dockerd", "--host", self.address, "--pidfile", f"{self.folder}/pid"]
        command += ["--data-root", f"{self.folder}/data", "--exec-root", f"{self.folder}/exec"]
        command += [f"--bridge={self.bridge}", "--iptables=false", "--ip-masq=false"]
        with (self.folder / "log").open("ab") as log:
            self.process = subprocess.Popen(command, stdout=log, stderr=log, start_new_session=True)
        deadline = time.monotonic() + ANSWER_SECONDS
        while not self.answers():
            assert self.process.poll() is None, (self.folder / "log").read_text()[-2000:]
            assert time.monotonic() < deadline

    def answers(self) -> bool:
        """Not asked through its socket until that is there: a refused connection would be left open."""
        if not (self.folder / "sock").exists():
            time.sleep(0.05)
            return False
        done = subprocess.run(
            ["docker", "-H", self.address, "version"],
            capture_output=True,
            check=False,
            timeout=ANSWER_SECONDS,
        )
        return done.returncode == 0

    def kill(self) -> None:
        assert self.process
        self.process.kill()
        self.process.wait()

    def stop(self) -> None:
        assert self.process
        self.process.terminate()
        self.process.wait()
        subprocess.run(["ip", "link", "delete", self.bridge], check=True)
        mounts = [line.split()[1] for line in Path("/proc/self/mounts").read_text().splitlines()]
        for mount in sorted((one for one in mounts if one.startswith(str(self.folder))), reverse=True):
            subprocess.run(["umount", mount], check=True)
        shutil.rmtree(self.folder)


@pytest.fixture
def engine(host: Host, benchmark: Benchmark, ground: Any) -> Iterator[SecondEngine]:
    """A second engine that has the task's image."""
    if os.getuid() != 0 or shutil.which("dockerd") is None or shutil.which("ip") is None:
        pytest.skip("a second engine needs root, dockerd and ip")
    second = SecondEngine(Path(tempfile.mkdtemp(prefix="engine-", dir="/tmp")))
    second.start()
    try:
        tags = [host.images().base().tag, host.images().toolchain("python").tag, host.image(ground.task).tag]
        save = subprocess.Popen(["docker", "save", *tags], stdout=subprocess.PIPE)
        subprocess.run(["docker", "-H", second.address, "load"], stdin=save.stdout, check=True)
        assert save.stdout
        save.stdout.close()
        assert save.wait() == 0
        yield second
    finally:
        second.stop()
        gc.collect()


def runs(address: str, mark: str) -> bool:
    """Whether some container of that engine runs `mark`."""
    client = docker.APIClient(base_url=address, version="auto")
    try:
        for container in client.containers():
            with contextlib.suppress(docker.errors.APIError):
                if any(mark in " ".join(row) for row in client.top(container["Id"])["Processes"]):
                    return True
        return False
    finally:
        client.close()


@pytest.mark.filterwarnings("ignore::pytest.PytestUnraisableExceptionWarning")  # docker-py: refused sockets
def test_a_restart_in_the_middle_is_as_if_nothing_had_happened(
    engine: SecondEngine,
    ground: Any,
    materials: Materials,
    benchmark: Benchmark,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setenv("DOCKER_HOST", engine.address)
    killed, over = threading.Event(), threading.Event()

    def kill_and_start() -> None:
        while not over.is_set():
            if runs(engine.address, MARK):
                engine.kill()
                killed.set()
                engine.start()
                return

    hand = threading.Thread(target=kill_and_start)
    store = EvidenceStore(tmp_path / "evidence")
    patch = ground.gold_that_runs(f"import subprocess\nsubprocess.run({MARK.split()!r})")
    with Host(materials) as second:
        hand.start()
        try:
            task = replace(ground.task, limits=replace(ground.task.limits, wall_seconds=300))
            result = evaluate(Submission(task, "x", patch), second, store, Judging(benchmark, canaries=False))
        finally:
            over.set()
            hand.join()
        assert killed.is_set()
        assert result.verdict == "resolved", result.reason
        assert store.load(result.evidence).host_failure == ""
    client = docker.APIClient(base_url=engine.address, version="auto")
    assert client.containers(all=True) == []
    client.close()
