// Vitest's own runner inside the process that loads the product; it says at once which test begins.
import { VitestTestRunner } from '/opt/node/node_modules/vitest/dist/runners.js'
import { settings, tell } from './events.mjs'

const place = new Map(settings.order.map((test, number) => [test.slice(test.indexOf('::') + 2), number]))

const named = (task) => (task.suite?.suite || task.suite?.name ? `${named(task.suite)} > ${task.name}` : task.name)
const first = (task) => (task.tasks ? Math.min(...task.tasks.map(first)) : (place.get(named(task)) ?? place.size))

function ordered(suite) {
  suite.tasks.sort((one, other) => first(one) - first(other))
  suite.tasks.filter((task) => task.tasks).forEach(ordered)
}

export default class extends VitestTestRunner {
  onCollected(files) {
    files.forEach(ordered)
  }

  async onBeforeRunTask(test) {
    await super.onBeforeRunTask(test)
    if (test.mode === 'run' || test.mode === 'queued') tell({ start: named(test) })
  }
}
