"""JavaScript's cases, under node:test."""

from __future__ import annotations

from tests.toolchains.ecmascript import Dialect, cases

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
DIALECT = Dialect(
    suffix="js",
    head="import assert from 'node:assert/strict'\nimport test, { describe } from 'node:test'\n"
    "import { add } from '../arithmetic.js'\n\n",
    wrong="assert.equal(add(2, 3), 6)",
    double="export function double(number) {\n  return 2 * number\n}\n",
    rows=ROWS,
    names=("a b > [x] > ü > $(y)", "a b > ü", "1 and 2", "2 and 2", "ü"),
)
CASES = cases(DIALECT)
