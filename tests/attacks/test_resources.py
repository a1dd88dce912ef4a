"""What uses up a sandbox is `exhausted`, with the limit and the phase, whatever else it did."""

from __future__ import annotations

import pytest

from tests.attacks.attack import SAY, Arena, appended, idle

pytestmark = pytest.mark.engine

GREEDY = {
    "mem-bomb": (
        "hoard = []\nwhile True:\n    hoard.append(bytearray(1 << 24))\n",
        {"memory_mb": 128},
        "memory",
    ),
    "disk-fill": (
        "with open('/sandbox/tree/fill', 'wb') as stream:\n    while True:\n        stream.write(b'x' * (1 << 20))\n",
        {"disk_mb": 32},
        "disk",
    ),
    "inodes": (
        "import os\nnumber = 0\nwhile True:\n    os.mkdir(f'/sandbox/tree/{number}')\n    number += 1\n",
        {"disk_mb": 16},
        "disk",
    ),
    "stdout-flood": ("while True:\n    print('x' * (1 << 16), flush=True)\n", {"output_mb": 1}, "output"),
    "sleep-forever": ("import time\nwhile True:\n    time.sleep(600)\n", {"wall_seconds": 6}, "wall"),
    "processor": ("while True:\n    pass\n", {"cpu_seconds": 3}, "cpu"),
    "fork-bomb": (
        "import os, time\nwhile True:\n    if os.fork() == 0:\n        time.sleep(600)\n",
        {"processes": 16},
        "processes",
    ),
}
FAST = ("sleep-forever", "disk-fill")


@pytest.mark.parametrize(
    ("code", "limits", "limit"),
    [
        pytest.param(*case, id=name, marks=() if name in FAST else pytest.mark.slow)
        for name, case in GREEDY.items()
    ],
)
def test_exhausted_by_limit_and_phase(arena: Arena, code: str, limits: dict[str, int], limit: str) -> None:
    task = arena.task(**limits)
    result = arena.judge(task, appended(idle(task, arena.materials), {"boltons/__init__.py": SAY + code}))
    assert result.verdict == "exhausted", result.reason
    assert "limits" in result.caught_by
    reached = {
        phase.exhausted
        for one in arena.evidence(result).passes
        for phase in one.phases
        if phase.name == "test"
    }
    assert reached == {limit}
    assert arena.ran(result) or limit == "output"
