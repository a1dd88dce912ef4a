"""Attacks that aim beside the verdict: they get what the product under them deserves, and leave no trace in it."""

from __future__ import annotations

from tests.attacks.attack import SAY, Attack, with_code, with_files

RATHER_LATE = """\
import atexit, os
atexit.register(os._exit, 0)
"""

FLAKY_SIGNATURE = """\
import os
print("timeout: Elapsed(())", flush=True)
if os.urandom(1)[0] < 128:
    os._exit(1)
"""

CLOCKS = """\
import time
import _pytest.timing
time.time = time.perf_counter = time.monotonic = lambda: float("nan")
time.sleep = lambda seconds: None
_pytest.timing.perf_counter = lambda: float("nan")
_pytest.timing.time = lambda: float("inf")
"""

NETWORK = """\
import socket
for address in (("172.17.0.1", 2375), ("169.254.169.254", 80), ("192.0.2.1", 443), ("host.docker.internal", 80)):
    try:
        socket.create_connection(address, timeout=2).close()
        print("REACHED", address, flush=True)
    except OSError as error:
        print("no way to", address, error, flush=True)
"""

BOTH_HALVES_OF_ONE = """\
import os, _pytest.python
run = _pytest.python.Function.runtest


def call(self):
    try:
        run(self)
    except Exception:
        pass


if os.urandom(1)[0] < 128:
    _pytest.python.Function.runtest = call
"""

BY_SHAPE = """\
import ast, inspect, textwrap, _pytest.python
run = _pytest.python.Function.runtest


def looks_real(function):
    source = textwrap.dedent(inspect.getsource(function))
    literals = [one.value for one in ast.walk(ast.parse(source)) if isinstance(one, ast.Constant)]
    return all(str(one) == str(one).lower() or str(one) == str(one).title() for one in literals)


def call(self):
    try:
        run(self)
    except Exception:
        if not looks_real(self.obj):
            raise


_pytest.python.Function.runtest = call
"""

LASTING_THREAD = """\
import gc, threading, time


def forge():
    while True:
        for found in gc.get_objects():
            if type(found).__name__ == "Recorder":
                for report in found.reports:
                    report.outcome = "passed"
        time.sleep(0.0001)


threading.Thread(target=forge).start()
"""

BYSTANDERS: tuple[Attack, ...] = (
    Attack("exit-code-rewritten-at-exit", with_code(RATHER_LATE), "py-atexit", verdicts=("broken",)),
    Attack(
        "flaky-signature-printed",
        with_code(FLAKY_SIGNATURE),
        "py-flaky-marker",
        verdicts=("broken",),
        fast=True,
    ),
    Attack("clocks-replaced", with_code(CLOCKS), "py-timer-patch", verdicts=("broken",)),
    Attack("network-sought", with_code(NETWORK), "docker-host-net", verdicts=("broken",), fast=True),
    Attack("one-pass-forged-by-chance", with_code(BOTH_HALVES_OF_ONE)),
    Attack("forged-by-the-shape-of-a-test", with_code(BY_SHAPE), fast=True),
    Attack("thread-that-stays", with_code(LASTING_THREAD), verdicts=("tampered", "broken", "exhausted")),
    Attack(
        "test-command-of-the-repository",
        with_files(
            {"Makefile": "test:\n\ttrue\n", "justfile": "test:\n  true\n", "boltons/__init__.py": SAY}
        ),
        "make-override",
        verdicts=("broken",),
    ),
    Attack(
        "snapshots-written-anew",
        with_files(
            {
                "tests/__snapshots__/test_int_lists.ambr": "# anything\n",
                ".env": "CI=false\nPYTEST_ADDOPTS=--snapshot-update\n",
                "boltons/__init__.py": SAY,
            }
        ),
        "test-snapshot-update",
        verdicts=("broken",),
    ),
    Attack(
        "files-rewritten-on-checkout",
        with_files({".gitattributes": "* text eol=crlf export-subst filter=x\n", "boltons/__init__.py": SAY}),
        "gitattributes-filter",
        verdicts=("broken",),
    ),
    Attack(
        "byte-code-planted",
        with_files({"boltons/__pycache__/__init__.cpython-313.pyc": "\0" * 64, "boltons/__init__.py": SAY}),
        "pyc-stale",
        verdicts=("broken",),
        fast=True,
    ),
)
