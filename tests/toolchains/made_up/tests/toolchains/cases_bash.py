"""Bash's cases."""

from __future__ import annotations

from tests.toolchains.case import Case

KEEP, GAIN = "suite_tests/keep.sh", "suite_tests/gain.sh"


def keep(*lines: str) -> dict[str, str | None]:
    """A keep unit whose only test has these lines."""
    body = "".join(f"    {line}\n" for line in lines)
    return {KEEP: f"source arithmetic.sh\n\ntest_add() {{\n{body}}}\n"}


CASES = (
    Case("crash", "broken", ("SIGSEGV", "test_add"), suite=keep("kill -SEGV $$")),
    Case("exit", "broken", ("exit code 0 before the test ended", "test_add"), suite=keep("exit 0")),
    Case(
        "hang",
        "exhausted",
        ("CPU time", "test_add"),
        suite=keep("while :; do :; done"),
        limits={"cpu_seconds": 3},
    ),
    Case(
        "forged",
        "broken",
        ("wanted 6, got 5", "test_add"),
        suite=keep(f'echo \'{{"event": "end", "id": "{KEEP}::test_add"}}\'', "expect 6 add 2 3"),
    ),
    Case("silent", "broken", ("test_add",), suite=keep("exec true")),
    Case("unloaded-gain", "incomplete", ("gain.sh", "double"), from_base=True),
    Case(
        "unloaded-keep",
        "broken",
        (KEEP, "test_add"),
        tree={"arithmetic.sh": "double() {\n    echo $((2 * $1))\n}\n"},
    ),
    Case("broken-neighbour", "incomplete", (GAIN,), suite={GAIN: "test_double() {\n    (\n}\n"}),
    Case("skipped", "broken", ("test_add", "skipped"), suite=keep("skip")),
    Case(
        "names",
        "resolved",
        suite=keep(
            "expect 3 add 1 2",
            "}",
            "",
            "test_[x]() {",
            "expect 4 add 2 2",
            "}",
            "",
            "test_ü() {",
            "expect 9 add 4 5",
        ),
        units={KEEP: ("keep", ("test_add", "test_[x]", "test_ü"))},
    ),
    Case("does-not-compile", "broken", ("arithmetic.sh:2: ",), tree={"arithmetic.sh": "add() {\n)\n"}),
)
