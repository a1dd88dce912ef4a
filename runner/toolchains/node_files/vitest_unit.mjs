// Runs one unit under Vitest with our configuration alone; the product is loaded in a process of Vitest's.
import { startVitest } from '/opt/node/node_modules/vitest/dist/node.js'
import { said, settings, tell } from './events.mjs'

const OUTCOMES = { passed: 'passed', failed: 'failed', skipped: 'skipped' }
const [unit] = process.argv.slice(2)
let ended = 0

class Report {
  onTestCaseResult(test) {
    const { state, errors = [], note } = test.result()
    const message = errors.length > 0 ? said(errors[0]) : (note ?? '')
    ended += 1
    tell({ end: test.fullName, outcome: OUTCOMES[state] ?? 'failed', message, seconds: (test.diagnostic()?.duration ?? 0) / 1000 })
  }

  onTestSuiteResult(suite) {
    for (const error of suite.errors()) tell({ loose: said(error), within: suite.fullName })
  }

  onTestRunEnd(modules, unhandled) {
    for (const error of modules.flatMap((module) => module.errors())) tell({ wrong: said(error) })
    for (const error of unhandled) tell({ loose: said(error), within: '' })
    tell({ closed: ended, modules: modules.length })
  }
}

const escaped = unit.replace(/[\\*?[\]{}()!+@$|]/g, '\\$&')
const vitest = await startVitest(
  'test',
  [],
  {
    config: false,
    root: settings.tree,
    dir: settings.tree,
    watch: false,
    include: [escaped],
    exclude: [],
    runner: `${settings.trusted}/vitest_runner.mjs`,
    reporters: [new Report()],
    pool: 'forks',
    poolOptions: { forks: { singleFork: true, execArgv: ['--v8-pool-size=1'] } },
    fileParallelism: false,
    maxConcurrency: 1,
    testTimeout: 60_000,
    hookTimeout: 60_000,
    teardownTimeout: 1_000,
    passWithNoTests: true,
    globals: false,
    environment: 'node',
    setupFiles: [],
    globalSetup: [],
    cache: false,
    update: false,
    coverage: { enabled: false },
    typecheck: { enabled: false },
    disableConsoleIntercept: true,
    allowOnly: true,
    server: { deps: { cacheDir: `${settings.build}/vite` } },
  },
  {
    configFile: false,
    envDir: settings.trusted,
    cacheDir: `${settings.build}/vite`,
    publicDir: false,
    clearScreen: false,
    css: { postcss: { plugins: [] } },
    esbuild: { target: 'es2022', tsconfigRaw: '{}' },
    optimizeDeps: { noDiscovery: true, include: [] },
    resolve: { alias: [{ find: /^vitest$/, replacement: '/opt/node/node_modules/vitest/dist/index.js' }] },
    server: { watch: null, hmr: false, ws: false, fs: { strict: false } },
  },
)
await vitest?.close()
