import { expect, test } from 'vitest'
import { add } from '../arithmetic'

test('add adds', () => {
  expect(add(2, 3)).toBe(5)
})
