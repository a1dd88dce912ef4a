// Runs one unit under node:test; the product is loaded in a process that node:test starts for the file.
import { join } from 'node:path'
import { run } from 'node:test'
import { said, settings, tell } from './events.mjs'

const [unit] = process.argv.slice(2)
const file = join(settings.tree, unit)
const names = []
let ended = 0
let cried = ''

const isFile = (event) => event.nesting === 0 && [unit, file].includes(event.name)
const path = ({ name, nesting }) => [...names.slice(0, nesting), name].join(' > ')

function result(event, outcome) {
  if (isFile(event)) {
    if (outcome === 'failed') tell({ wrong: /^\w*Error\b.*$/m.exec(cried)?.[0] ?? said(event.details.error?.cause ?? event.details.error) })
    return
  }
  if (event.details.type === 'suite') {
    if (outcome === 'failed') tell({ loose: said(event.details.error), within: path(event) })
    return
  }
  const skipped = event.skip !== undefined || event.todo !== undefined
  const error = event.details.error?.cause ?? event.details.error
  ended += 1
  tell({
    end: path(event),
    outcome: outcome === 'passed' && skipped ? 'skipped' : outcome,
    message: error === undefined ? (skipped ? 'skipped' : '') : said(error),
    seconds: event.details.duration_ms / 1000,
  })
}

const stream = run({ files: [file], concurrency: 1, timeout: 120_000 })
stream.on('test:dequeue', (event) => {
  names[event.nesting] = event.name
})
stream.on('test:start', (event) => {
  names[event.nesting] = event.name
})
stream.on('test:pass', (event) => result(event, 'passed'))
stream.on('test:fail', (event) => result(event, 'failed'))
stream.on('test:stdout', ({ message }) => process.stdout.write(message))
stream.on('test:stderr', ({ message }) => {
  cried = (cried + message).slice(-65_536)
  process.stderr.write(message)
})
stream.on('end', () => tell({ closed: ended, modules: 1 }))
stream.resume()
