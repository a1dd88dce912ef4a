"""The cases that Vitest and node:test share."""

from __future__ import annotations

from dataclasses import dataclass

from tests.toolchains.case import Case


@dataclass(frozen=True, slots=True)
class Dialect:
    """How a language and its framework write what the cases need: a suite file's `head`, an expectation that
    is `wrong`, the product without `add` (`double`), and tests in `rows` whose names are `names`."""

    suffix: str
    head: str
    wrong: str
    double: str
    rows: str
    names: tuple[str, ...]

    @property
    def keep_file(self) -> str:
        return f"suite_tests/keep.test.{self.suffix}"

    @property
    def gain_file(self) -> str:
        return f"suite_tests/gain.test.{self.suffix}"

    @property
    def source(self) -> str:
        return f"arithmetic.{self.suffix}"

    def keep(self, body: str) -> dict[str, str | None]:
        """A keep unit whose only test has this body."""
        return {self.keep_file: f"{self.head}test('add adds', async () => {{\n  {body}\n}})\n"}


def cases(dialect: Dialect) -> tuple[Case, ...]:
    """What both have to bear."""
    keep, wrong, source = dialect.keep, dialect.wrong, dialect.source
    keep_file, gain_file, head = dialect.keep_file, dialect.gain_file, dialect.head
    return (
        Case("crash", "broken", ("adds",), suite=keep("process.kill(process.pid, 'SIGKILL')\n  for (;;) {}")),
        Case("exit", "broken", ("adds",), suite=keep("process.exit(0)")),
        Case("hang", "exhausted", ("CPU time", "adds"), suite=keep("for (;;) {}"), limits={"cpu_seconds": 8}),
        Case(
            "forged",
            "broken",
            ("adds",),
            suite=keep(f'console.log(\'{{{{"end": "add adds", "outcome": "passed"}}}}\')\n  {wrong}'),
        ),
        Case("silent", "broken", ("adds",), suite=keep(f"process.reallyExit(0)\n  {wrong}")),
        Case("unloaded-gain", "incomplete", (gain_file, "double"), from_base=True),
        Case("unloaded-keep", "broken", (keep_file, "arithmetic"), tree={source: None}),
        Case("name-gone", "broken", (keep_file, "add"), tree={source: dialect.double}),
        Case("broken-neighbour", "incomplete", (gain_file,), suite={gain_file: "test('double doubles', (\n"}),
        Case(
            "late-error",
            "broken",
            ("too late",),
            suite=keep(
                "setTimeout(() => { throw new Error('too late') })\n  await new Promise((done) => setTimeout(done, 50))"
            ),
        ),
        Case(
            "skipped",
            "broken",
            ("adds", "skipped"),
            suite={keep_file: f"{head}test.skip('add adds', () => {{}})\n"},
        ),
        Case(
            "names",
            "resolved",
            suite={keep_file: f"{head}{dialect.rows}"},
            units={keep_file: ("keep", dialect.names)},
        ),
        Case(
            "unlisted",
            "broken",
            ("other",),
            suite={keep_file: f"{head}test('add adds', () => {{}})\ntest('other', () => {{}})\n"},
        ),
        Case("does-not-compile", "broken", (f"{source}:2: ",), tree={source: "export const add =\n)\n"}),
        Case(
            "does-not-compile-elsewhere",
            "broken",
            (f"other/{source}:1: ",),
            tree={f"other/{source}": "export const = 1\n"},
        ),
    )
