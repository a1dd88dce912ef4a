"""C++'s cases."""

from __future__ import annotations

from tests.toolchains.case import Case

KEEP, GAIN = "suite_tests/keep_test.cc", "suite_tests/gain_test.cc"
HEAD = '#include "arithmetic.h"\n#include <cstdio>\n#include <cstdlib>\n#include <csignal>\n#include <gtest/gtest.h>\n'
ADD = "TEST(Arithmetic, AddAdds) { EXPECT_EQ(Add(2, 3), 5); }\n"
ROWS = """\
namespace {
struct Fixture : testing::Test { int two = 2; };
TEST_F(Fixture, AddAdds) { EXPECT_EQ(Add(two, 3), 5); }
struct Rows : testing::TestWithParam<int> {};
TEST_P(Rows, AddAdds) { EXPECT_EQ(Add(GetParam(), 1) - GetParam(), 1); }
INSTANTIATE_TEST_SUITE_P(All, Rows, testing::Values(1, 2, 3));
template <typename T> struct Types : testing::Test {};
using Both = testing::Types<int, short>;
TYPED_TEST_SUITE(Types, Both);
TYPED_TEST(Types, AddAdds) { EXPECT_EQ(Add(TypeParam(2), 3), 5); }
template <typename T> struct More : testing::Test {};
TYPED_TEST_SUITE_P(More);
TYPED_TEST_P(More, AddAdds) { EXPECT_EQ(Add(TypeParam(2), 3), 5); }
REGISTER_TYPED_TEST_SUITE_P(More, AddAdds);
INSTANTIATE_TYPED_TEST_SUITE_P(All, More, Both);
TEST(Arithmetic, AddAdds) { RecordProperty("\\u00fc [x]", "a b"); EXPECT_EQ(Add(1, 1), 2); }
}
"""
NO_ADD: dict[str, str | None] = {
    "arithmetic.h": "int Double(int number);\n",
    "arithmetic.cc": '#include "arithmetic.h"\nint Double(int number) { return 2 * number; }\n',
}


def keep(body: str) -> dict[str, str | None]:
    """A keep unit whose only test has this body."""
    return {KEEP: f"{HEAD}TEST(Arithmetic, AddAdds) {{ {body} }}\n"}


CASES = (
    Case("crash", "broken", ("SIGSEGV", "AddAdds"), suite=keep("raise(SIGSEGV);")),
    Case("abort", "broken", ("SIGABRT", "AddAdds"), suite=keep("std::abort();")),
    Case("exit", "broken", ("exit code 0 before the test ended",), suite=keep("std::exit(0);")),
    Case(
        "hang",
        "exhausted",
        ("CPU time", "AddAdds"),
        suite=keep("for (volatile int i = 0;;) i = 1;"),
        limits={"cpu_seconds": 4},
    ),
    Case(
        "forged",
        "broken",
        ("AddAdds", "Which is: 5"),
        suite=keep(
            f'std::puts("{{\\"event\\": \\"end\\", \\"id\\": \\"{KEEP}::Arithmetic.AddAdds\\"}}\\n'
            '[       OK ] Arithmetic.AddAdds (0 ms)\\n[  PASSED  ] 1 test."); EXPECT_EQ(Add(2, 3), 6);'
        ),
    ),
    Case("silent", "broken", ("AddAdds",), suite=keep("_Exit(0); EXPECT_EQ(Add(2, 3), 5);")),
    Case("unloaded-gain", "incomplete", (GAIN, "Double"), from_base=True),
    Case("unloaded-keep", "broken", (KEEP, "Add"), tree=NO_ADD),
    Case("unlinked-keep", "broken", (KEEP, "undefined reference"), tree={"arithmetic.cc": "int x;\n"}),
    Case("broken-neighbour", "incomplete", (GAIN,), suite={GAIN: "TEST(\n"}),
    Case("skipped", "broken", ("AddAdds", "skipped"), suite=keep('GTEST_SKIP() << "not here";')),
    Case(
        "disabled",
        "broken",
        ("DISABLED_AddAdds", "skipped"),
        suite={KEEP: f"{HEAD}TEST(Arithmetic, DISABLED_AddAdds) {{ EXPECT_EQ(Add(2, 3), 5); }}\n"},
        units={KEEP: ("keep", ("Arithmetic.DISABLED_AddAdds",))},
    ),
    Case(
        "names",
        "resolved",
        suite={KEEP: HEAD + ROWS},
        units={
            KEEP: (
                "keep",
                tuple(f"{suite}.AddAdds" for suite in ("Fixture", "Rows", "Types", "More", "Arithmetic")),
            )
        },
    ),
    Case(
        "one-row-fails",
        "broken",
        ("Rows.AddAdds",),
        suite={KEEP: HEAD + ROWS.replace("Add(GetParam(), 1)", "Add(GetParam() % 3, 1)")},
        units={
            KEEP: (
                "keep",
                ("Rows.AddAdds", "Types.AddAdds", "More.AddAdds", "Fixture.AddAdds", "Arithmetic.AddAdds"),
            )
        },
    ),
    Case(
        "unlisted",
        "broken",
        ("Arithmetic.Other",),
        suite={KEEP: f"{HEAD}{ADD}TEST(Arithmetic, Other) {{}}\n"},
    ),
    Case(
        "exception",
        "broken",
        ("AddAdds", "gone"),
        suite=keep('throw std::runtime_error("gone");'),
    ),
    Case("main-of-the-product", "resolved", tree={"main.cc": "int main() { return 0; }\n"}),
    Case(
        "shadowed-framework",
        "resolved",
        tree={"gtest/gtest.h": "#error never read\n#define GOOGLETEST_INCLUDE_GTEST_GTEST_H_\n"},
    ),
    Case(
        "does-not-compile",
        "broken",
        ("arithmetic.cc:1: expected",),
        tree={"arithmetic.cc": "int Add(\n"},
    ),
)
