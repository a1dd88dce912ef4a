"""JavaScript's cases, under node:test."""

from __future__ import annotations

from tests.toolchains.case import Case

KEEP, GAIN, SOURCE = "suite_tests/keep.test.js", "suite_tests/gain.test.js", "arithmetic.js"
HEAD = (
    "import assert from 'node:assert/strict'\nimport test, { describe } from 'node:test'\n"
    "import { add } from '../arithmetic.js'\n\n"
)
WRONG = "assert.equal(add(2, 3), 6)"
DOUBLE = "export function double(number) {\n  return 2 * number\n}\n"
ROWS = """\
describe('a b', () => {
  describe('[x]', () => {
    test('ü > $(y)', () => assert.equal(add(2, 3), 5))
  })
  test('ü', () => assert.equal(add(2, 3), 5))
})
for (const number of [1, 2]) test(`${number} and 2`, () => assert.equal(add(number, 2) - number, 2))
test('ü', () => assert.equal(add(2, 3), 5))
"""
NAMES = ("a b > [x] > ü > $(y)", "a b > ü", "1 and 2", "2 and 2", "ü")


def keep(body: str) -> dict[str, str | None]:
    """A keep unit whose only test has this body."""
    return {KEEP: f"{HEAD}test('add adds', async () => {{\n  {body}\n}})\n"}


CASES = (
    Case("crash", "broken", ("adds",), suite=keep("process.kill(process.pid, 'SIGKILL')\n  for (;;) {}")),
    Case("exit", "broken", ("adds",), suite=keep("process.exit(0)")),
    Case("hang", "exhausted", ("CPU time", "adds"), suite=keep("for (;;) {}"), limits={"cpu_seconds": 8}),
    Case(
        "forged",
        "broken",
        ("adds",),
        suite=keep(f'console.log(\'{{{{"end": "add adds", "outcome": "passed"}}}}\')\n  {WRONG}'),
    ),
    Case("silent", "broken", ("adds",), suite=keep(f"process.reallyExit(0)\n  {WRONG}")),
    Case("unloaded-gain", "incomplete", (GAIN, "double"), from_base=True),
    Case("unloaded-keep", "broken", (KEEP, "arithmetic"), tree={SOURCE: None}),
    Case("name-gone", "broken", (KEEP, "add"), tree={SOURCE: DOUBLE}),
    Case("broken-neighbour", "incomplete", (GAIN,), suite={GAIN: "test('double doubles', (\n"}),
    Case(
        "late-error",
        "broken",
        ("too late",),
        suite=keep(
            "setTimeout(() => { throw new Error('too late') })\n  await new Promise((done) => setTimeout(done, 50))"
        ),
    ),
    Case(
        "skipped", "broken", ("adds", "skipped"), suite={KEEP: f"{HEAD}test.skip('add adds', () => {{}})\n"}
    ),
    Case(
        "names",
        "resolved",
        suite={KEEP: f"{HEAD}{ROWS}"},
        units={KEEP: ("keep", NAMES)},
    ),
    Case(
        "unlisted",
        "broken",
        ("other",),
        suite={KEEP: f"{HEAD}test('add adds', () => {{}})\ntest('other', () => {{}})\n"},
    ),
    Case("does-not-compile", "broken", (f"{SOURCE}:2: ",), tree={SOURCE: "export const add =\n)\n"}),
    Case(
        "does-not-compile-elsewhere",
        "broken",
        (f"other/{SOURCE}:1: ",),
        tree={f"other/{SOURCE}": "export const = 1\n"},
    ),
)
