// `npm test`: installs when needed, then gates, build, tests. The last line of stdout is always
// `N passed, N failed, N skipped`, and the exit code is 0 only when nothing failed. Arguments go to vitest.
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { build, isBuilt } from './build.mjs'
import { runNode } from './command.mjs'
import { runGates, runStep } from './gates.mjs'
import { ensureInstalled, requireSupportedNode } from './install.mjs'

/** Gates, the build and tests alike. One failure from the start: what ends early has not passed. */
let total = { passed: 0, failed: 1, skipped: 0 }
process.on('exit', () => {
  process.stdout.write(`${total.passed} passed, ${total.failed} failed, ${total.skipped} skipped\n`)
})
for (const signal of ['SIGINT', 'SIGTERM']) process.on(signal, () => process.exit(1))

requireSupportedNode()
await ensureInstalled()
const gates = await runGates()
const built = await runStep('build', async () => ({ ok: isBuilt() || (await build()) }))
const tests = await runTests()

total = {
  passed: gates.passed + (built.ok ? 1 : 0) + tests.passed,
  failed: gates.failed + (built.ok ? 0 : 1) + tests.failed,
  skipped: tests.skipped,
}
process.exitCode = total.failed === 0 ? 0 : 1

async function runTests() {
  const directory = mkdtempSync(join(tmpdir(), 'quarry-test-'))
  try {
    const report = join(directory, 'report.json')
    const reporters = ['--reporter=dot', '--reporter=json', `--outputFile.json=${report}`]
    const vitest = [join('node_modules', 'vitest', 'vitest.mjs'), 'run', ...reporters, ...process.argv.slice(2)]
    const { ok } = await runStep('tests', () => runNode(vitest))
    return countTests(report, ok)
  } finally {
    rmSync(directory, { recursive: true, force: true })
  }
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
    return { passed: 0, failed: 1, skipped: 0 }
  }
}
