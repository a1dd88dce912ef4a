"""TypeScript's cases, under Vitest."""

from __future__ import annotations

from tests.toolchains.case import Case
from tests.toolchains.ecmascript import Dialect, cases

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
DIALECT = Dialect(
    suffix="ts",
    head="import { describe, expect, test } from 'vitest'\nimport { add } from '../arithmetic'\n\n",
    wrong="expect(add(2, 3)).toBe(6)",
    double="export function double(number: number): number {\n  return 2 * number\n}\n",
    rows=ROWS,
    names=("a b > [x] > ü > $(y)", "a b > ü", "1 and 2", "3 and 4", "ü"),
)
CASES = (
    *cases(DIALECT),
    Case(
        "suite-that-fails",
        "broken",
        ("no more",),
        suite={DIALECT.keep_file: f"{DIALECT.head}throw new Error('no more')\n"},
    ),
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
