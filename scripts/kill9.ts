/**
 * Kills servers with `kill -9` while clients create, change and delete records and load them in bulk and `quarry recompute` or `reindex`
 * writes beside them, tears the end of the log as a machine without power does, starts a server again on the same data directory and
 * holds it to every answer that was given.
 *
 *     npm run build && npx tsx scripts/kill9.ts --rounds 20 --seed 1
 *
 * Each round chooses, by the seed, one server or two workers, and a moment: after so many records that were acknowledged, or a statement within
 * the sealing of a tail or the merging of segments (beside writes or when it is quiet). However slow the machine is, a round goes on until its moment has come. At the end it says how often each was hit. What a
 * server has done when it dies is not repeated by a seed. Linux only: it looks for workers in /proc.
 * Exit code 1: an acknowledged write is missing or half done, the store did not open, `quarry check` found something, a server acknowledged
 * nothing for minutes, or moments were not met.
 */
import { once } from 'node:events'
import { existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { parseArgs } from 'node:util'
import { DATABASE_FILE } from '../src/store/sqlite/open-sqlite-store.ts'
import { noticedHeaders, type ServerProcess, startServer } from '../test/cli/server-process.ts'
import { workUnderWay } from '../test/support/at-rest.ts'
import { runCli, startCli } from '../test/support/cli.ts'
import { createRandom } from './fuzz/random.ts'
import { Clients, differences, type Told } from './kill9/clients.ts'
import { dyingBy } from './kill9/dying.ts'
import { chooseRound, type Moment, type Round } from './kill9/moments.ts'
import { processesOver } from './kill9/processes-over.ts'
import { tearLog } from './kill9/tear-log.ts'
import { conclude, type Measured, wholeNumber } from './measured.ts'

/** A server that acknowledges nothing for so long hangs, however busy the machine is. */
const STALL_MS = 120_000
/** How long a server is left alone, so that it does what it does when nobody writes. */
const QUIET_MS = 5_000
/** Where its moment did not come then, so many more records are written, as often as this. */
const WRITES_MORE = 600
const MOST_TIMES = 12
/** How often it is looked how many have been acknowledged, and whether a process has died. */
const LOOK_MS = 10
/** How long what was interrupted may take until it is done. */
const REST_MS = 600_000

const { values } = parseArgs({
  options: { rounds: { type: 'string', default: '20' }, seed: { type: 'string', default: '1' } },
})
const rounds = wholeNumber('rounds', values.rounds)
const random = createRandom(wholeNumber('seed', values.seed, 0))
const parent = await mkdtemp(join(tmpdir(), 'quarry-kill9-'))
const directory = join(parent, 'data')
const orderFile = join(parent, 'order')
const diedFile = `${orderFile}.died`
const hits = new Map<string, number>()
/** Of each kind of moment, how many rounds were to have one, and how many had it. */
const met = new Map<Moment, { asked: number; hit: number }>()
try {
  const { isFine, made, acknowledged, least } = await runRounds()
  process.exitCode = conclude(isFine, [
    { what: 'rounds', count: made, least: rounds },
    { what: 'records acknowledged', count: acknowledged, least },
    ...moments(),
  ])
} finally {
  killAll()
  await rm(parent, { recursive: true, force: true })
}

function moments(): readonly Measured[] {
  return [...met]
    .map(([moment, { asked, hit }]) => ({
      what: `rounds killed within ${moment}`,
      count: hit,
      least: asked,
    }))
    .filter(({ least }) => least > 0)
}

interface Rounds {
  readonly isFine: boolean
  readonly made: number
  readonly acknowledged: number
  /** What those that were killed from outside have to have acknowledged before. */
  readonly least: number
}

async function runRounds(): Promise<Rounds> {
  process.stdout.write(`seed ${values.seed}\n`)
  let round = chooseRound(random)
  let server = await start(round.workers)
  const told = newlyTold(noticedHeaders(server))
  let [acknowledged, least] = [0, 0]
  for (let number = 1; number <= rounds; number++) {
    const before = told.acknowledged.size
    const { how, isFromOutside } = await runUntilKilled(round, server, told)
    acknowledged += told.acknowledged.size - before
    if (isFromOutside) least += round.aim
    const torn = tearLog(join(directory, DATABASE_FILE))
    const next = chooseRound(random)
    server = await start(next.workers)
    const problems = await problemsOf(server, told)
    process.stdout.write(
      `round ${number}: ${round.moment}, ${round.workers === 1 ? 'one process' : '2 workers'} beside ${round.beside}, ${how}, ` +
        `${told.acknowledged.size - before} more records, log ${torn ? 'torn' : 'empty'}, ${problems.length === 0 ? 'clean' : 'NOT CLEAN'}\n`,
    )
    for (const problem of problems) process.stdout.write(`  ${problem}\n`)
    if (problems.length > 0) return { isFine: false, made: number, acknowledged, least }
    round = next
  }
  await server.stop()
  for (const [what, times] of [...hits].sort()) process.stdout.write(`${String(times).padStart(4)} x ${what}\n`)
  process.stdout.write(`${rounds} rounds, seed ${values.seed}, ${acknowledged} records acknowledged, nothing lost\n`)
  return { isFine: true, made: rounds, acknowledged, least }
}

function newlyTold(headers: Record<string, string>): Told {
  return { headers, acknowledged: new Map(), pending: new Map(), loaded: 1e9 }
}

/** Records are stored without their space groups, so that `quarry recompute` has something to write. */
function start(workers: number): Promise<ServerProcess> {
  return startServer(directory, ['--no-samples', '--workers', String(workers)], {
    environment: { QUARRY_SYMMETRY: 'off', ...dyingBy(orderFile) },
  })
}

/** Lets all write until the server is killed, by itself or from outside, and what writes beside it; says at which statement that was. */
async function runUntilKilled(round: Round, server: ServerProcess, told: Told) {
  if (round.order !== null) writeFileSync(orderFile, JSON.stringify(round.order))
  await writeUntilKilled(round, server, told)
  const sql = existsSync(diedFile) ? readFileSync(diedFile, 'utf8') : null
  for (const file of [orderFile, diedFile]) rmSync(file, { force: true })
  const where = sql === null ? 'from outside' : `within ${round.order?.within} before ${beginning(sql)}`
  count(
    `${round.moment}, ${round.workers === 1 ? 'one process' : '2 workers'}: ${sql === null ? 'from outside' : 'at the moment'}`,
  )
  if (sql !== null) count(`  ${where}`)
  if (round.order !== null) {
    const { asked, hit } = met.get(round.moment) ?? { asked: 0, hit: 0 }
    met.set(round.moment, { asked: asked + 1, hit: hit + (sql === null ? 0 : 1) })
  }
  return { how: `killed ${where}`, isFromOutside: sql === null }
}

async function writeUntilKilled({ aim, order, beside }: Round, server: ServerProcess, told: Told): Promise<void> {
  const writesBeside = startCli([beside, '--data', directory])
  const ended = once(writesBeside, 'close')
  let written = writeUntil(server, told, aim)
  for (let times = 1; !(await written.isOver) && order !== null; times++) {
    // Segments are merged further when nobody writes; that is to be done by the server.
    written.clients.beQuiet()
    writesBeside.kill('SIGKILL')
    await written.served
    await until(QUIET_MS, isDead)
    if (isDead() || times === MOST_TIMES) break
    written = writeUntil(server, told, WRITES_MORE)
  }
  killAll()
  await Promise.all([written.served, server.ended, ended])
}

/** Has clients write until so many more records are acknowledged; it is over when the server is dead by then. */
function writeUntil(server: ServerProcess, told: Told, more: number) {
  const clients = new Clients(server.url, told)
  const served = clients.run()
  const enough = told.acknowledged.size + more
  const aimed = untilAcknowledged(told, enough)
  const isOver = Promise.race([aimed, served]).then(() => {
    if (isDead()) return true
    if (told.acknowledged.size < enough) throw new Error('the server has ended by itself')
    return false
  })
  return { clients, served, isOver }
}

async function untilAcknowledged(told: Told, enough: number): Promise<void> {
  while (told.acknowledged.size < enough && !isDead()) {
    const before = told.acknowledged.size
    await until(STALL_MS, () => told.acknowledged.size > before || isDead())
    if (told.acknowledged.size === before && !isDead())
      throw new Error(`the server has acknowledged nothing for ${STALL_MS / 1000} s, after ${before} records`)
  }
}

function isDead(): boolean {
  return existsSync(diedFile)
}

async function until(longestMs: number, isSo: () => boolean): Promise<void> {
  const end = performance.now() + longestMs
  while (!isSo() && performance.now() < end) await delay(LOOK_MS)
}

/** A worker is not gone because its server is. */
function killAll(): void {
  for (let pids = processesOver(directory); pids.length > 0; pids = processesOver(directory)) {
    for (const pid of pids) kill(pid)
  }
}

function kill(pid: number): void {
  try {
    process.kill(pid, 'SIGKILL')
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ESRCH') throw error
  }
}

/** What a server over the store, and `quarry check` beside it, have to complain about. */
async function problemsOf(server: ServerProcess, told: Told): Promise<string[]> {
  await until(REST_MS, () => workUnderWay(directory).length === 0)
  if (workUnderWay(directory).length > 0) return [`${workUnderWay(directory)} is not worked off`]
  const check = await runCli(['check', '--data', directory])
  return [...(await differences(server.url, told)), ...(check.exitCode === 0 ? [] : [`${check.stdout}${check.stderr}`])]
}

function count(what: string): void {
  hits.set(what, (hits.get(what) ?? 0) + 1)
}

/** The first words of a statement, which tell what it does to which table. */
function beginning(sql: string): string {
  return sql
    .trim()
    .split(/[\s(]+/)
    .slice(0, 3)
    .join(' ')
}
