"""What a sandbox promises, on a real engine: what each frame does, in which order, and which error says what."""

from __future__ import annotations

import errno
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import ExitStack
from typing import Any

import docker
import pytest

from runner import sandbox as sandbox_module
from runner.errors import EngineUnavailable, HostFailure, SandboxFailure
from runner.host import Host
from runner.sandbox import MEGABYTE, REPORT_CAP_BYTES, PhaseOutcome, Refusal, Sandbox, SandboxDied
from runner.sandbox.ownership import LABEL_POOL
from runner.task import Benchmark, Limits, Task
from runner.toolchains import Command
from runner.tree import EXECUTABLE, REGULAR, SYMLINK, Entry

pytestmark = pytest.mark.engine

LIMITS = Limits(cpu_seconds=20, wall_seconds=60, memory_mb=64, disk_mb=64, processes=16, output_mb=1)
ENVIRONMENT = {"PATH": "/usr/bin:/bin", "LANG": "C.UTF-8"}
FILE = Entry(REGULAR, b"text\n")

Start = Callable[..., Sandbox]


@pytest.fixture(scope="module")
def task(benchmark: Benchmark) -> Task:
    return benchmark.task("cachetools-7-3-to-8-0")


@pytest.fixture
def start(host: Host, task: Task) -> Iterator[Start]:
    """`start(parents=...)`: a sandbox, closed at the end of the test."""
    with ExitStack() as opened:

        def started(parents: tuple[str, ...] = (), limits: Limits = LIMITS) -> Sandbox:
            labels = host.owner.labels("test")
            return opened.enter_context(
                Sandbox.start(host.client(), host.image(task).id, limits, labels, parents)
            )

        yield started


@pytest.fixture
def sandbox(start: Start) -> Sandbox:
    return start()


def shell(sandbox: Sandbox, script: str, **limits: int) -> PhaseOutcome:
    """Run a script as the sandbox user."""
    lowered = Limits(**{**{n: getattr(LIMITS, n) for n in LIMITS.__slots__}, **limits})
    return sandbox.run(Command(("/bin/sh", "-c", script), ENVIRONMENT), lowered)


def said(sandbox: Sandbox, script: str) -> str:
    outcome = shell(sandbox, script)
    assert outcome.exit_code == 0, outcome
    return outcome.output.decode()


# ---------------------------------------------------------------- place


def test_the_base_tree_is_there_and_place_writes_replaces_and_removes(sandbox: Sandbox) -> None:
    assert "cachetools" in said(sandbox, "ls src")
    refusal = sandbox.place(
        {
            "docs/conf.py": None,
            "docs/index.rst": None,
            "LICENSE": FILE,
            "new/deep/run.sh": Entry(EXECUTABLE, b"#!/bin/sh\necho ran\n"),
            "new/link": Entry(SYMLINK, b"deep/run.sh"),
        }
    )
    assert refusal is None
    assert said(sandbox, "cat LICENSE; new/link; ls -d docs || echo none").split("\n")[:2] == ["text", "ran"]
    assert "none" in said(sandbox, "test -e docs || echo none")


def test_a_folder_gives_way_to_a_file_and_a_file_to_a_folder(sandbox: Sandbox) -> None:
    assert sandbox.place({"docs": FILE, "LICENSE": None, "LICENSE/text": FILE}) is None
    assert said(sandbox, "cat docs LICENSE/text") == "text\ntext\n"


@pytest.mark.parametrize(
    ("files", "number"),
    [
        ({"a": FILE, "a/b": FILE}, errno.EEXIST),
        ({"x" * 300: FILE}, errno.ENAMETOOLONG),
        ({"a": Entry(SYMLINK, b"")}, errno.ENOENT),
        ({"a": Entry(REGULAR, b"x" * (65 << 20))}, errno.ENOSPC),
    ],
    ids=["below-a-file", "name-too-long", "empty-link", "disk-full"],
)
def test_place_says_what_it_could_not_write_though_more_was_on_its_way(
    sandbox: Sandbox, files: dict[str, Entry], number: int
) -> None:
    refusal = sandbox.place({**files, "z": Entry(REGULAR, b"z" * (10 << 20))})
    assert isinstance(refusal, Refusal)
    assert refusal.errno == number
    assert refusal.problem


