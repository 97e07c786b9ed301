/**
 * Kills a server with `kill -9` while clients create, change and delete records and load them in bulk and `quarry recompute` writes beside
 * it, tears the end of its log as a machine without power does, starts it again on the same data directory and holds it to every answer
 * that it gave.
 *
 *     npm run build && npx tsx scripts/kill9.ts --rounds 20
 *
 * From the sources, servers take so long to start their threads that little is written before they are killed.
 * Exit code 1: an acknowledged write is missing or half done, the store did not open, or `quarry check` found something.
 */
import { type ChildProcess, execFile } from 'node:child_process'
import { randomInt } from 'node:crypto'
import { once } from 'node:events'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { parseArgs, promisify } from 'node:util'
import { DATABASE_FILE } from '../src/store/sqlite/open-sqlite-store.ts'
import { noticedHeaders, type ServerProcess, startServer } from '../test/cli/server-process.ts'
import { startCli } from '../test/support/cli.ts'
import { loadInBulk } from './kill9/bulk-load.ts'
import { tearLog } from './kill9/tear-log.ts'

const WRITERS = 8
const BULK_LOADS = 2
const LINES = 300
/** The server is killed after at most so many writes, or so long. */
const MOST_WRITES = 800
const LONGEST_ROUND_MS = 6_000
/** How often it is looked how many have been acknowledged. */
const LOOK_MS = 20
/** Records are stored without their space groups, so that `quarry recompute` has something to write. */
const WITHOUT_SYMMETRY = { environment: { QUARRY_SYMMETRY: 'off' } }
const SILICON = {
  basis: {
    elements: [{ id: 0, value: 'Si' }],
    coordinates: [{ id: 0, value: [0, 0, 0] }],
    units: 'crystal',
  },
  lattice: { a: 3.867, b: 3.867, c: 3.867, alpha: 60, beta: 60, gamma: 60, type: 'FCC' },
}

/** What the server acknowledged of one record; null for one that it said it deleted. */
type Acknowledged = Map<string, number | null>

/** What was asked and not answered when the server died: either outcome is right. */
type Pending = Map<string, number | null>

interface Run {
  readonly headers: Record<string, string>
  readonly acknowledged: Acknowledged
  readonly pending: Pending
  /** Stamps of records that are loaded in bulk: no two are alike. */
  loaded: number
}

const { values } = parseArgs({ options: { rounds: { type: 'string', default: '20' } } })
const directory = await mkdtemp(join(tmpdir(), 'quarry-kill9-'))
let failed = false
try {
  failed = !(await runRounds(Number(values.rounds)))
} finally {
  await rm(directory, { recursive: true, force: true })
}
process.exitCode = failed ? 1 : 0

async function runRounds(rounds: number): Promise<boolean> {
  let server = await startServer(directory, ['--no-samples'], WITHOUT_SYMMETRY)
  const run: Run = { headers: noticedHeaders(server), acknowledged: new Map(), pending: new Map(), loaded: 1e9 }
  for (let round = 1; round <= rounds; round++) {
    const before = run.acknowledged.size
    const recomputed = await writeUntilKilled(server, run)
    const torn = tearLog(join(directory, DATABASE_FILE))
    server = await startServer(directory, ['--no-samples'], WITHOUT_SYMMETRY)
    const problems = await differences(server.url, run)
    const check = await checkStore()
    const count = run.acknowledged.size - before
    process.stdout.write(
      `round ${round}: ${count} more records acknowledged, recompute ${recomputed}, log ${torn ? 'torn' : 'empty'}, check ${check === '' ? 'clean' : check}\n`,
    )
    for (const problem of problems) process.stdout.write(`  ${problem}\n`)
    if (problems.length > 0 || check !== '') return false
    settle(run)
  }
  await server.stop()
  process.stdout.write(`${rounds} rounds, ${run.acknowledged.size} records, nothing lost\n`)
  return true
}

/** Lets all write until a number of writes that differs each time, then kills the server under them and what writes beside it; says how far that was. */
async function writeUntilKilled(server: ServerProcess, run: Run): Promise<string> {
  const recompute = startCli(['recompute', '--data', directory, '--json'])
  const ended = once(recompute, 'close')
  const writers = [
    ...Array.from({ length: WRITERS }, (_, writer) => write(server.url, run, writer)),
    ...Array.from({ length: BULK_LOADS }, () => load(server.url, run)),
  ]
  const aim = run.acknowledged.size + randomInt(1, MOST_WRITES)
  const deadline = performance.now() + LONGEST_ROUND_MS
  while (run.acknowledged.size < aim && performance.now() < deadline) await delay(LOOK_MS)
  const recomputed = killUnlessEnded(recompute)
  server.signal('SIGKILL')
  await Promise.all([...writers, server.ended, ended])
  return recomputed
}

