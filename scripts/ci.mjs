// All that continuous integration does: `npm test`, in which it takes the coverage, then what would make that too long. Each step ends with a line of its own, and
// the last lines of stdout are the tests that have failed, the time, and the sum, `N passed, N failed, N skipped`.
import { beginRun, FAILED, NOTHING, sum } from './results.mjs'
import { runScript } from './suites.mjs'

process.env.CI ??= 'true'
let total = FAILED
beginRun(() => total)
let counts = NOTHING
for (const [script, ...parameters] of [['test', '--coverage'], ['test:more']]) {
  counts = sum(counts, (await runScript(script, parameters)).counts)
}
total = counts
process.exitCode = total.failed === 0 ? 0 : 1