def test_a_root_owned_parent_stays(start: Start) -> None:
    sandbox = start(parents=("tests",))
    refusal = sandbox.place({"tests": FILE})
    assert refusal is not None
    assert refusal.errno in (errno.EPERM, errno.EACCES)


# ---------------------------------------------------------------- run


def test_a_command_runs_as_nobody_in_particular_with_what_it_was_given(sandbox: Sandbox) -> None:
    sandbox.place({})
    text = said(sandbox, "id -u; id -G; pwd; env | sort; cat; grep -E 'Cap|NoNewPrivs' /proc/self/status")
    assert text.split("\n")[:3] == ["10001", "10001", "/sandbox/tree"]
    assert {line for line in text.split("\n") if "=" in line} >= {"HOME=/tmp/home", "LANG=C.UTF-8"}
    assert "CapEff:\t0000000000000000" in text
    assert "CapBnd:\t0000000000000000" in text or "NoNewPrivs:\t1" in text


def test_an_outcome_tells_how_a_command_ended(sandbox: Sandbox) -> None:
    sandbox.place({})
    assert shell(sandbox, "exit 3").exit_code == 3
    killed = shell(sandbox, "kill -SEGV $$")
    assert (killed.exit_code, killed.signal) == (None, 11)
    missing = sandbox.run(Command(("/no/such/program",), ENVIRONMENT), LIMITS)
    assert missing.exit_code == 127
    assert b"/no/such/program did not start" in missing.output


def test_output_keeps_its_head_and_its_tail(sandbox: Sandbox) -> None:
    sandbox.place({})
    outcome = shell(sandbox, "echo first; head -c 500000 /dev/zero; echo last")
    assert outcome.truncated
    assert outcome.exhausted is None
    assert outcome.output.startswith(b"first\n")
    assert outcome.output.endswith(b"last\n")
    assert len(outcome.output) < 200_000


@pytest.mark.parametrize(
    "launch", ["setsid sleep 1000 &", "(sleep 1000 &) ; true", "nohup sleep 1000 >/dev/null &"]
)
def test_what_outlives_a_build_is_swept_before_the_suite_is_laid(sandbox: Sandbox, launch: str) -> None:
    sandbox.place({})
    build = shell(sandbox, f"{launch} echo built")
    assert (build.exit_code, build.swept) == (0, 1)
    assert sandbox.lay(("hidden",), {"hidden/test_x.py": b"pass\n"}, {}) is None
    assert "sleep" not in said(sandbox, "cat /proc/[0-9]*/comm")


def test_nothing_but_the_tree_goes_from_one_phase_to_the_next(sandbox: Sandbox) -> None:
    sandbox.place({})
    left = (
        "mkdir -p /tmp/a/b /dev/shm/c; echo x > /tmp/a/b/f; chmod 000 /tmp/a; touch $HOME/.profile /dev/shm/c/f;"
        'python3 -c "import ctypes; c = ctypes.CDLL(None); assert c.shmget(7, 4096, 0o1600) >= 0";'
        "python3 -c \"import os; [(os.mkdir('d'), os.chdir('d')) for _ in (os.chdir('/tmp'), *range(3000))]\";"
        "touch /sandbox/tree/kept"
    )
    assert shell(sandbox, left).exit_code == 0
    seen = said(sandbox, "ls -A /tmp /dev/shm $HOME; tail -n +2 /proc/sysvipc/shm; ls kept")
    assert seen.split() == ["/dev/shm:", "/tmp:", "home", "/tmp/home:", "kept"]


@pytest.mark.parametrize(
    ("script", "limits", "reached"),
    [
        ("while :; do :; done", {"cpu_seconds": 1}, "cpu"),
        ("sleep 1000", {"wall_seconds": 1}, "wall"),
        ("yes", {}, "output"),
        ("head -c 1G /dev/zero > f", {}, "disk"),
        ("head -c 1G /dev/zero | tail", {}, "memory"),
        ("for i in $(seq 100); do sleep 100 & done; wait", {}, "processes"),
    ],
    ids=["cpu", "wall", "output", "disk", "memory", "processes"],
)
def test_a_limit_ends_a_command_and_the_sandbox_lives_on(
    sandbox: Sandbox, script: str, limits: dict[str, int], reached: str
) -> None:
    sandbox.place({})
    assert shell(sandbox, script, **limits).exhausted == reached
    assert said(sandbox, "rm -f f; echo alive") == "alive\n"


# ---------------------------------------------------------------- lay


