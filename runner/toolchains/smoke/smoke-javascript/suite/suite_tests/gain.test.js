import assert from 'node:assert/strict'
import test from 'node:test'
import { double } from '../arithmetic.js'

test('double doubles', () => {
  assert.equal(double(21), 42)
})
