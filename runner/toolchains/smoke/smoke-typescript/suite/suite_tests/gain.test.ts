import { expect, test } from 'vitest'
import { double } from '../arithmetic'

test('double doubles', () => {
  expect(double(21)).toBe(42)
})
