// Runs test files with vitest, and counts what came of them. What counts in words is one line: `N passed, N failed, N skipped`.
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { runProgram } from './command.mjs'

/** @typedef {{ readonly passed: number, readonly failed: number, readonly skipped: number }} Counts */

/** @type {Counts} */
export const NOTHING = { passed: 0, failed: 0, skipped: 0 }

/** @type {Counts} What ends early has not passed. */
export const FAILED = { passed: 0, failed: 1, skipped: 0 }

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

/** What a line begins with that names what has failed. */
const FAILURE = 'failed: '

/**
 * Names on stdout what has failed.
 * @param {string} name
 */
export function tellFailure(name) {
  process.stdout.write(`${FAILURE}${name}\n`)
}

/**
 * What has failed by the lines of a text.
 * @param {string} text
 * @returns {readonly string[]}
 */
export function failuresIn(text) {
  const lines = text.split('\n').filter((line) => line.startsWith(FAILURE))
  return lines.map((line) => line.slice(FAILURE.length))
}

/**
 * Runs vitest with these arguments, by this Node.js, in this directory.
 * @param {readonly string[]} parameters
 * @param {{ node?: string, cwd?: string, env?: NodeJS.ProcessEnv }} where
 * @returns {Promise<{ ok: boolean, counts: Counts }>}
 */
export async function runSuites(parameters, { node = process.execPath, ...where } = {}) {
  const directory = mkdtempSync(join(tmpdir(), 'quarry-test-'))
  try {
    const report = join(directory, 'report.json')
    const reporters = ['--reporter=dot', '--reporter=json', `--outputFile.json=${report}`]
    const vitest = [join('node_modules', 'vitest', 'vitest.mjs'), 'run', ...reporters, ...parameters]
    const { ok } = await runProgram(node, vitest, where)
    for (const name of failedTests(report)) tellFailure(name)
    return { ok, counts: countTests(report, ok) }
  } finally {
    rmSync(directory, { recursive: true, force: true })
  }
}

/**
 * Every test that failed, with its file; the file alone where it failed before its first test.
 * @param {string} file the report of vitest
 * @returns {readonly string[]}
 */
export function failedTests(file) {
  if (!existsSync(file)) return []
  const { testResults } = JSON.parse(readFileSync(file, 'utf8'))
  return testResults
    .filter(({ status }) => status === 'failed')
    .flatMap(({ name, assertionResults }) => {
      const failed = assertionResults.filter(({ status }) => status === 'failed')
      return failed.length === 0 ? [name] : failed.map(({ fullName }) => `${name}: ${fullName}`)
    })
}

/** Reads vitest's report. A file that fails before its first test, or an error outside of tests, counts as a failure. */
function countTests(file, ok) {
  try {
    const report = JSON.parse(readFileSync(file, 'utf8'))
    const broken = report.testResults.filter(
      (suite) => suite.status === 'failed' && suite.assertionResults.length === 0,
    )
    const failed = report.numFailedTests + broken.length
    return {
      passed: report.numPassedTests,
      failed: failed === 0 && !ok ? 1 : failed,
      skipped: report.numPendingTests + report.numTodoTests,
    }
  } catch {
    return FAILED
  }
}
