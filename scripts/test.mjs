// `npm test`: installs when needed, then gates, build, tests. The last line of stdout is always
// `N passed, N failed, N skipped`, and the exit code is 0 only when nothing failed. Arguments go to vitest.
import { build, isBuilt } from './build.mjs'
import { runGates, runStep } from './gates.mjs'
import { ensureInstalled, requireSupportedNode } from './install.mjs'
import { FAILED, inWords, runSuites, sum } from './suites.mjs'

/** Gates, the build and tests alike. */
let total = FAILED
process.on('exit', () => {
  process.stdout.write(`${inWords(total)}\n`)
})
for (const signal of ['SIGINT', 'SIGTERM']) process.on(signal, () => process.exit(1))

requireSupportedNode()
await ensureInstalled()
const gates = await runGates()
const built = await runStep('build', async () => ({ ok: isBuilt() || (await build()) }))
const tests = await runStep('tests', () => runSuites(process.argv.slice(2)))

const building = { passed: built.ok ? 1 : 0, failed: built.ok ? 0 : 1, skipped: 0 }
total = [building, tests.counts].reduce(sum, { ...gates, skipped: 0 })
process.exitCode = total.failed === 0 ? 0 : 1
