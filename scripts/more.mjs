// `npm run test:more`: what `npm test` leaves out, since it finds a fault seldom that `npm test` does not: PostgreSQL, all of the page, commands as processes of
// their own, other programs, the proofs of gates and tables, studies at a tenth of their size, other Node.js versions. Arguments go to vitest; then the projects alone run.
import { ensureBuilt } from './build.mjs'
import { say } from './command.mjs'
import { ensureInstalled, requireSupportedNode } from './install.mjs'
import { MORE, projectOptions } from './projects.mjs'
import { beginRun, FAILED, NOTHING, noteFailure, sum } from './results.mjs'
import { runScript, runSuites } from './suites.mjs'

const parameters = process.argv.slice(2)
const projects = parameters.some((each) => each.startsWith('--project')) ? [] : projectOptions(MORE)
const STEPS = [
  () => runSuites([...projects, ...parameters]),
  ...(parameters.length > 0 ? [] : [() => runScript('studies', ['--share', '0.1']), () => runScript('test:nodes')]),
]

let total = FAILED
beginRun(() => total)
say('npm run test:more: the build, projects, studies, other Node.js versions')
requireSupportedNode()
await ensureInstalled()
if (await ensureBuilt()) {
  let counts = NOTHING
  for (const step of STEPS) counts = sum(counts, (await step()).counts)
  total = counts
} else noteFailure('build')
process.exitCode = total.failed === 0 ? 0 : 1
