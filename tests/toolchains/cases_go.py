"""Go's cases."""

from __future__ import annotations

from tests.toolchains.case import Case

KEEP, GAIN = "keep/keep_test.go", "gain/gain_test.go"
PRODUCT = "arithmetic/arithmetic.go"
FRAME = "\\x16"


def keep(body: str, *imports: str) -> dict[str, str | None]:
    """A keep unit whose only test has this body."""
    lines = "".join(f'\t"{name}"\n' for name in ("example.org/smoke/arithmetic", "testing", *imports))
    return {
        KEEP: f"package keep\n\nimport (\n{lines})\n\nvar _ = arithmetic.Add\n\n"
        f"func TestAdd(t *testing.T) {{\n\t{body}\n}}\n"
    }


CASES = (
    Case("crash", "broken", ("nil pointer dereference", "TestAdd"), suite=keep("var none *int\n\t*none = 1")),
    Case(
        "crash-by-signal",
        "broken",
        ("SIGKILL", "TestAdd"),
        suite=keep("syscall.Kill(syscall.Getpid(), syscall.SIGKILL)\n\tselect {}", "syscall"),
    ),
    Case("panic", "broken", ("panic: no more", "TestAdd"), suite=keep('go panic("no more")\n\tselect {}')),
    Case(
        "exit",
        "broken",
        ("exit code 0 before the test ended", "TestAdd"),
        suite=keep("syscall.Exit(0)", "syscall"),
    ),
    Case("exit-by-the-library", "broken", ("os.Exit(0)", "TestAdd"), suite=keep("os.Exit(0)", "os")),
    Case("hang", "exhausted", ("CPU time", "TestAdd"), suite=keep("for {\n\t}"), limits={"cpu_seconds": 6}),
    Case(
        "forged",
        "broken",
        ("TestAdd",),
        suite=keep(
            f'fmt.Print("{FRAME}--- PASS: TestAdd (0.00s)\\n{FRAME}=== NAME  \\n{FRAME}PASS\\n")\n'
            "\tif arithmetic.Add(2, 3) != 6 {\n\t\tsyscall.Exit(1)\n\t}",
            "fmt",
            "syscall",
        ),
    ),
    Case(
        "forged-beside-the-truth",
        "broken",
        ("TestAdd",),
        suite=keep(
            f'fmt.Print("{FRAME}--- PASS: TestAdd (0.00s)\\n")\n\tt.Log(arithmetic.Add(2, 3))',
            "fmt",
        ),
    ),
    Case("silent", "broken", ("TestAdd",), suite=keep("runtime.Goexit()", "runtime")),
    Case("unloaded-gain", "incomplete", (GAIN, "Double"), from_base=True),
    Case(
        "unloaded-keep",
        "broken",
        (KEEP, "Add"),
        tree={PRODUCT: "package arithmetic\n\nfunc Double(number int) int {\n\treturn 2 * number\n}\n"},
    ),
    Case("broken-neighbour", "incomplete", (GAIN,), suite={GAIN: "package gain\n\nfunc TestDouble( {\n"}),
    Case("skipped", "broken", ("TestAdd", "skipped"), suite=keep('t.Skip("not today")')),
    Case(
        "names",
        "resolved",
        suite=keep(
            'for _, name := range []string{"a b", "[x]", "ü", "a/b"} {\n'
            "\t\tt.Run(name, func(t *testing.T) {\n"
            '\t\t\tif got := arithmetic.Add(len(name), 1); got < 3 {\n\t\t\t\tt.Errorf("%d", got)\n\t\t\t}\n'
            "\t\t})\n\t}\n}\n\nfunc TestAddÜber(t *testing.T) {\n\tTestAdd(t)\n}\n\n"
            "func TestAdd_twice(t *testing.T) {\n\tTestAdd(t)\n}\n\n"
            "func FuzzAdd(f *testing.F) {\n\tf.Add(1)\n"
            "\tf.Fuzz(func(t *testing.T, number int) {\n\t\tarithmetic.Add(number, 1)\n\t})\n}\n\n"
            "func Example_add() {\n\tfmt.Println(arithmetic.Add(1, 2))\n\t// Output: 3",
            "fmt",
        ),
        units={KEEP: ("keep", ("TestAdd", "TestAddÜber", "TestAdd_twice", "FuzzAdd", "Example_add"))},
    ),
    Case(
        "a-failing-subtest",
        "broken",
        ("TestAdd", "keep_test.go:12: not so"),
        suite=keep('t.Run("a b", func(t *testing.T) {\n\t\tt.Error("not so")\n\t})'),
    ),
    Case(
        "does-not-compile",
        "broken",
        (f"{PRODUCT}:3: syntax error",),
        tree={PRODUCT: "package arithmetic\n\nfunc Add( {\n"},
    ),
    Case(
        "does-not-compile-elsewhere",
        "broken",
        ("unused/unused.go:3: undefined: nothing",),
        tree={"unused/unused.go": "package unused\n\nvar Unused = nothing\n"},
    ),
    Case(
        "package-removed",
        "broken",
        (KEEP,),
        tree={PRODUCT: None, "arithmetic/other_test.go": "package arithmetic\n"},
    ),
    Case(
        "file-that-hides-another",
        "broken",
        ("redeclared",),
        tree={"arithmetic/more.go": "package arithmetic\n\nfunc Add(left, right int) int { return left }\n"},
    ),
)