def test_the_suite_is_roots_and_stands_alone_in_its_folder(start: Start) -> None:
    sandbox = start(parents=("tests",))
    squatter = {"tests/hidden/conftest.py": FILE, "tests/hidden/a/b": FILE, "tests/other": FILE}
    assert sandbox.place(squatter) is None
    assert shell(sandbox, "chmod 000 tests/hidden/a").exit_code == 0
    assert (
        sandbox.lay(("tests/hidden",), {"tests/hidden/sub/test_x.py": b"ok\n"}, {"run.py": b"run\n"}) is None
    )
    assert (
        said(sandbox, "ls -A tests/hidden; cat tests/hidden/sub/test_x.py /sandbox/trusted/run.py")
        == "sub\nok\nrun\n"
    )
    for attempt in (
        "echo x >> tests/hidden/sub/test_x.py",
        "touch tests/hidden/conftest.py",
        "rm -rf tests/hidden/sub",
        "mv tests/hidden tests/away",
        "mv tests away",
        "touch /sandbox/trusted/x",
        "mv /sandbox/tree /sandbox/away",
    ):
        assert shell(sandbox, attempt).exit_code != 0, attempt
    assert shell(sandbox, "touch tests/mine").exit_code == 0


def test_a_link_in_place_of_the_suites_folder_leads_nowhere(start: Start) -> None:
    sandbox = start(parents=("tests",))
    assert sandbox.place({"src/x": FILE, "tests/hidden": Entry(SYMLINK, b"../src")}) is None
    assert sandbox.lay(("tests/hidden",), {"tests/hidden/test_x.py": b"ok\n"}, {}) is None
    assert said(sandbox, "ls tests/hidden; ls src/test_x.py || true").startswith("test_x.py\n")
    assert said(sandbox, "test -e src/test_x.py || echo apart") == "apart\n"


def test_lay_on_a_full_disk_is_refused(sandbox: Sandbox) -> None:
    sandbox.place({})
    shell(sandbox, "head -c 1G /dev/zero > f")
    refusal = sandbox.lay(("hidden",), {"hidden/test_x.py": b"x" * 100_000}, {})
    assert refusal is not None
    assert refusal.errno == errno.ENOSPC


def test_trusted_files_are_replaced_and_never_the_users(sandbox: Sandbox) -> None:
    assert sandbox.lay((), {}, {"rules/build": b"first\n", "kept": b"kept\n"}) is None
    sandbox.place({})
    tried = said(sandbox, "echo mine > /sandbox/trusted/rules/build || rm -rf /sandbox/trusted/rules || true")
    assert tried.count("denied") >= 2
    assert sandbox.lay((), {}, {"rules/build": b"second\n"}) is None
    assert said(sandbox, "cat /sandbox/trusted/rules/build /sandbox/trusted/kept") == "second\nkept\n"


def test_what_is_built_is_the_users_and_stays_between_phases(sandbox: Sandbox) -> None:
    sandbox.place({})
    said(sandbox, "echo object > /sandbox/build/one.o")
    assert said(sandbox, "cat /sandbox/build/one.o") == "object\n"


def test_sources_that_are_compiled_away_are_gone_and_the_rest_of_the_suite_stays(sandbox: Sandbox) -> None:
    sandbox.place({})
    sandbox.lay(("hidden",), {"hidden/test_x.c": b"int x;\n", "hidden/data.txt": b"data\n"}, {})
    assert sandbox.strip(["hidden/test_x.c"]) is None
    assert said(sandbox, "ls hidden") == "data.txt\n"
    assert "denied" in said(sandbox, "echo > hidden/test_x.c || true")


# ---------------------------------------------------------------- collect


@pytest.mark.parametrize(
    ("script", "expected"),
    [
        ("printf 'a\\377b' > r", b"a\xffb"),
        (":", errno.ENOENT),
        ("ln -s /etc/passwd r", errno.ELOOP),
        ("ln -s /sandbox/trusted r", errno.ELOOP),
        ("mkfifo r", errno.EINVAL),
        ("mkdir r", errno.EISDIR),
        (f"truncate -s {REPORT_CAP_BYTES + 1} r", errno.EFBIG),
        ("touch r; chmod 000 r", errno.EACCES),
    ],
    ids=["bytes", "none", "link", "link-to-folder", "fifo", "folder", "huge", "unreadable"],
)
def test_collect_takes_a_regular_file_or_says_why_not(
    sandbox: Sandbox, script: str, expected: bytes | int
) -> None:
    sandbox.place({})
    shell(sandbox, f"cd /sandbox/reports && {script}")
    report = sandbox.collect("r")
    assert (report.errno if isinstance(report, Refusal) else report) == expected


