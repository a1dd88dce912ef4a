// Events of one unit, a JSON line each, written at once to the pipe that the runner reads.
import { openSync, readFileSync, writeSync } from 'node:fs'

const { parse, stringify } = JSON
export const settings = parse(readFileSync(new URL('./settings.json', import.meta.url), 'utf8'))

let pipe

/** Write one event. */
export function tell(event) {
  pipe ??= openSync(`${settings.build}/events`, 'a')
  writeSync(pipe, `${stringify(event)}\n`)
}

/** The message of an error, on one line. */
export function said(error) {
  const text = error?.message ?? String(error)
  return text.replace(/\u001b\[\d*m/g, '').replace(/\s+/g, ' ').slice(0, 300)
}
