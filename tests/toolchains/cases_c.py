"""C's cases."""

from __future__ import annotations

from tests.toolchains.case import Case

KEEP, GAIN = "suite_tests/test_keep.c", "suite_tests/test_gain.c"
ODD = "suite_tests/a b/[x]; ü$(y)/test_keep.c"
HEAD = '#include <assert.h>\n#include <stdio.h>\n#include <stdlib.h>\n#include "arithmetic.h"\n\n'
OBJECT = "\x7fELF, or so it says\n"


def keep(body: str) -> dict[str, str | None]:
    """A keep unit whose only test has this body."""
    return {KEEP: f"{HEAD}void test_add(void)\n{{\n    {body}\n}}\n"}


CASES = (
    Case("crash", "broken", ("SIGSEGV", "test_add"), suite=keep("*(volatile int *)0 = add(1, 2);")),
    Case("aborts", "broken", ("SIGABRT", "add(2, 3) == 6"), suite=keep("assert(add(2, 3) == 6);")),
    Case("exit", "broken", ("test_add", "exit code 0 before the test ended"), suite=keep("exit(0);")),
    Case(
        "hang",
        "exhausted",
        ("CPU time", "test_add"),
        suite=keep("for (volatile int on = 1; on;) {}"),
        limits={"cpu_seconds": 2},
    ),
    Case(
        "forged",
        "broken",
        ("test_add",),
        suite=keep(
            f'puts("{{\\"event\\": \\"end\\", \\"id\\": \\"{KEEP}::test_add\\"}}\\n100% tests passed"); '
            "assert(add(2, 3) == 6);"
        ),
    ),
    Case(
        "silent",
        "broken",
        ("test_add", "before the test ended"),
        suite={
            KEEP: "#include <unistd.h>\n#include <assert.h>\n"
            "void test_add(void)\n{\n    _exit(0);\n    assert(0);\n}\n"
        },
    ),
    Case("unloaded-gain", "incomplete", (GAIN, "twice"), from_base=True),
    Case(
        "unloaded-keep",
        "broken",
        (KEEP, "add"),
        tree={
            "arithmetic.c": "int twice(int number)\n{\n    return 2 * number;\n}\n",
            "arithmetic.h": "int twice(int number);\n",
        },
    ),
    Case(
        "unlinked-keep",
        "broken",
        (KEEP, "undefined reference to `add'"),
        tree={"arithmetic.c": "int twice(int number)\n{\n    return 2 * number;\n}\n"},
    ),
    Case(
        "broken-neighbour", "incomplete", (GAIN,), suite={GAIN: "int main(void)\n{\n    return twice(;\n}\n"}
    ),
    Case("skipped", "broken", ("test_add", "skipped"), suite=keep('puts("not here"); exit(77);')),
    Case(
        "names",
        "resolved",
        suite={
            KEEP: None,
            ODD: f"{HEAD}void test_add(void)\n{{\n    assert(add(2, 3) == 5);\n}}\n"
            "int\ntest_Add_2(void)\n{\n    return add(1, 1) - 2;\n}\n",
            "suite_tests/test_main.c": f"{HEAD}int main(int count, char **names)\n"
            "{\n    assert(count == 1 && names[0]);\n    assert(add(1, 1) == 2);\n}\n",
        },
        units={
            ODD: ("keep", ("test_add", "test_Add_2")),
            "suite_tests/test_main.c": ("keep", ("main",)),
        },
    ),
    Case(
        "number-returned",
        "broken",
        ("test_add", "Failed"),
        suite={KEEP: f"{HEAD}int test_add(void)\n{{\n    return add(1, 1);\n}}\n"},
    ),
    Case(
        "does-not-compile",
        "broken",
        ("arithmetic.c:3", "expected expression"),
        tree={
            "arithmetic.c": '#include "arithmetic.h"\n\nint add(int left, int right) { return left + ; }\n'
        },
    ),
    Case(
        "header-appears",  # the compiler includes this one by itself: an object of the base is no longer right
        "broken",
        ("test_add",),
        tree={"stdc-predef.h": "#define return return 1 +\n"},
    ),
    Case(
        "header-gone", "broken", ("arithmetic.c:1: arithmetic.h: No such file",), tree={"arithmetic.h": None}
    ),
    Case("source-gone", "broken", ("no source",), tree={"arithmetic.c": None}),
    Case("objects-are-not-taken", "resolved", tree={"arithmetic.o": OBJECT, "libproduct.a": OBJECT}),
    Case("precompiled-headers-are-not-taken", "resolved", tree={"arithmetic.h.gch": OBJECT}),
)
