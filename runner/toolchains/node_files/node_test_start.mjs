// In the process that loads the product: says at once which test begins.
import { beforeEach } from 'node:test'
import { tell } from './events.mjs'

if (process.env.NODE_TEST_CONTEXT?.startsWith('child')) {
  beforeEach((test) => tell({ start: test.fullName ?? test.name }))
}
