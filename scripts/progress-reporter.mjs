// What a run of vitest says: each failure at once, a line of how far it is now and then, and its counts in a file.
import { writeFileSync } from 'node:fs'
import { relative } from 'node:path'
import { stripVTControlCharacters } from 'node:util'
import { say, seconds } from './command.mjs'
import { FAILED, failureLine, NOTHING, noteFailure } from './results.mjs'

const EVERY_MS = 10_000

/** Names to this reporter the file that it writes its counts into, as JSON. */
export const COUNTS_FILE = 'TEST_COUNTS'
/** Names the run, where several go on at a time. */
export const RUN_NAME = 'TEST_RUN'

const RUN = process.env[RUN_NAME]

class ProgressReporter {
  #root = ''
  #files = 0
  #done = 0
  #failed = 0
  #started = Date.now()
  /** Files that run now, and since when. */
  #running = new Map()
  #timer

  onInit(vitest) {
    this.#root = vitest.config.root
  }

  onTestRunStart(specifications) {
    this.#files = specifications.length
    this.#started = Date.now()
    this.#tell()
    this.#timer = setInterval(() => this.#tell(), EVERY_MS)
  }

  onTestModuleStart(module) {
    this.#running.set(module.id, { name: this.#nameOf(module), since: Date.now() })
  }

  onTestCaseResult(test) {
    const { state, errors = [] } = test.result()
    if (state === 'failed') this.#fail(`${this.#nameOf(test.module)} > ${test.fullName}`, errors)
  }

  onTestSuiteResult(suite) {
    const errors = suite.errors()
    if (errors.length > 0) this.#fail(`${this.#nameOf(suite.module)} > ${suite.fullName}`, errors)
  }

  onTestModuleEnd(module) {
    this.#running.delete(module.id)
    this.#done += 1
    const errors = module.errors()
    if (errors.length > 0) this.#fail(this.#nameOf(module), errors)
  }

  onTestRunEnd(modules, errors) {
    clearInterval(this.#timer)
    for (const error of errors) this.#fail('outside of tests', [error])
    this.#tell()
    const file = process.env[COUNTS_FILE]
    if (file !== undefined) writeFileSync(file, JSON.stringify(this.#counts(modules, errors)))
  }

  #counts(modules, errors) {
    const counts = { ...NOTHING }
    for (const module of modules) {
      const states = [...module.children.allTests()].map((test) => test.result().state)
      for (const state of states) counts[state === 'pending' ? 'skipped' : state] += 1
      // One that fails before its first test, or beside its tests.
      if (module.state() === 'failed' && !states.includes('failed')) counts.failed += 1
    }
    return errors.length > 0 && counts.failed === 0 ? { ...counts, failed: FAILED.failed } : counts
  }

  #nameOf(module) {
    const { name } = module.project
    return `${relative(this.#root, module.moduleId)}${name ? ` (${RUN === undefined ? name : `${name}, ${RUN}`})` : ''}`
  }

  #fail(name, errors) {
    this.#failed += 1
    const message = errors.map(messageOf).join('\n')
    say(failureLine(name, message))
    noteFailure(name, message)
  }

  #tell() {
    const now = [...this.#running.values()].map(({ name, since }) => `${name} ${seconds(Date.now() - since)}`)
    const [done, time] = [`${this.#done} of ${this.#files} files`, seconds(Date.now() - this.#started)]
    say(
      `${RUN === undefined ? '' : `${RUN}, `}${time}: ${done}, ${this.#failed} failures${now.length > 0 ? `; now ${now.join(', ')}` : ''}`,
    )
  }
}

/** What an error says, what was other than expected, and where. */
function messageOf({ name, message, diff, stack = '' }) {
  const places = stack.split('\n').filter((line) => /^\s+at /.test(line))
  return stripVTControlCharacters([`${name}: ${message}`, ...(diff ? [diff] : []), ...places].join('\n'))
}

// biome-ignore lint/style/noDefaultExport: this is how vitest is given a reporter.
export default ProgressReporter
