"""TypeScript's cases, under Vitest."""

from __future__ import annotations

from tests.toolchains.case import Case

KEEP, GAIN, SOURCE = "suite_tests/keep.test.ts", "suite_tests/gain.test.ts", "arithmetic.ts"
HEAD = "import { describe, expect, test } from 'vitest'\nimport { add } from '../arithmetic'\n\n"
WRONG = "expect(add(2, 3)).toBe(6)"
DOUBLE = "export function double(number: number): number {\n  return 2 * number\n}\n"
ROWS = """\
describe('a b', () => {
  describe('[x]', () => {
    test('ü > $(y)', () => expect(add(2, 3)).toBe(5))
  })
  test('ü', () => expect(add(2, 3)).toBe(5))
})
test.each([[1, 2], [3, 4]])('%i and %i', (left, right) => expect(add(left, right) - left).toBe(right))
test('ü', () => expect(add(2, 3)).toBe(5))
"""
NAMES = ("a b > [x] > ü > $(y)", "a b > ü", "1 and 2", "3 and 4", "ü")


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
    Case("suite-that-fails", "broken", ("no more",), suite={KEEP: f"{HEAD}throw new Error('no more')\n"}),
    Case(
        "configuration-is-not-read",
        "resolved",
        tree={
            "vitest.config.ts": "throw new Error('read')\n",
            "tsconfig.json": "{ not json\n",
            "vite.config.ts": "throw new Error('read')\n",
            "node_modules/vitest/index.js": "throw new Error('read')\n",
        },
    ),
)
