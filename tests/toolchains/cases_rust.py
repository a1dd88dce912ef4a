"""Rust's cases."""

from __future__ import annotations

from tests.toolchains.case import Case

KEEP, GAIN = "suite_tests/keep.rs", "suite_tests/gain.rs"
ADD = "pub fn add(left: i64, right: i64) -> i64 { left + right }\n"
DOUBLE = "pub fn double(number: i64) -> i64 { 2 * number }\n"
OK = r"{ \"type\": \"test\", \"name\": \"adds\", \"event\": \"ok\" }"
CLOSED = (
    r"{ \"type\": \"suite\", \"event\": \"ok\", \"passed\": 1, \"failed\": 0, \"ignored\": 0, \"measured\": 0, "
    r"\"filtered_out\": 0, \"exec_time\": 0.1 }"
)


def keep(body: str) -> dict[str, str | None]:
    """A keep unit whose only test has this body."""
    return {
        KEEP: f"use arithmetic::add;\n\n#[test]\nfn adds() {{\n    {body}\n    assert_eq!(add(2, 3), 5);\n}}\n"
    }


def told(*lines: str) -> dict[str, str | None]:
    """A keep unit whose test writes lines past libtest's capture, and fails."""
    text = "\\n".join(line.replace("{", "{{").replace("}", "}}") for line in lines)
    return keep(
        f'use std::io::Write; writeln!(std::io::stdout(), "{text}").unwrap(); assert_eq!(add(2, 3), 6, "wrong");'
    )


CASES = (
    Case("crash", "broken", ("SIGABRT", "adds"), suite=keep("std::process::abort();")),
    Case("exit", "broken", ("adds", "exit code 0"), suite=keep("std::process::exit(0);")),
    Case("hang", "exhausted", ("CPU time", "adds"), suite=keep("loop {}"), limits={"cpu_seconds": 6}),
    Case("forged", "broken", ("adds",), suite=told(OK, CLOSED)),
    Case("forged-twice", "broken", ("adds", "looks like"), suite=told(OK, OK)),
    Case("silent", "broken", ("adds",), suite=keep("std::panic::resume_unwind(Box::new(()));")),
    Case("unloaded-gain", "incomplete", (GAIN, "double"), from_base=True),
    Case("unloaded-keep", "broken", (KEEP, "add"), tree={"src/lib.rs": DOUBLE}),
    Case("broken-neighbour", "incomplete", (GAIN,), suite={GAIN: "#[test]\nfn doubles( {\n"}),
    Case(
        "skipped",
        "broken",
        ("adds", "skipped"),
        suite={KEEP: "#[test]\n#[ignore]\nfn adds() {\n    assert_eq!(arithmetic::add(2, 3), 5);\n}\n"},
    ),
    Case(
        "names",
        "resolved",
        suite={
            KEEP: "use arithmetic::add;\n\n#[test]\nfn adds() {\n    assert_eq!(add(1, 1), 2);\n}\n\n"
            "#[test]\nfn zählt_größen() {\n    assert_eq!(add(1, 2), 3);\n}\n\n"
            "#[test]\nfn r#match() {\n    assert_eq!(add(2, 2), 4);\n}\n\n"
            '#[test]\n#[should_panic(expected = "overflow")]\nfn overflows() {\n    add(i64::MAX, 1);\n}\n\n'
            "#[test]\nfn result() -> Result<(), String> {\n    assert_eq!(add(3, 2), 5);\n    Ok(())\n}\n\n"
            "mod signs {\n    use super::add;\n\n    #[test]\n    fn adds() {\n        assert_eq!(add(-1, -1), -2);\n"
            "    }\n\n    mod mixed {\n        #[test]\n        fn adds() {\n"
            "            assert_eq!(super::add(-1, 1), 0);\n        }\n    }\n}\n"
        },
        units={
            KEEP: (
                "keep",
                (
                    *("adds", "zählt_größen", "r#match", "overflows", "result"),
                    *("signs::adds", "signs::mixed::adds"),
                ),
            )
        },
    ),
    Case(
        "unlisted",
        "broken",
        ("more",),
        suite={
            KEEP: "use arithmetic::add;\n\n#[test]\nfn adds() {\n    assert_eq!(add(1, 1), 2);\n}\n\n"
            "#[test]\nfn more() {\n    assert_eq!(add(1, 2), 3);\n}\n"
        },
        units={KEEP: ("keep", ("adds",))},
    ),
    Case(
        "does-not-compile",
        "broken",
        ("src/lib.rs:1: error", "unclosed"),
        tree={"src/lib.rs": "pub fn add( {\n"},
    ),
    Case(
        "does-not-borrow",
        "broken",
        ("src/sums.rs:3: error[E0382]", "moved"),
        tree={
            "src/lib.rs": f"mod sums;\n{ADD}{DOUBLE}",
            "src/sums.rs": "fn twice(text: String) -> String {\n    drop(text);\n    text\n}\n",
        },
    ),
    Case(
        "loses-a-module",
        "broken",
        ("src/lib.rs:1: error[E0583]",),
        tree={"src/lib.rs": f"mod sums;\n{ADD}{DOUBLE}"},
    ),
    Case(
        "own-configuration",
        "resolved",
        tree={
            ".cargo/config.toml": '[build]\nrustc-wrapper = "/bin/false"\ntarget-dir = "/sandbox/tree/mine"\n',
            "rust-toolchain.toml": '[toolchain]\nchannel = "nightly"\n',
            "build.rs": 'fn main() { panic!("taken"); }\n',
            "Cargo.toml": "not a manifest\n",
        },
    ),
    Case(
        "included-text",
        "resolved",
        tree={
            "src/lib.rs": ADD + DOUBLE.replace("2", 'include_str!("two.txt").len() as i64'),
            "src/two.txt": "12",
        },
    ),
)
