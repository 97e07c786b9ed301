// The checks that need no database and no server: formatting, types, arrows between rooms, cycles of folders, dead code, sizes of the page.
// `node scripts/gates.mjs` (`npm run check`) runs them alone; `npm test` runs them before the tests.
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { runNode } from './command.mjs'
import { ensureInstalled, requireSupportedNode } from './install.mjs'
import { beginRun, FAILED, NOTHING, noteFailure, PASSED, sum } from './results.mjs'
import { runStep } from './step.mjs'

const tool = (...parts) => join('node_modules', ...parts)

/** How many gates run at once: each of them uses one processor, nearly. */
const AT_ONCE = 2

/** What each gate runs, the longest first; all of them exit with 0 only when there is nothing to say. */
const GATES = [
  // What is known of files that have not changed is in `*.tsbuildinfo`.
  { name: 'types', run: [tool('typescript', 'bin', 'tsc'), '-p', 'tsconfig.json'] },
  { name: 'types of the pages', run: [tool('typescript', 'bin', 'tsc'), '-p', join('web', 'tsconfig.json')] },
  {
    name: 'format and lint',
    run: [tool('@biomejs', 'biome', 'bin', 'biome'), 'ci', '--colors=off', '--diagnostic-level=error', '.'],
  },
  { name: 'dead code', run: [tool('knip', 'bin', 'knip.js'), '--no-progress'] },
  { name: 'arrows', run: [tool('dependency-cruiser', 'bin', 'dependency-cruise.mjs'), '--config', '--', 'src', 'web'] },
  { name: 'cycles of folders', run: [tool('tsx', 'dist', 'cli.mjs'), join('scripts', 'folder-cycles.ts')] },
  { name: 'sizes of the page', run: [join('scripts', 'sizes.mjs')] },
]

/** Runs every gate, also after one has failed, and counts them. A gate's output is shown when it fails. */
export async function runGates() {
  let counts = NOTHING
  const waiting = [...GATES]
  const runOneByOne = async () => {
    for (let gate = waiting.shift(); gate !== undefined; gate = waiting.shift()) {
      const { run, name } = gate
      const { ok, output } = await runStep(name, () => runNode(run, { capture: true }))
      if (!ok) noteFailure(`gate "${name}"`, output)
      counts = sum(counts, ok ? PASSED : FAILED)
    }
  }
  await Promise.all(Array.from({ length: AT_ONCE }, runOneByOne))
  return counts
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  let counts = FAILED
  beginRun(() => counts)
  requireSupportedNode()
  await ensureInstalled()
  counts = await runGates()
  process.exitCode = counts.failed === 0 ? 0 : 1
}
