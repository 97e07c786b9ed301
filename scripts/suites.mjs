// Runs test files with vitest, and counts what came of them.
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { ROOT, runNpm, runProgram } from './command.mjs'
import { COUNTS_FILE } from './progress-reporter.mjs'
import { FAILED, noteFailure, readCounts, sum } from './results.mjs'

/** @typedef {import('./results.mjs').Counts} Counts */

/**
 * Runs vitest with these arguments, by this Node.js, in this directory.
 * @param {readonly string[]} parameters
 * @param {{ node?: string, cwd?: string, env?: NodeJS.ProcessEnv }} where
 * @returns {Promise<{ ok: boolean, counts: Counts }>}
 */
export async function runSuites(parameters, { node = process.execPath, env = process.env, ...where } = {}) {
  const directory = mkdtempSync(join(tmpdir(), 'quarry-test-'))
  try {
    const file = join(directory, 'counts.json')
    const reporter = `--reporter=${join(ROOT, 'scripts', 'progress-reporter.mjs')}`
    const vitest = [join('node_modules', 'vitest', 'vitest.mjs'), 'run', reporter, ...parameters]
    const { ok } = await runProgram(node, vitest, { ...where, env: { ...env, [COUNTS_FILE]: file } })
    return { ok, counts: countsIn(file, ok) }
  } finally {
    rmSync(directory, { recursive: true, force: true })
  }
}

/** A run that ends without having told its counts has failed, whatever it has told before. */
function countsIn(file, ok) {
  try {
    const counts = JSON.parse(readFileSync(file, 'utf8'))
    return ok || counts.failed > 0 ? counts : { ...counts, failed: 1 }
  } catch {
    noteFailure('vitest', 'It ended before its tests did.')
    return FAILED
  }
}

/**
 * Runs a script of package.json that ends with a line of counts.
 * @param {string} script
 * @param {readonly string[]} parameters
 * @returns {Promise<{ ok: boolean, counts: Counts }>}
 */
export async function runScript(script, parameters = []) {
  const { ok, output } = await runNpm(['run', '--silent', script, '--', ...parameters], {
    stdio: ['ignore', 'pipe', 2],
  })
  process.stdout.write(output.replace(/^(?=\d+ passed)/m, `npm run ${script}: `))
  const counts = readCounts(output) ?? FAILED
  if (ok || counts.failed > 0) return { ok, counts }
  noteFailure(`npm run ${script}`, 'It ended with an error.')
  return { ok, counts: sum(counts, FAILED) }
}
