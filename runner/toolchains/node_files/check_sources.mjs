// Parses the sources named as arguments with esbuild; the last line of the output is the first error.
import { readFileSync } from 'node:fs'
import { extname } from 'node:path'
import { transformSync } from '/opt/node/node_modules/esbuild/lib/main.js'

const LOADERS = { '.ts': 'ts', '.mts': 'ts', '.cts': 'ts', '.tsx': 'tsx', '.jsx': 'jsx' }

let first = ''
for (const path of process.argv.slice(2)) {
  try {
    transformSync(readFileSync(path, 'utf8'), {
      loader: LOADERS[extname(path)] ?? 'js',
      logLevel: 'silent',
      sourcefile: path,
      tsconfigRaw: '{}',
    })
  } catch (error) {
    const [{ location, text }] = error.errors?.length ? error.errors : [{ text: error.message }]
    first ||= `${path}:${location?.line ?? 1}: ${text}`
  }
}
if (first) {
  console.log(first)
  process.exit(1)
}