# ---------------------------------------------------------------- errors


def by_hand(host: Host, sandbox: Sandbox, deed: str) -> None:
    client, container = host.client(), sandbox._id
    {
        "remove": lambda: client.remove_container(container, force=True),
        "kill": lambda: client.kill(container),
        "stop": lambda: client.stop(container, timeout=0),
    }[deed]()


@pytest.mark.parametrize("deed", ["remove", "kill", "stop"])
@pytest.mark.parametrize("patched", [False, True], ids=["before-the-patch", "after-the-patch"])
def test_a_container_ended_by_hand_is_our_failure(
    host: Host, sandbox: Sandbox, deed: str, patched: bool
) -> None:
    assert sandbox.alive()
    if patched:
        sandbox.place({})
    by_hand(host, sandbox, deed)
    with pytest.raises(SandboxFailure):
        shell(sandbox, "true") if patched else sandbox.place({})
    assert not sandbox.alive()


def in_background(action: Callable[[], Any]) -> threading.Thread:
    thread = threading.Thread(target=action)
    thread.start()
    return thread


def pause_once_it_runs(sandbox: Sandbox, mark: str, *, unpause: bool) -> None:
    client = docker.from_env().api
    deadline = time.monotonic() + 30
    while not any(mark in " ".join(row) for row in client.top(sandbox._id)["Processes"]):
        assert time.monotonic() < deadline
    client.pause(sandbox._id)
    if unpause:
        client.unpause(sandbox._id)
    client.close()


def test_a_paused_container_is_our_failure(sandbox: Sandbox, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sandbox_module, "GRACE_SECONDS", 1)
    sandbox.place({})
    hand = in_background(lambda: pause_once_it_runs(sandbox, "sleep 1001", unpause=False))
    with pytest.raises(SandboxFailure, match="pause"):
        shell(sandbox, "sleep 1001", wall_seconds=5)
    hand.join()


def test_time_lost_in_a_pause_is_not_charged(sandbox: Sandbox) -> None:
    sandbox.place({})
    hand = in_background(lambda: pause_once_it_runs(sandbox, "sleep 1001", unpause=True))
    with pytest.raises(SandboxFailure, match="pause"):
        shell(sandbox, "sleep 1001", wall_seconds=4)
    hand.join()


def test_a_supervisor_that_dies_on_its_own_died_of_the_patch(sandbox: Sandbox) -> None:
    sandbox.place({})
    with pytest.raises(SandboxDied) as caught:
        sandbox._ask({"do": "run"}, 30)
    assert caught.value.exhausted is None
    assert caught.value.charged


def test_a_connection_that_breaks_is_our_failure(sandbox: Sandbox) -> None:
    sandbox.place({})
    sandbox._stream.shutdown(2)
    with pytest.raises(SandboxFailure):
        shell(sandbox, "true")


def test_no_engine_is_engine_unavailable(task: Task) -> None:
    client = docker.APIClient(base_url="tcp://127.0.0.1:9", version="1.41")
    with pytest.raises(EngineUnavailable):
        Sandbox.start(client, "none", LIMITS, {}, ())
    client.close()


@pytest.mark.parametrize("fault", ["no-image", "no-parent"])
def test_a_start_that_fails_is_our_failure_and_leaves_nothing(host: Host, task: Task, fault: str) -> None:
    image = host.image(task).id if fault == "no-parent" else "assay/no-such-image"
    labels = host.owner.labels(f"test-{fault}")
    with pytest.raises(HostFailure):
        Sandbox.start(host.client(), image, LIMITS, labels, ("no/such/parent",))
    assert host.client().containers(all=True, filters={"label": f"{LABEL_POOL}=test-{fault}"}) == []


def test_leaving_the_with_removes_the_container(host: Host, task: Task) -> None:
    with Sandbox.start(host.client(), host.image(task).id, LIMITS, host.owner.labels("test"), ()) as sandbox:
        sandbox.place({"x": Entry(REGULAR, b"x" * MEGABYTE)})
    with pytest.raises(docker.errors.NotFound):
        host.client().inspect_container(sandbox._id)
    sandbox.close()
