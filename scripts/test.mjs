// `npm test`: installs when needed, then gates, build, tests: those of the projects that `scripts/projects.mjs` names. Arguments go to vitest, but for
// `--coverage`, which holds rooms to their floors as well and takes nothing else, and `--changed [commit]`, which runs what can be reached by the files that differ from it: by those that are
// not committed, when it is left out. The last line of stdout is always `N passed, N failed, N skipped`, and the exit code is 0 only when nothing failed.
import { build, isBuilt } from './build.mjs'
import { changedHere, changedSince } from './changed.mjs'
import { say } from './command.mjs'
import { runAllCovered } from './coverage.mjs'
import { runGates } from './gates.mjs'
import { ensureInstalled, requireSupportedNode } from './install.mjs'
import { EVERYDAY, projectOptions } from './projects.mjs'
import { Reach } from './reach.mjs'
import { beginRun, FAILED, NOTHING, noteFailure, PASSED, sum, tellAtEnd } from './results.mjs'
import { runStep } from './step.mjs'
import { runSuites } from './suites.mjs'

const POSTGRES = 'src/store/postgres/'

/** Gates, the build and tests alike. */
let total = FAILED
beginRun(() => total)
say('npm test: the gates, the build, then the tests')
requireSupportedNode()
await ensureInstalled()
const gates = await runGates()
const built = await runStep('build', async () => ({ ok: isBuilt() || (await build()) }))
if (!built.ok) noteFailure('build')
const tests = await runTests(readParameters(process.argv.slice(2)))
total = [built.ok ? PASSED : FAILED, tests].reduce(sum, gates)
process.exitCode = total.failed === 0 ? 0 : 1
await tellOfPostgres()

function readParameters(given) {
  const isCovered = given.includes('--coverage')
  const parameters = given.filter((each) => each !== '--coverage')
  const at = parameters.findIndex((each) => /^--changed(=|$)/.test(each))
  if (at < 0) return { isCovered, parameters, since: null }
  const [flag] = parameters.splice(at, 1)
  // What stands behind it is a commit, unless it is a file or another flag.
  const isBehind = flag === '--changed' && parameters[at] !== undefined && !/^-|^test\//.test(parameters[at])
  const [commit] = isBehind ? parameters.splice(at, 1) : [flag.slice('--changed='.length)]
  return { isCovered, parameters, since: commit || 'HEAD' }
}

async function runTests({ isCovered, parameters, since }) {
  if (isCovered) return (await runAllCovered(parameters)).counts
  // Whoever names a project means that one.
  const projects = parameters.some((each) => each.startsWith('--project')) ? [] : projectOptions(EVERYDAY)
  if (since === null) return (await runSuites([...projects, ...parameters])).counts
  const changed = await changedSince(since)
  if (changed === null) {
    noteFailure('--changed', `git does not know what has changed since ${since}.`)
    return FAILED
  }
  const reached = new Reach().testsOf(changed)
  say(`${changed.length} files have changed since ${since}; they reach ${reached.length} files of tests`)
  if (reached.length === 0) return NOTHING
  // Those that are reached may be of other projects alone.
  return (await runSuites([...projects, ...parameters, '--passWithNoTests', ...reached])).counts
}

/** Who changes what the store in PostgreSQL is made of is told how to try it. */
async function tellOfPostgres() {
  const under = new Reach().under(POSTGRES)
  const changed = (await changedHere()).filter((file) => under.has(file))
  if (changed.length === 0) return
  const [first, ...others] = changed
  const which = others.length === 0 ? `${first} has` : `${first} and ${others.length} more files have`
  tellAtEnd(`${which} changed, on which PostgreSQL stands, too: npm run test:more -- --project=postgres`)
}
