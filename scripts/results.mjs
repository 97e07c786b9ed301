// What came of a run of tests: counts, the failures with their messages in a file that stays, and the processor time.
import { appendFileSync, existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { ROOT, seconds } from './command.mjs'

/** @typedef {{ readonly passed: number, readonly failed: number, readonly skipped: number }} Counts */

/** @type {Counts} */
export const NOTHING = { passed: 0, failed: 0, skipped: 0 }

/** @type {Counts} What ends early has not passed. */
export const FAILED = { passed: 0, failed: 1, skipped: 0 }

/** @type {Counts} */
export const PASSED = { passed: 1, failed: 0, skipped: 0 }

/** Where the failures of the last run are, with their messages. */
export const FAILURES = join('test-results', 'failures.txt')

/** Names the file of failures to the processes that are part of a run. */
const SHARED = 'TEST_FAILURES'
/** What a line begins with that names what has failed; what follows indented is its message. */
const FAILURE = 'failed: '
/** How many failures the last lines of a run tell. */
const MOST_TOLD = 100

/**
 * @param {Counts} one
 * @param {Counts} other
 * @returns {Counts}
 */
export function sum(one, other) {
  return {
    passed: one.passed + other.passed,
    failed: one.failed + other.failed,
    skipped: one.skipped + other.skipped,
  }
}

/** @param {Counts} counts */
export function inWords({ passed, failed, skipped }) {
  return `${passed} passed, ${failed} failed, ${skipped} skipped`
}

/**
 * The counts that a text ends with; null where it does not.
 * @param {string} text
 * @returns {Counts | null}
 */
export function readCounts(text) {
  const [, passed, failed, skipped] = /(?:^|\n)(\d+) passed, (\d+) failed, (\d+) skipped\s*$/.exec(text) ?? []
  return passed === undefined ? null : { passed: Number(passed), failed: Number(failed), skipped: Number(skipped) }
}

/** One line of a failure: what has failed, and the first that is said of it. */
export function failureLine(name, message = '') {
  const [first = ''] = message.trim().split('\n')
  return `${FAILURE}${name}${first === '' ? '' : `: ${first.slice(0, 300)}`}`
}

/**
 * Writes down that something has failed.
 * @param {string} name
 * @param {string} message all that is said of it
 */
export function noteFailure(name, message = '') {
  const file = process.env[SHARED]
  if (file === undefined) return
  const rest = message.trim().split('\n').slice(1)
  appendFileSync(file, `${[failureLine(name, message), ...rest.map((line) => `    ${line}`)].join('\n')}\n`)
}

/**
 * Begins a run, which ends with the last lines of stdout when this process does: what has failed, the time that it took, and its counts. Of a run
 * that is a part of another, the counts alone.
 * @param {() => Counts} counts
 */
export function beginRun(counts) {
  const isPart = process.env[SHARED] !== undefined
  if (!isPart) {
    const file = join(ROOT, FAILURES)
    mkdirSync(join(file, '..'), { recursive: true })
    writeFileSync(file, '')
    process.env[SHARED] = file
  }
  process.on('exit', () => {
    if (!isPart) tellEnd()
    process.stdout.write(`${inWords(counts())}\n`)
  })
  for (const signal of ['SIGINT', 'SIGTERM']) process.on(signal, () => process.exit(1))
}

const atEnd = []

/** Tells something before the last lines. */
export function tellAtEnd(line) {
  atEnd.push(line)
}

function tellEnd() {
  const failures = failuresIn(readFileSync(process.env[SHARED], 'utf8'))
  for (const failure of failures.slice(0, MOST_TOLD)) process.stdout.write(`${failure}\n`)
  const more = failures.length > MOST_TOLD ? `${failures.length - MOST_TOLD} more, and ` : ''
  if (failures.length > 0) process.stdout.write(`${more}all messages: ${FAILURES}\n`)
  for (const line of atEnd) process.stdout.write(`${line}\n`)
  process.stdout.write(`${timesInWords()}\n`)
}

/**
 * The lines of a text that name what has failed.
 * @param {string} text
 * @returns {readonly string[]}
 */
export function failuresIn(text) {
  return text.split('\n').filter((line) => line.startsWith(FAILURE))
}

/** How long this process has run, and the processor time that it and the processes it has ended have used. */
function timesInWords() {
  const wall = `took ${seconds(process.uptime() * 1000)}`
  const used = processorSeconds()
  return used === null ? wall : `${wall}, processors ${Math.round(used)} s`
}

/** Clock ticks of a second, in which Linux counts. */
const TICKS = 100

/** Null where the system does not tell of children. */
function processorSeconds() {
  const stat = '/proc/self/stat'
  if (!existsSync(stat)) return null
  // Behind the name of the program: utime, stime, cutime, cstime are the fields 14 to 17 of the line.
  const fields = readFileSync(stat, 'utf8').split(') ').at(-1).split(' ')
  return fields.slice(11, 15).reduce((sum, ticks) => sum + Number(ticks), 0) / TICKS
}
