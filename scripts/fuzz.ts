/**
 * Starts a server, sends it requests that are in order, absurd or no HTTP at all, and checks every answer.
 *
 *     npx tsx scripts/fuzz.ts --requests 100000 --seed 1 --processes 2
 *
 * The seed repeats a run, as far as the order of answers does not matter. Each process has a server of its own, and the seeds after the first one. Exit code 1: an answer was wrong, none came, or the server did not survive.
 */
import { fork } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, rm } from 'node:fs/promises'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'
import { accountDeps } from '../src/accounts/deps.ts'
import { logIn, resolveSession } from '../src/accounts/sessions.ts'
import { createUser } from '../src/accounts/users.ts'
import { DEFAULT_HELD } from '../src/http/bounds/held.ts'
import { buildServer } from '../src/http/server/build-server.ts'
import { systemClock } from '../src/kernel/clock.ts'
import { SILENT_LOG } from '../src/kernel/log.ts'
import { systemRandom } from '../src/kernel/names.ts'
import { Shares, Spending, TURNS, Turns } from '../src/kernel/turns.ts'
import { FileLinks } from '../src/records/file-links.ts'
import { methodKind } from '../src/records/kinds/plain-kinds.ts'
import { RECORD_KINDS } from '../src/records/kinds/record-kinds.ts'
import { createRecord } from '../src/records/use-cases/create-record.ts'
import { RecordThreads } from '../src/records/work/record-threads.ts'
import { DirectoryFiles } from '../src/store/files/directory-files.ts'
import { openSqliteStore } from '../src/store/sqlite/open-sqlite-store.ts'
import { problemOf } from './fuzz/check-answer.ts'
import { FuzzConnection } from './fuzz/connection.ts'
import { type FuzzRequest, makeRequest } from './fuzz/make-request.ts'
import { createRandom } from './fuzz/random.ts'
import { conclude, wholeNumber } from './measured.ts'

const CONNECTIONS = 8
const TIMEOUT_MS = 20_000
const SHOWN_PROBLEMS = 20

const { values } = parseArgs({
  options: {
    requests: { type: 'string', default: '100000' },
    seed: { type: 'string', default: '1' },
    processes: { type: 'string', default: '1' },
  },
})
const seed = wholeNumber('seed', values.seed, 0)
const processes = wholeNumber('processes', values.processes)
const total = Math.ceil(wholeNumber('requests', values.requests) / processes)
const others = Array.from({ length: processes - 1 }, (_, n) =>
  fork(fileURLToPath(import.meta.url), ['--requests', String(total), '--seed', String(seed + n + 1)], {
    execArgv: ['--import', 'tsx'],
  }),
)
const otherCodes = Promise.all(others.map(async (other) => (await once(other, 'exit'))[0] as number | null))

const directory = await mkdtemp(join(tmpdir(), 'quarry-fuzz-'))
const store = await openSqliteStore({ dataDirectory: directory })
// Logins must be cheap here: the server is to be tried, not argon2.
const accounts = accountDeps(store.accounts, { settings: { passwordMemoryKib: 64, passwordPasses: 1 } })
const log = SILENT_LOG
const work = new RecordThreads()
const files = new DirectoryFiles(join(directory, 'files'))
const records = {
  store: store.records,
  files,
  links: new FileLinks('a key', systemClock),
  accounts: store.accounts,
  log,
  work,
  clock: systemClock,
  random: systemRandom,
}
const server = buildServer({
  accounts,
  records,
  bytes: new Shares(DEFAULT_HELD),
  spending: new Spending(),
  turns: new Turns(TURNS),
  kinds: RECORD_KINDS,
  log,
  edition: 'fuzz',
  metrics: () => store.metrics(),
  answers: store.answers,
  ping: () => store.ping(),
})
await server.listen({ host: '127.0.0.1', port: 0 })
const { port } = server.server.address() as AddressInfo

const user = { name: 'fuzz', password: 'a fuzzy password' }
await createUser(accounts, user)
/** Changes whenever a request logs out. */
let pair = await logIn(accounts, { login: user.name, password: user.password, address: '::1' })
const session = await resolveSession(accounts, pair)
const ids: string[] = []
for (let n = 0; n < 20; n++) {
  ids.push(
    (await createRecord({ deps: records, kind: methodKind, session }, { type: 'pseudopotential', subtype: `us${n}` }))
      .id,
  )
}

const target = { credentials: () => ({ 'X-Account-Id': pair.accountId, 'X-Auth-Token': pair.token }), ids }
const statuses = new Map<string, number>()
const problems: string[] = []
let sent = 0
const started = Date.now()

async function run(lane: number): Promise<void> {
  const random = createRandom(seed * 1000 + lane)
  const connection = new FuzzConnection(port)
  while (sent < total && problems.length < SHOWN_PROBLEMS) {
    sent++
    if (sent % Math.ceil(total / 20) === 0) report()
    const request = makeRequest(random, target)
    const problem = await attempt(connection, request).catch((error: Error) => {
      connection.close()
      return error.message
    })
    if (problem !== null) complain(problem, request.bytes)
  }
  connection.close()
}

async function attempt(connection: FuzzConnection, request: FuzzRequest): Promise<string | null> {
  if (!request.isWhole) connection.close()
  const answer = await connection.exchange(request.bytes, request.method, !request.isWhole, TIMEOUT_MS)
  note(answer === null ? 'closed' : String(answer.status))
  if (answer === null) return request.isWhole ? 'no answer to a whole request' : null
  if (answer.body.includes('successfully logged out')) {
    pair = await logIn(accounts, { login: user.name, password: user.password, address: '::1' })
  }
  return problemOf(answer)
}

function note(outcome: string): void {
  statuses.set(outcome, (statuses.get(outcome) ?? 0) + 1)
}

function complain(problem: string, bytes: Buffer): void {
  problems.push(problem)
  console.error(`\n${problem}\n  ${JSON.stringify(bytes.toString('latin1').slice(0, 2000))}`)
}

function report(): void {
  const seconds = (Date.now() - started) / 1000
  console.log(`${sent} of ${total} requests, ${Math.round(sent / seconds)} a second, ${problems.length} problems`)
}

await Promise.all(Array.from({ length: CONNECTIONS }, (_, lane) => run(lane)))

const alive = await fetch(`http://127.0.0.1:${port}/api/2018-10-01/methods?limit=1`, {
  headers: { 'x-account-id': pair.accountId, 'x-auth-token': pair.token },
})
if (alive.status !== 200) problems.push(`the server answers ${alive.status} afterwards`)
await server.close()
await work.close()
await store.close()
await rm(directory, { recursive: true, force: true })

console.log(
  `answers: ${[...statuses]
    .sort()
    .map(([status, count]) => `${status} × ${count}`)
    .join(', ')}`,
)
console.log(
  problems.length === 0 ? `fine: ${sent} requests, seed ${seed}` : `${problems.length} problems, seed ${seed}`,
)
const answers = [...statuses].reduce((sum, [outcome, times]) => sum + (outcome === 'closed' ? 0 : times), 0)
process.exitCode = conclude(problems.length === 0 && (await otherCodes).every((code) => code === 0), [
  { what: 'requests', count: sent, least: total },
  // Some requests are never finished; and what is refused at the door says little of what is behind it.
  { what: 'answers', count: answers, least: total / 2 },
  { what: 'answers of 200', count: statuses.get('200') ?? 0, least: total / 100 },
])
