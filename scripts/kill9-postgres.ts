/**
 * Kills with `kill -9`, while two servers write to one PostgreSQL database: one of the servers, or the database server, which is started again over
 * what it has on disk. Clients send what was not answered again, with the same `Idempotency-Key`, to either server, until it is answered.
 *
 *     npm run build && npx tsx scripts/kill9-postgres.ts --rounds 20 --side quarry --seed 1
 *
 * `--side`: `quarry`, `database`, or both in turn when it is left out. After each round every record that was acknowledged is there once, as it was
 * changed last, changed as often as was acknowledged; those of each client are in their order; `quarry check` is clean. What a server
 * has done when it dies is not repeated by a seed. Moments are numbers of writes that were acknowledged and of requests that were sent. Exit code 1:
 * something of that does not hold, nothing is acknowledged for minutes, or nothing was under way when something was killed.
 */
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { parseArgs } from 'node:util'
import { noticedHeaders, type ServerProcess, startServer } from '../test/cli/server-process.ts'
import { runCli } from '../test/support/cli.ts'
import { startPostgresIn } from '../test/support/postgres-process.ts'
import { createRandom } from './fuzz/random.ts'
import { KeyedClients, problemsOf } from './kill9/keyed-clients.ts'
import { conclude, wholeNumber } from './measured.ts'

const SIDES = ['quarry', 'database'] as const
type Side = (typeof SIDES)[number]

/** Records that are acknowledged before something is killed, at the most, and afterwards. */
const MOST_BEFORE = 300
const AFTERWARDS = 60
/** Requests that are sent after that: what was answered last tells nothing of how far the next ones are. */
const MOST_FURTHER = 24
/** Servers that acknowledge nothing for so long hang, however busy the machine is. */
const STALL_MS = 180_000
const LOOK_MS = 5
const SERVERS = 2

const { values } = parseArgs({
  options: {
    rounds: { type: 'string', default: '20' },
    seed: { type: 'string', default: '1' },
    side: { type: 'string' },
  },
})
const rounds = wholeNumber('rounds', values.rounds)
const random = createRandom(wholeNumber('seed', values.seed, 0))
if (values.side !== undefined && !SIDES.some((side) => side === values.side))
  throw new Error(`--side ${values.side}: ${SIDES.join(' or ')} is wanted`)
const parent = await mkdtemp(join(tmpdir(), 'quarry-kill9-'))
// Its folder is for another user than that of the servers.
const folder = await mkdtemp(join(tmpdir(), 'quarry-kill9-database-'))
const database = await startPostgresIn(folder, {
  settings: ['jit=off', 'max_connections=60'],
  isKept: true,
})
const environment = { QUARRY_DATABASE_URL: database.url, QUARRY_SYMMETRY: 'off' }
const servers: ServerProcess[] = []
try {
  process.exitCode = await runRounds()
} finally {
  await Promise.all(servers.map((server) => server.stop('SIGKILL')))
  await database.stop()
  for (const directory of [parent, folder]) await rm(directory, { recursive: true, force: true })
}

async function runRounds(): Promise<0 | 1> {
  let [made, least] = [0, 0]
  for (let at = 0; at < SERVERS; at++) servers.push(await start(at))
  const headers = noticedHeaders(servers[0] as ServerProcess)
  const clients = new KeyedClients(() => servers.map(({ url }) => url), headers)
  for (let number = 1; number <= rounds; number++) {
    const side = sideOf(number)
    const before = clients.acknowledged
    const again = clients.sentAgain
    const replayed = clients.replayed
    least += (await killWhileClientsWrite(side, clients)) + AFTERWARDS
    made += 1
    const problems = [...(await problemsOf((servers[0] as ServerProcess).url, clients)), ...(await check())]
    process.stdout.write(
      `round ${number}: ${side} killed, ${clients.acknowledged - before} more writes acknowledged, ` +
        `${clients.sentAgain - again} sent again, of which ${clients.replayed - replayed} had been carried out, ` +
        `${problems.length === 0 ? 'clean' : 'NOT CLEAN'}\n`,
    )
    for (const problem of problems) process.stdout.write(`  ${problem}\n`)
    if (problems.length > 0) return 1
  }
  process.stdout.write(
    `${rounds} rounds, seed ${values.seed}, ${clients.acknowledged} writes acknowledged, ${clients.sentAgain} sent again ` +
      `of which ${clients.replayed} had been carried out: nothing lost, nothing doubled\n`,
  )
  return conclude(true, [
    { what: 'rounds', count: made, least: rounds },
    { what: 'writes acknowledged', count: clients.acknowledged, least },
    { what: 'writes that were under way', count: clients.sentAgain, least: rounds },
  ])
}

function sideOf(number: number): Side {
  return SIDES.find((side) => side === values.side) ?? (SIDES[number % SIDES.length] as Side)
}

function start(at: number): Promise<ServerProcess> {
  return startServer(join(parent, `server-${at}`), ['--no-samples'], { environment })
}

/** Gives how many writes were acknowledged before at the least. */
async function killWhileClientsWrite(side: Side, clients: KeyedClients): Promise<number> {
  const written = clients.run()
  const before = 1 + random.integer(MOST_BEFORE)
  await until(clients, 'acknowledged', clients.acknowledged + before)
  await until(clients, 'sent', clients.sent + random.integer(MOST_FURTHER))
  if (side === 'quarry') {
    const at = random.integer(SERVERS)
    await (servers[at] as ServerProcess).stop('SIGKILL')
    servers[at] = await start(at)
  } else {
    process.kill(database.pid, 'SIGKILL')
    await database.startAgain()
  }
  await until(clients, 'acknowledged', clients.acknowledged + AFTERWARDS)
  clients.beQuiet()
  await written
  return before
}

async function until(clients: KeyedClients, what: 'acknowledged' | 'sent', enough: number): Promise<void> {
  let [last, at] = [clients.acknowledged, performance.now()]
  while (clients[what] < enough) {
    await delay(LOOK_MS)
    if (clients.acknowledged > last) [last, at] = [clients.acknowledged, performance.now()]
    if (performance.now() - at > STALL_MS)
      throw new Error(`nothing has been acknowledged for ${STALL_MS / 1000} s, after ${last} writes`)
  }
}

async function check(): Promise<string[]> {
  const { exitCode, stdout, stderr } = await runCli(['check', '--data', join(parent, 'server-0')], { environment })
  return exitCode === 0 ? [] : [`${stdout}${stderr}`]
}
