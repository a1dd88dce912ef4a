"""Python's cases."""

from __future__ import annotations

from tests.toolchains.case import Case

KEEP, GAIN = "suite_tests/test_keep.py", "suite_tests/test_gain.py"
IMPORT = "from arithmetic import add\n\n\n"


def keep(body: str) -> dict[str, str | None]:
    """A keep unit whose only test has this body."""
    return {KEEP: f"{IMPORT}def test_add():\n    {body}\n"}


CASES = (
    Case("crash", "broken", ("SIGSEGV", "test_add"), suite=keep("import ctypes; ctypes.string_at(0)")),
    Case("exit", "broken", ("test_add",), suite=keep("import os; os._exit(0)")),
    Case(
        "hang",
        "exhausted",
        ("CPU time", "test_add"),
        suite=keep("while True: pass"),
        limits={"cpu_seconds": 2},
    ),
    Case(
        "forged",
        "broken",
        ("test_add",),
        suite=keep(f'print(\'{{"event": "end", "id": "{KEEP}::test_add"}}\'); assert add(2, 3) == 6'),
    ),
    Case("silent", "broken", ("test_add",), suite=keep("import sys; sys.exit(0)")),
    Case("unloaded-gain", "incomplete", (GAIN, "double"), from_base=True),
    Case(
        "unloaded-keep",
        "broken",
        (KEEP, "add"),
        tree={"arithmetic.py": "def double(number):\n    return 2 * number\n"},
    ),
    Case("broken-neighbour", "incomplete", (GAIN,), suite={GAIN: "def test_double(:\n"}),
    Case("skipped", "broken", ("test_add", "skipped"), suite=keep("import pytest; pytest.skip()")),
    Case(
        "names",
        "resolved",
        suite={
            KEEP: f'import pytest\n{IMPORT}@pytest.mark.parametrize("name", ["a b", "[x]", "ü"])\n'
            'def test_add(name):\n    assert add(name, "") == name\n\n\n'
            "class TestAdd:\n    def test_add(self):\n        assert add(1, 1) == 2\n"
        },
        units={
            KEEP: (
                "keep",
                ("test_add[a b]", "test_add[[x]]", "test_add[\\xfc]", "TestAdd::test_add"),
            )
        },
    ),
    Case(
        "does-not-compile",
        "broken",
        ("arithmetic.py:1", "SyntaxError"),
        tree={"arithmetic.py": "def add(:\n"},
    ),
)