function killUnlessEnded(child: ChildProcess): string {
  if (child.exitCode !== null) return `ended with ${child.exitCode}`
  child.kill('SIGKILL')
  return 'killed'
}

async function load(url: string, run: Run): Promise<void> {
  const first = run.loaded
  run.loaded += LINES
  const lines = Array.from({ length: LINES }, (_, i) => JSON.stringify({ ...SILICON, stamp: first + i }))
  const stored = (line: number, id: string) => void run.acknowledged.set(id, first + line - 1)
  await loadInBulk({ url, headers: run.headers, lines, stored })
}

/** Creates, changes and deletes until a request fails, which means that the server is dead. */
async function write(url: string, run: Run, writer: number): Promise<void> {
  const mine: string[] = []
  for (let step = 0; ; step++) {
    const id = mine[step % 7]
    try {
      if (step % 5 === 3 && id !== undefined) await change(url, run, id, step)
      else if (step % 11 === 10 && id !== undefined) await remove(url, run, id, mine)
      else mine.push(await create(url, run, writer * 1e6 + step))
    } catch (error) {
      if (error instanceof TypeError) return
      throw error
    }
  }
}

async function create(url: string, run: Run, stamp: number): Promise<string> {
  const record = (await ask(url, run, 'PUT', 'materials/create', { ...SILICON, stamp })) as { _id: string }
  run.acknowledged.set(record._id, stamp)
  return record._id
}

async function change(url: string, run: Run, id: string, stamp: number): Promise<void> {
  run.pending.set(id, stamp)
  await ask(url, run, 'PATCH', `materials/${id}`, { stamp })
  run.acknowledged.set(id, stamp)
  run.pending.delete(id)
}

async function remove(url: string, run: Run, id: string, mine: string[]): Promise<void> {
  run.pending.set(id, null)
  await ask(url, run, 'DELETE', `materials/${id}`)
  run.acknowledged.set(id, null)
  run.pending.delete(id)
  mine.splice(mine.indexOf(id), 1)
}

async function ask(url: string, run: Run, method: string, path: string, body?: unknown): Promise<unknown> {
  const headers = { ...run.headers, 'Content-Type': 'application/json' }
  const text = body === undefined ? null : JSON.stringify(body)
  const response = await fetch(`${url}/api/2018-10-01/${path}`, { method, headers, body: text })
  const answer = (await response.json()) as { data: unknown }
  if (!response.ok) throw new Error(`${method} ${path} answered ${response.status}: ${JSON.stringify(answer)}`)
  return answer.data
}

async function differences(url: string, run: Run): Promise<string[]> {
  const problems: string[] = []
  const stamps = await allStamps(url, run)
  for (const [id, stamp] of run.acknowledged) {
    const found = stamps.get(id) ?? null
    const allowed = run.pending.has(id) ? [stamp, run.pending.get(id)] : [stamp]
    if (!allowed.includes(found)) problems.push(`${id} should have stamp ${allowed.join(' or ')} and has ${found}`)
    else run.acknowledged.set(id, found)
  }
  return problems
}

/** The stamps of all records that are there. */
async function allStamps(url: string, run: Run): Promise<ReadonlyMap<string, number>> {
  const response = await fetch(`${url}/api/2018-10-01/materials/export`, { headers: run.headers })
  const lines = (await response.text()).split('\n').filter((line) => line !== '')
  return new Map(
    lines.map((line) => JSON.parse(line) as { _id: string; stamp: number }).map(({ _id, stamp }) => [_id, stamp]),
  )
}

/** Forgets what is settled, so that the last round is no slower than the first. */
function settle(run: Run): void {
  run.pending.clear()
  for (const [id, stamp] of run.acknowledged) if (stamp === null) run.acknowledged.delete(id)
}

/** Runs `quarry check` beside the server; gives what it complains about. */
async function checkStore(): Promise<string> {
  const cli = ['--import', 'tsx', 'src/cli/main.ts', 'check', '--data', directory]
  try {
    await promisify(execFile)(process.execPath, cli)
    return ''
  } catch (error) {
    return String((error as { stdout?: string }).stdout ?? error)
  }
}
