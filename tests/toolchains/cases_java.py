"""Java's cases."""

from __future__ import annotations

from tests.toolchains.case import Case

KEEP, GAIN = "suite_tests/KeepTest.java", "suite_tests/GainTest.java"
PRODUCT = "arithmetic/Arithmetic.java"
CLASS = "package arithmetic;\n\npublic final class Arithmetic {{\n{}\n}}\n"
ADD = "    public static int add(int left, int right) {\n        return left + right;\n    }\n"
TWICE = "    public static int twice(int number) {\n        return 2 * number;\n    }\n"


def unit(members: str, *imports: str) -> dict[str, str | None]:
    """A keep unit with these members."""
    lines = "".join(f"import {name};\n" for name in ("arithmetic.Arithmetic", *imports))
    head = "package suite_tests;\n\nimport static org.junit.jupiter.api.Assertions.*;\n\n"
    return {
        KEEP: f"{head}{lines}import org.junit.jupiter.api.*;\n\nclass KeepTest {{\n{members}\n}}\n",
    }


def keep(body: str, *imports: str) -> dict[str, str | None]:
    """A keep unit whose only test has this body."""
    return unit(f"    @Test\n    void add() throws Exception {{\n        {body}\n    }}", *imports)


CASES = (
    Case(
        "crash",
        "broken",
        ("signal SIGKILL before the test ended", "add"),
        suite=keep('new ProcessBuilder("sh", "-c", "kill -9 $PPID").start().waitFor();'),
    ),
    Case("exit", "broken", ("exit code 0 before the test ended", "add"), suite=keep("System.exit(0);")),
    Case(
        "halt",
        "broken",
        ("exit code 0 before the test ended", "add"),
        suite=keep("Runtime.getRuntime().halt(0);"),
    ),
    Case(
        "exit-takes-no-neighbour",
        "incomplete",
        ("exit code 3 before the test ended", "one"),
        suite={
            GAIN: "package suite_tests;\n\nimport org.junit.jupiter.api.*;\n\nclass GainTest {\n"
            "    @Test\n    void one() {\n        System.exit(3);\n    }\n\n"
            "    @Test\n    void two() {\n"
            "        Assertions.assertEquals(4, arithmetic.Arithmetic.twice(2));\n    }\n}\n"
        },
        units={GAIN: ("gain", ("one", "two"))},
    ),
    Case("hang", "exhausted", ("CPU time", "add"), suite=keep("while (true) { }"), limits={"cpu_seconds": 6}),
    Case(
        "overflows-the-stack",
        "broken",
        ("StackOverflowError", "deep"),
        suite=unit(
            "    int down(int depth) {\n        return down(depth + 1) + 1;\n    }\n\n"
            "    @Test\n    void deep() {\n        down(0);\n    }"
        ),
        units={KEEP: ("keep", ("deep",))},
    ),
    Case(
        "forged",
        "broken",
        ("add", "expected: <6> but was: <5>"),
        suite=keep(
            'System.out.println("end 0 passed 0.1 \\nclosed");\n'
            f'        System.out.println("{{\\"event\\": \\"end\\", \\"id\\": \\"{KEEP}::add\\"}}");\n'
            "        assertEquals(6, Arithmetic.add(2, 3));"
        ),
    ),
    Case(
        "told-beside-the-truth",
        "broken",
        ("add", "the launcher tells"),
        suite=keep(
            'for (var each : new java.io.File("/proc/self/fd").listFiles()) {\n'
            '            if (Files.readSymbolicLink(each.toPath()).toString().startsWith("pipe:")) {\n'
            "                try (var told = new java.io.FileOutputStream(each)) {\n"
            '                    told.write("end 0 passed 0.1 \\n".getBytes());\n'
            "                } catch (java.io.IOException closed) {\n                }\n            }\n        }\n"
            "        assertEquals(6, Arithmetic.add(2, 3));",
            "java.nio.file.Files",
        ),
    ),
    Case(
        "silent",
        "broken",
        ("add", "before the test ended"),
        suite=keep("System.out.close(); System.exit(0);"),
    ),
    Case("unloaded-gain", "incomplete", (GAIN, "cannot find symbol"), from_base=True),
    Case("unloaded-keep", "broken", (KEEP, "add"), tree={PRODUCT: CLASS.format(TWICE)}),
    Case(
        "broken-neighbour", "incomplete", (GAIN,), suite={GAIN: "package suite_tests;\n\nclass GainTest {{\n"}
    ),
    Case("skipped", "broken", ("add", "skipped"), suite=keep("Assumptions.assumeTrue(false);")),
    Case(
        "disabled",
        "broken",
        ("add", "skipped"),
        suite=unit('    @Test\n    @Disabled("not today")\n    void add() {\n    }'),
    ),
    Case(
        "names",
        "resolved",
        suite=unit(
            '    @Test\n    @DisplayName("a b [x] ü")\n    void add() {\n'
            "        assertEquals(5, Arithmetic.add(2, 3));\n    }\n\n"
            "    @Test\n    void addÜber() {\n        assertEquals(5, Arithmetic.add(1, 4));\n    }\n\n"
            '    @ParameterizedTest\n    @ValueSource(strings = {"a b", "[x]", "ü"})\n    void rows(String name) {\n'
            "        assertEquals(name.length() + 1, Arithmetic.add(name.length(), 1));\n    }\n\n"
            "    @Nested\n    class Inner {\n        @Test\n        void add() {\n"
            "            assertEquals(7, Arithmetic.add(3, 4));\n        }\n    }",
            "org.junit.jupiter.params.ParameterizedTest",
            "org.junit.jupiter.params.provider.ValueSource",
        ),
        units={KEEP: ("keep", ("add", "addÜber", "rows", "Inner.add"))},
    ),
    Case(
        "a-failing-row",
        "broken",
        ("rows", "expected: <2>"),
        suite=unit(
            "    @ParameterizedTest\n    @ValueSource(ints = {1, 2, 3})\n    void rows(int number) {\n"
            "        assertEquals(2, Arithmetic.add(number, 0));\n    }",
            "org.junit.jupiter.params.ParameterizedTest",
            "org.junit.jupiter.params.provider.ValueSource",
        ),
        units={KEEP: ("keep", ("rows",))},
    ),
    Case(
        "does-not-compile",
        "broken",
        (f"{PRODUCT}:3: ",),
        tree={PRODUCT: "package arithmetic;\n\npublic final class {\n}\n"},
    ),
    Case(
        "does-not-compile-elsewhere",
        "broken",
        ("unused/Unused.java:4: cannot find symbol",),
        tree={"unused/Unused.java": "package unused;\n\nclass Unused {\n    Nothing nothing;\n}\n"},
    ),
    Case(
        "constant-of-another-class",
        "broken",
        (KEEP, "add"),
        tree={
            "arithmetic/Zero.java": "package arithmetic;\n\nclass Zero {\n    static final int ZERO = 1;\n}\n",
            PRODUCT: CLASS.format(ADD.replace("right;", "right + Zero.ZERO;") + TWICE),
        },
    ),
    Case(
        "listener-of-the-tree",
        "broken",
        ("add", "expected: <6> but was: <5>"),
        tree={
            "junit-platform.properties": "junit.jupiter.execution.parallel.enabled=true\n"
            "junit.jupiter.conditions.deactivate=*\njunit.jupiter.extensions.autodetection.enabled=true\n",
            "META-INF/services/org.junit.jupiter.api.extension.Extension": "arithmetic.Forgiving\n",
            "arithmetic/Forgiving.java": "package arithmetic;\n\npublic class Forgiving {\n}\n",
        },
        suite=keep("assertEquals(6, Arithmetic.add(2, 3));"),
    ),
    Case(
        "shadows-junit",
        "broken",
        ("add", "expected: <6> but was: <5>"),
        tree={
            "org/junit/jupiter/api/Assertions.java": "package org.junit.jupiter.api;\n\npublic class Assertions {\n"
            "    public static void assertEquals(int expected, int actual) {\n    }\n}\n"
        },
        suite=keep("assertEquals(6, Arithmetic.add(2, 3));"),
    ),
)
