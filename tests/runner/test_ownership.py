"""Whose a container is, and what is removed when: only what belongs to owners that are no more."""

from __future__ import annotations

import fcntl
import os
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any, cast

import docker
import pytest

from runner.host import Host
from runner.materials import Materials
from runner.sandbox.ownership import LABEL_LOCK, LABEL_OWNER, Owner, forget_locks, reap
from runner.scratch import scratch_folder, sweep
from runner.task import Benchmark

HOLDER = """
import sys, time
from pathlib import Path
from runner.sandbox.ownership import Owner
from runner.scratch import scratch_folder
owner = Owner(Path(sys.argv[1]))
with scratch_folder(Path(sys.argv[1]) / "scratch"):
    print(owner.id, flush=True)
    sys.stdin.read()
"""


class Engine:
    """The two calls that ownership makes, over a list of containers."""

    def __init__(self, *containers: dict[str, Any]) -> None:
        self.left = list(containers)

    def containers(self, **_: object) -> list[dict[str, Any]]:
        return list(self.left)

    def remove_container(self, container: str, **_: object) -> None:
        self.left = [one for one in self.left if one["Id"] != container]

    @property
    def ids(self) -> list[str]:
        return [one["Id"] for one in self.left]


def container(name: str, owner: str, lock: Path, *, state: str = "running", age: float = 0) -> dict[str, Any]:
    labels = {LABEL_OWNER: owner, LABEL_LOCK: str(lock)}
    return {"Id": name, "Labels": labels, "State": state, "Created": time.time() - age}


def client(engine: Engine) -> docker.APIClient:
    return cast(docker.APIClient, cast(Any, engine))


@pytest.fixture
def other(tmp_path: Path) -> Iterator[subprocess.Popen[str]]:
    """Another process that is an owner, until it is killed."""
    command = [sys.executable, "-c", HOLDER, str(tmp_path)]
    pipe = subprocess.PIPE
    root = Path(__file__).resolve().parents[2]
    with subprocess.Popen(command, cwd=root, stdin=pipe, stdout=pipe, text=True) as process:
        yield process
        process.kill()


def owner_id(process: subprocess.Popen[str]) -> str:
    assert process.stdout
    return process.stdout.readline().strip()


def test_a_live_owner_keeps_its_containers_and_a_killed_one_loses_them(
    tmp_path: Path, other: subprocess.Popen[str]
) -> None:
    name = owner_id(other)
    lock = tmp_path / f"{name}.lock"
    engine = Engine(container("theirs", name, lock), container("also theirs", name, lock, state="exited"))
    assert reap(client(engine)) == 0
    other.kill()
    other.wait()
    assert reap(client(engine)) == 2
    assert engine.ids == []


def test_own_containers_go_when_asked(tmp_path: Path) -> None:
    with Owner(tmp_path) as owner, Owner(tmp_path) as second:
        mine = container("mine", owner.id, Path(owner.labels("x")[LABEL_LOCK]))
        hers = container("hers", second.id, Path(second.labels("x")[LABEL_LOCK]))
        engine = Engine(mine, hers)
        assert reap(client(engine)) == 0
        assert reap(client(engine), owner) == 1
        assert engine.ids == ["hers"]


@pytest.mark.parametrize(
    ("state", "age", "removed"),
    [("running", 1e6, 0), ("exited", 10, 0), ("exited", 1e6, 1)],
    ids=["runs-elsewhere", "just-ended", "a-restart-emptied-tmp"],
)
def test_a_lock_that_is_not_on_this_machine(tmp_path: Path, state: str, age: float, removed: int) -> None:
    engine = Engine(container("x", "somebody", tmp_path / "none.lock", state=state, age=age))
    assert reap(client(engine)) == removed


def test_locks_of_the_dead_are_forgotten_once_their_containers_are_gone(
    tmp_path: Path, other: subprocess.Popen[str]
) -> None:
    dead = tmp_path / f"{owner_id(other)}.lock"
    other.kill()
    other.wait()
    engine = Engine(container("theirs", dead.stem, dead))
    with Owner(tmp_path) as owner:
        forget_locks(client(engine), tmp_path)
        assert dead.exists()
        reap(client(engine))
        forget_locks(client(engine), tmp_path)
        assert [path.stem for path in tmp_path.glob("*.lock")] == [owner.id]
    assert list(tmp_path.glob("*.lock")) == []


