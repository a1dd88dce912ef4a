"""What aims beside the verdict gets the verdict of the product under it."""

from __future__ import annotations

import pytest

from tests.attacks.attack import RAN, Arena, Attack, appended, edited, idle, named, with_code
from tests.attacks.bystanders import BYSTANDERS
from tests.attacks.forgeries import FORGED_REPORT

pytestmark = pytest.mark.engine

DAEMON = """\
import os, select, time
watched = os.getpid()
if os.fork() == 0:
    os.setsid()
    if os.fork():
        os._exit(0)
    handle = os.pidfd_open(watched)
    select.select([handle], [], [])
    path, data = forged_report()
    with open("/sandbox/reports/new", "wb") as stream:
        stream.write(data)
    os.rename("/sandbox/reports/new", path)
    time.sleep(600)
"""

LEFT_BEHIND = """\
import ctypes, os, signal, time
os.makedirs("/tmp/closed/inner/most")
for folder in ("/tmp/closed/inner/most", "/tmp/closed/inner", "/tmp/closed"):
    os.chmod(folder, 0)
os.chdir("/dev/shm")
for depth in range(300):
    os.mkdir("d" * 200)
    os.chdir("d" * 200)
os.chdir("/sandbox/tree")
libc = ctypes.CDLL(None)
libc.shmget(7, 4096, 0o1666), libc.semget(8, 1, 0o1666), libc.msgget(9, 0o1666)
if os.fork() == 0:
    os.setsid()
    for number in range(1, 32):
        if number not in (signal.SIGKILL, signal.SIGSTOP):
            signal.signal(number, signal.SIG_IGN)
    while True:
        time.sleep(600)
"""

AT_THE_SUPERVISOR = """\
import ctypes, os, signal
for number in (signal.SIGKILL, signal.SIGSTOP, signal.SIGTERM, 0):
    try:
        os.kill(1, number)
        print("REACHED by signal", number, flush=True)
    except PermissionError:
        pass
for path in ("/proc/1/mem", "/proc/1/fd", "/proc/1/environ", "/proc/1/root", "/opt/assay/tree"):
    try:
        os.listdir(path) if os.path.isdir(path) else open(path, "rb").close()
        print("REACHED", path, flush=True)
    except OSError:
        pass
if ctypes.CDLL(None).ptrace(16, 1, 0, 0) == 0:
    print("REACHED by ptrace", flush=True)
for old in ("/sandbox/tree/tests", "/sandbox/tree", "/sandbox/trusted", "/sandbox/reports"):
    try:
        os.rename(old, old + ".old")
        print("REACHED", old, flush=True)
    except OSError:
        pass
for path in ("/sandbox/x", "/sandbox/trusted/x", "/sandbox/tree/tests/x", "/sys/fs/cgroup/x", "/etc/x", "/opt/x", "/x"):
    try:
        open(path, "w").close()
        print("REACHED", path, flush=True)
    except OSError:
        pass
"""


@pytest.mark.parametrize(
    "attack",
    [pytest.param(one, id=one.name, marks=() if one.fast else pytest.mark.slow) for one in BYSTANDERS],
)
def test_gets_what_its_product_deserves(arena: Arena, attack: Attack) -> None:
    task = arena.task(cpu_seconds=8)
    result = arena.judge(task, attack.make(task, arena.materials))
    assert result.verdict in attack.verdicts, result.reason
    assert arena.ran(result)
    assert "REACHED" not in "".join(arena.outputs(result))
    assert type(result).model_validate_json(result.model_dump_json()) == result


def test_a_flaky_signature_is_not_run_again(arena: Arena) -> None:
    task = arena.task()
    attack = next(one for one in BYSTANDERS if one.name == "flaky-signature-printed")
    result = arena.judge(task, attack.make(task, arena.materials))
    assert [phase.name for one in arena.evidence(result).passes for phase in one.phases].count("test") == 2


def test_files_that_checkouts_rewrite_are_judged_byte_for_byte(arena: Arena) -> None:
    task = arena.task()
    code = "assert b'\\r' not in open(__file__, 'rb').read()\n"
    after = appended(arena.materials.gold(task), {"boltons/__init__.py": code})
    result = arena.judge(task, edited(after, {".gitattributes": "* text eol=crlf\n"}))
    assert result.verdict == "resolved", result.reason


@pytest.mark.slow
def test_a_daemon_that_rewrites_the_report_is_swept_and_forges_in_vain(arena: Arena) -> None:
    """It may win the race to the report; what it writes there is in both passes, canaries included."""
    task = arena.task()
    after = with_code(FORGED_REPORT + DAEMON)(task, arena.materials)
    result = arena.judge(task, after)
    assert result.verdict in ("tampered", "broken"), result.reason
    assert "sweep" in named(result)
    assert arena.ran(result)


def test_what_the_work_leaves_behind_is_swept_and_not_punished(arena: Arena) -> None:
    task = arena.task()
    after = appended(
        arena.materials.gold(task), {"boltons/__init__.py": f"{LEFT_BEHIND}print('{RAN}', flush=True)\n"}
    )
    result = arena.judge(task, after)
    assert result.verdict == "resolved", result.reason
    assert "sweep" in named(result)
    assert arena.ran(result)


def test_the_supervisor_and_its_folders_are_out_of_reach(arena: Arena) -> None:
    task = arena.task()
    code = f"{AT_THE_SUPERVISOR}print('{RAN}', flush=True)\n"
    result = arena.judge(task, appended(idle(task, arena.materials), {"boltons/__init__.py": code}))
    assert arena.ran(result)
    assert "REACHED" not in "".join(arena.outputs(result))
    assert result.verdict == "broken", result.reason
