// All that continuous integration does: `npm test`, then what would make that too long. Each step ends with a line of its own, and
// the last lines of stdout are the tests that have failed and the sum, `N passed, N failed, N skipped`.
import { runNpm, say } from './command.mjs'
import { FAILED, failuresIn, inWords, NOTHING, readCounts, sum, tellFailure } from './suites.mjs'

const STEPS = ['test', 'test:nodes', 'coverage']

process.env.CI ??= 'true'
let total = NOTHING
/** @type {string[]} */
const failures = []
for (const step of STEPS) {
  const { ok, output } = await runNpm(['run', '--silent', step], { stdio: ['ignore', 'pipe', 2] })
  process.stdout.write(output.replace(/^(?=\d+ passed)/m, `npm run ${step}: `))
  const counts = readCounts(output) ?? FAILED
  failures.push(...failuresIn(output))
  total = sum(total, !ok && counts.failed === 0 ? FAILED : counts)
  if (!ok) {
    say(`npm run ${step} has failed`)
    failures.push(`npm run ${step}`)
  }
}
for (const name of failures) tellFailure(name)
process.stdout.write(`${inWords(total)}\n`)
process.exitCode = total.failed === 0 ? 0 : 1