def test_an_abandoned_lock_leaves_its_containers_to_the_next(tmp_path: Path) -> None:
    owner = Owner(tmp_path)
    engine = Engine(container("mine", owner.id, Path(owner.labels("x")[LABEL_LOCK])))
    owner.abandon()
    assert reap(client(engine)) == 1


def test_a_lock_taken_for_a_dead_ones_before_it_was_held_is_made_again(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    flock, unlinked = fcntl.flock, []

    def slow(handle: Any, operation: int) -> None:
        if not unlinked:
            unlinked.extend(tmp_path.glob("*.lock"))
            unlinked[0].unlink()
        flock(handle, operation)

    monkeypatch.setattr(fcntl, "flock", slow)
    with Owner(tmp_path) as owner:
        assert [path.stem for path in tmp_path.glob("*.lock")] == [owner.id] == [unlinked[0].stem]


# ---------------------------------------------------------------- folders


def test_a_scratch_folder_is_gone_after_its_with(tmp_path: Path) -> None:
    with scratch_folder(tmp_path / "new") as folder:
        (folder / "x").write_text("x")
        assert sweep(tmp_path / "new") == 0
        assert folder.is_dir()
    assert list((tmp_path / "new").iterdir()) == []


def test_a_killed_process_leaves_a_folder_for_the_sweep(tmp_path: Path, other: subprocess.Popen[str]) -> None:
    owner_id(other)
    assert sweep(tmp_path / "scratch") == 0
    other.kill()
    other.wait()
    assert sweep(tmp_path / "scratch") == 1
    assert list((tmp_path / "scratch").iterdir()) == []


def test_a_folder_swept_before_it_was_locked_is_made_again(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    opened, swept = os.open, []

    def slow(path: Any, *rest: Any, **more: Any) -> int:
        if not swept and str(path).startswith(str(tmp_path)):
            swept.append(path)
            path.rmdir()
        return opened(path, *rest, **more)

    monkeypatch.setattr(os, "open", slow)
    with scratch_folder(tmp_path) as folder:
        assert folder.is_dir()
        assert folder != swept[0]


# ---------------------------------------------------------------- on an engine


@pytest.mark.engine
def test_a_second_host_takes_nothing_from_the_first(host: Host, benchmark: Benchmark) -> None:
    task = benchmark.task("cachetools-7-3-to-8-0")
    with host.take(task) as sandbox:
        with Host(host.materials) as second:
            assert second.owner.id != host.owner.id
        assert sandbox.alive()
        assert sandbox.place({}) is None


BUILDER = """
import sys
from pathlib import Path
from runner.host import Host
from runner.materials import Materials
from runner.materials import Materials
from runner.image_build.recipes import Recipe, toolchain_recipe
with Host(Materials(Path(sys.argv[1]))) as host:
    host.images().layer(Recipe("killed", toolchain_recipe("python").tag, "echo building; sleep 1000", {}))
"""


@pytest.mark.engine
def test_a_killed_image_build_leaves_neither_container_nor_folder(host: Host, tmp_path: Path) -> None:
    host.images().toolchain("python")
    cache, root = tmp_path / "cache", Path(__file__).resolve().parents[2]
    environment = {**os.environ, "TMPDIR": str(tmp_path)}
    command = [sys.executable, "-c", BUILDER, str(cache)]
    with subprocess.Popen(command, cwd=root, env=environment) as builder:
        while not theirs(host, tmp_path):
            assert builder.poll() is None
            time.sleep(0.01)
        builder.kill()
    assert len(list((cache / "scratch").iterdir())) == 1
    with Host(Materials(cache)):
        assert theirs(host, tmp_path) == []
    assert list((cache / "scratch").iterdir()) == []


def theirs(host: Host, temporary: Path) -> list[str]:
    """Running or not, the containers of an owner whose locks are below `temporary`."""
    listed = host.client().containers(all=True, filters={"label": LABEL_LOCK})
    return [one["Id"] for one in listed if one["Labels"][LABEL_LOCK].startswith(str(temporary))]
