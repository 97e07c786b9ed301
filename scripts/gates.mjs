// The checks that need no database and no server: formatting, types, arrows between rooms, cycles of folders, dead code, sizes of the page.
// `node scripts/gates.mjs` (`npm run check`) runs them alone; `npm test` runs them before the tests.
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { runNode, say, seconds } from './command.mjs'
import { ensureInstalled, requireSupportedNode } from './install.mjs'
import { tellFailure } from './suites.mjs'

const tool = (...parts) => join('node_modules', ...parts)

/** What each gate runs; all of them exit with 0 only when there is nothing to say. */
const GATES = [
  {
    name: 'format and lint',
    run: [tool('@biomejs', 'biome', 'bin', 'biome'), 'ci', '--colors=off', '--diagnostic-level=error', '.'],
  },
  { name: 'types', run: [tool('typescript', 'bin', 'tsc'), '-p', 'tsconfig.json'] },
  { name: 'types of the pages', run: [tool('typescript', 'bin', 'tsc'), '-p', join('web', 'tsconfig.json')] },
  { name: 'arrows', run: [tool('dependency-cruiser', 'bin', 'dependency-cruise.mjs'), '--config', '--', 'src', 'web'] },
  { name: 'cycles of folders', run: [tool('tsx', 'dist', 'cli.mjs'), join('scripts', 'folder-cycles.ts')] },
  { name: 'dead code', run: [tool('knip', 'bin', 'knip.js'), '--no-progress'] },
  { name: 'sizes of the page', run: [join('scripts', 'sizes.mjs')] },
]

/** Runs every gate, also after one has failed, and counts them. A gate's output is shown when it fails. */
export async function runGates() {
  let failed = 0
  for (const gate of GATES) {
    const { ok } = await runStep(gate.name, () => runNode(gate.run, { capture: true }))
    if (ok) continue
    failed += 1
    tellFailure(gate.name)
  }
  return { passed: GATES.length - failed, failed }
}

/** Runs one step and prints its name, its end and its time. */
export async function runStep(name, run) {
  const started = Date.now()
  const result = await run()
  if (!result.ok && result.output) say(result.output.trimEnd())
  say(`${result.ok ? 'ok    ' : 'FAILED'} ${name} (${seconds(Date.now() - started)})`)
  return result
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  requireSupportedNode()
  await ensureInstalled()
  const { failed } = await runGates()
  process.exitCode = failed === 0 ? 0 : 1
}
