/**
 * Kills servers with `kill -9` while clients create, change and delete records and load them in bulk and `quarry recompute` or `reindex`
 * writes beside them, tears the end of the log as a machine without power does, starts a server again on the same data directory and
 * holds it to every answer that was given.
 *
 *     npm run build && npx tsx scripts/kill9.ts --rounds 20 --seed 1
 *
 * Each round chooses, by the seed, one server or two workers, and a moment: any, or a statement within the sealing of a tail, the merging of
 * segments (beside writes or when it is quiet), or the migration of a file of an older version, which such a round begins with. At the end
 * it says how often each was hit. What a server has done when it dies is not repeated by a seed. Linux only: it looks for workers in /proc.
 * From the sources, servers take so long to start their threads that little is written before they are killed.
 * Exit code 1: an acknowledged write is missing or half done, the store did not open, or `quarry check` found something.
 */
import { once } from 'node:events'
import { existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'
import { DATABASE_FILE } from '../src/store/sqlite/open-sqlite-store.ts'
import { noticedHeaders, type ServerProcess, startServer } from '../test/cli/server-process.ts'
import { workUnderWay } from '../test/support/at-rest.ts'
import { runCli, startCli } from '../test/support/cli.ts'
import { createRandom } from './fuzz/random.ts'
import { Clients, differences, type Told } from './kill9/clients.ts'
import { chooseRound, type Round } from './kill9/moments.ts'
import { placeOlderStore } from './kill9/older-store.ts'
import { processesOver } from './kill9/processes-over.ts'
import { tearLog } from './kill9/tear-log.ts'

/** Clients write for so long at most. */
const LONGEST_ROUND_MS = 6_000
/** So long after they are quiet, the server is killed from outside, when it was not at the moment that was chosen. */
const QUIET_MS = 5_000
/** How often it is looked how many have been acknowledged, and whether a process has died. */
const LOOK_MS = 10
/** How long what was interrupted may take until it is done. */
const REST_MS = 120_000
const DIES_WITHIN = fileURLToPath(new URL('./kill9/dies-within.cjs', import.meta.url))

const { values } = parseArgs({
  options: { rounds: { type: 'string', default: '20' }, seed: { type: 'string', default: '1' } },
})
const random = createRandom(Number(values.seed))
const parent = await mkdtemp(join(tmpdir(), 'quarry-kill9-'))
const directory = join(parent, 'data')
const orderFile = join(parent, 'order')
const diedFile = `${orderFile}.died`
const hits = new Map<string, number>()
let failed = false
try {
  failed = !(await runRounds(Number(values.rounds)))
} finally {
  killAll()
  await rm(parent, { recursive: true, force: true })
}
process.exitCode = failed ? 1 : 0

async function runRounds(rounds: number): Promise<boolean> {
  process.stdout.write(`seed ${values.seed}\n`)
  let server = await start(1)
  let told = newlyTold(noticedHeaders(server))
  let acknowledged = 0
  for (let number = 1; number <= rounds; number++) {
    const round = chooseRound(random)
    if (round.moment === 'migration') {
      await server.stop()
      const { headers, stamps } = placeOlderStore(directory)
      told = { ...newlyTold(headers), acknowledged: new Map(stamps) }
    }
    const before = told.acknowledged.size
    const how = await runUntilKilled(round, server, told)
    acknowledged += told.acknowledged.size - before
    const torn = tearLog(join(directory, DATABASE_FILE))
    server = await start(round.workers)
    const problems = await problemsOf(server, told)
    process.stdout.write(
      `round ${number}: ${round.moment}, ${round.workers === 1 ? 'one process' : '2 workers'} beside ${round.beside}, ${how}, ` +
        `${told.acknowledged.size - before} more records, log ${torn ? 'torn' : 'empty'}, ${problems.length === 0 ? 'clean' : 'NOT CLEAN'}\n`,
    )
    for (const problem of problems) process.stdout.write(`  ${problem}\n`)
    if (problems.length > 0) return false
  }
  await server.stop()
  for (const [what, times] of [...hits].sort()) process.stdout.write(`${String(times).padStart(4)} x ${what}\n`)
  process.stdout.write(`${rounds} rounds, seed ${values.seed}, ${acknowledged} records acknowledged, nothing lost\n`)
  return true
}

function newlyTold(headers: Record<string, string>): Told {
  return { headers, acknowledged: new Map(), pending: new Map(), loaded: 1e9 }
}

/** Records are stored without their space groups, so that `quarry recompute` has something to write. */
function start(workers: number): Promise<ServerProcess> {
  return startServer(directory, ['--no-samples', '--workers', String(workers)], {
    environment: { QUARRY_SYMMETRY: 'off', NODE_OPTIONS: `--require ${DIES_WITHIN}`, KILL9_ORDER: orderFile },
  })
}

/** Lets all write until the server is killed, by itself or from outside, and what writes beside it; says at which statement that was. */
async function runUntilKilled(round: Round, running: ServerProcess, told: Told): Promise<string> {
  if (round.order !== null) writeFileSync(orderFile, JSON.stringify(round.order))
  const server = round.moment === 'migration' ? await startUnlessKilled(round) : running
  if (server !== null) await writeUntilKilled(round, server, told)
  const sql = existsSync(diedFile) ? readFileSync(diedFile, 'utf8') : null
  for (const file of [orderFile, diedFile]) rmSync(file, { force: true })
  const where = sql === null ? 'from outside' : `within ${round.order?.within} before ${beginning(sql)}`
  count(
    `${round.moment}, ${round.workers === 1 ? 'one process' : '2 workers'}: ${sql === null ? 'from outside' : 'at the moment'}`,
  )
  if (sql !== null) count(`  ${where}`)
  return `killed ${where}`
}

async function startUnlessKilled({ workers }: Round): Promise<ServerProcess | null> {
  try {
    return await start(workers)
  } catch (error) {
    if (!existsSync(diedFile)) throw error
    killAll()
    return null
  }
}

async function writeUntilKilled({ aim, order, beside }: Round, server: ServerProcess, told: Told): Promise<void> {
  const writesBeside = startCli([beside, '--data', directory])
  const ended = once(writesBeside, 'close')
  const clients = new Clients(server.url, told)
  const served = clients.run()
  const enough = told.acknowledged.size + aim
  await until(LONGEST_ROUND_MS, () => existsSync(diedFile) || told.acknowledged.size >= enough)
  if (order !== null && !existsSync(diedFile)) {
    // Segments are merged further when nobody writes; that is to be done by the server.
    clients.beQuiet()
    writesBeside.kill('SIGKILL')
    await until(QUIET_MS, () => existsSync(diedFile))
  }
  killAll()
  await Promise.all([served, server.ended, ended])
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
