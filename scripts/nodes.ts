/**
 * Runs the suites that Node.js itself may break with other versions of it than the one that is installed: each from a package of the
 * registry, in a copy of the project with an SQLite binding of its own. What is installed stays as it is.
 *
 *     npm run test:nodes
 *     npm run test:nodes -- --only 24 test/http/list.test.ts
 *
 * One line for each version, then their sum. A version that cannot be had is left out and said to be; where `CI` is set, that is a failure.
 */
import { chmodSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { delimiter, join } from 'node:path'
import { parseArgs } from 'node:util'
import { ROOT, runNpm, runProgram, say } from './command.mjs'
import { KeptBinding } from './kept-binding.ts'
import { RUN_NAME } from './progress-reporter.mjs'
import { ProjectCopy } from './project-copy.ts'
import { projectOptions } from './projects.mjs'
import { beginRun, type Counts, FAILED, inWords, NOTHING, noteFailure, sum } from './results.mjs'
import { runStep } from './step.mjs'
import { runSuites } from './suites.mjs'

interface Tested {
  readonly version: string
  /** The version that the binding is compiled for, where that is not the same. */
  readonly headers?: string
}

const VERSIONS: readonly Tested[] = [
  { version: '22.23.3' },
  // Headers from 24.19 on make a binding that aborts when garbage is collected; ready-made ones are older.
  { version: '24.21.0', headers: '24.18.1' },
]
const BINDING = 'better-sqlite3'

/**
 * What stands on what another Node.js may do otherwise: sockets and streams, threads, signals, the binding of SQLite. On the embedded store: of PostgreSQL, a Node.js has
 * the sockets alone.
 */
const SUITES: readonly (readonly string[])[] = [
  [
    ...projectOptions(['apart', 'core', 'sqlite']),
    ...['wire', 'bodies', 'exports', 'pipeline', 'events', 'list', 'records'].map(
      (name) => `test/http/${name}.test.ts`,
    ),
    ...['open-sqlite-store', 'crash'].map((name) => `test/store/${name}.test.ts`),
  ],
  [...projectOptions(['processes']), 'test/cli/ended-workers.test.ts'],
]

const { values, positionals } = parseArgs({
  options: { only: { type: 'string', default: '' } },
  allowPositionals: true,
})
const suites = positionals.length > 0 ? [[...projectOptions(['apart', 'core', 'sqlite']), ...positionals]] : SUITES
const directory = mkdtempSync(join(tmpdir(), 'quarry-nodes-'))
// Some tests run commands as somebody else, who has to get at this Node.js too.
chmodSync(directory, 0o755)
process.on('exit', () => rmSync(directory, { recursive: true, force: true }))

let total: Counts = NOTHING
beginRun(() => total)
const chosen = VERSIONS.filter(({ version }) => version.startsWith(values.only))
if (chosen.length === 0) {
  noteFailure('--only', `None of ${VERSIONS.map(({ version }) => version).join(', ')} begins with ${values.only}.`)
  total = FAILED
}
// At a time: compiling a binding is a matter of one processor, and some suites wait for what takes its time.
await Promise.all(
  chosen.map(async (tested) => {
    const counts = await tryVersion(tested)
    process.stdout.write(`Node.js ${tested.version}: ${inWords(counts)}\n`)
    total = sum(total, counts)
  }),
)
process.exitCode = total.failed === 0 ? 0 : 1

async function tryVersion({ version, headers = version }: Tested): Promise<Counts> {
  const [node, compiledFor] = [await fetchNode(version), await fetchNode(headers)]
  if (node === null || compiledFor === null) {
    say(
      `Node.js ${version} is not to be had as a package for ${process.platform}-${process.arch}: its suites do not run.`,
    )
    if (process.env['CI'] === undefined) return { ...NOTHING, skipped: 1 }
    noteFailure(`Node.js ${version}`, 'There is no package of it.')
    return FAILED
  }
  const copy = new ProjectCopy(ROOT, [BINDING])
  process.on('exit', () => copy.remove())
  const env = {
    ...process.env,
    [RUN_NAME]: `Node.js ${version}`,
    PATH: `${join(node, 'bin')}${delimiter}${process.env['PATH']}`,
  }
  const bound = await runStep(`binding for Node.js ${headers}`, () =>
    bind(copy, headers, { ...env, npm_config_nodedir: compiledFor }),
  )
  const where = { node: join(node, 'bin', 'node'), cwd: copy.directory, env }
  const built = await runStep('build', () =>
    runProgram(where.node, [join('scripts', 'build.mjs')], { ...where, capture: true }),
  )
  if (!bound.ok || !built.ok) {
    noteFailure(`Node.js ${version}`, bound.ok ? built.output : bound.output)
    return FAILED
  }
  let counts: Counts = NOTHING
  for (const parameters of suites) counts = sum(counts, (await runSuites(parameters, where)).counts)
  copy.remove()
  return counts
}

/** The folder of a version of Node.js, with its program and its headers; null where there is none. */
async function fetchNode(version: string): Promise<string | null> {
  const folder = join(directory, version)
  const name = `node-${process.platform}-${process.arch}`
  const options = ['--no-save', '--no-package-lock', '--ignore-scripts', '--no-audit', '--no-fund', '--prefer-offline']
  const { ok, output } = await runNpm(['install', '--prefix', folder, ...options, `${name}@${version}`], {
    capture: true,
  })
  if (!ok) say(output.trimEnd())
  return ok ? join(folder, 'node_modules', name) : null
}

/** A binding that is kept, or a ready-made one, or else one that is compiled: as when the package is installed. */
async function bind({ directory: project }: ProjectCopy, headers: string, env: NodeJS.ProcessEnv) {
  const cwd = join(project, 'node_modules', BINDING)
  rmSync(join(cwd, 'build'), { recursive: true, force: true })
  const kept = new KeptBinding(cwd, headers)
  if (kept.take()) return { ok: true, output: '' }
  const installed = await runNpm(['run', 'install'], { cwd, env, capture: true })
  if (installed.ok) kept.keep()
  return installed
}
