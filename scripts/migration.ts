/**
 * Moves a data set from a data directory to PostgreSQL and back by `quarry migrate`, and holds what came back to what there was.
 *
 *     npm run build && npx tsx scripts/migration.ts --documents 100000
 *
 * Says what each way took, for a document: time, processor time of the command and of the server, bytes of the database, and of its write-ahead log. With
 * QUARRY_TEST_DATABASE_URL it is that server; its own one does not wait for the disk, and writes less log than one with the settings of a distribution.
 * Exit code 1: a record, earlier version or removed record that came back is not the same, or not in its place.
 */
import { execFile } from 'node:child_process'
import { cpSync, readFileSync } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs, promisify } from 'node:util'
import Database from 'better-sqlite3'
import { CACHE, prepareDataSet } from '../bench/corpus/data-set.ts'
import { readPrototypes } from '../bench/corpus/prototypes.ts'
import { connect, disconnect } from '../src/store/postgres/base/database.ts'
import { startServer } from '../test/cli/server-process.ts'
import { startPostgres } from '../test/support/postgres.ts'
import { conclude, wholeNumber } from './measured.ts'

const { values } = parseArgs({
  options: { documents: { type: 'string', default: '100000' }, scratch: { type: 'string', default: CACHE } },
})
const documents = wholeNumber('documents', values.documents)
/** So many records at the most have an earlier version, and so many are removed. */
const CHANGED = 100
const say = (line: string) => process.stdout.write(`${line}\n`)
const recipe = { seed: 1, prototypes: readPrototypes() }
const set = await prepareDataSet(recipe, documents, values.scratch, (line) => process.stderr.write(`${line}\n`))
const directory = await mkdtemp(join(tmpdir(), 'quarry-migration-'))
const [first, second] = ['first', 'second'].map((name) => join(directory, name)) as [string, string]
const postgres = await startPostgres()
const database = await postgres.create({ isEmpty: true })
const sql = connect({ url: database.url, connections: 1, statementTimeoutMs: 0, program: 'migration' })
try {
  cpSync(set.dataDirectory, first, { recursive: true })
  await changeSome()
  await measured('to PostgreSQL', first, database.url)
  const [size] = await sql<{ bytes: number; records: number }[]>`
    SELECT pg_database_size(current_database()) AS bytes, pg_total_relation_size('record') AS records`
  say(
    `database: ${perDocument(size?.bytes ?? 0)} bytes a document, of which ${perDocument(size?.records ?? 0)} are of records; their texts have ${Math.round(set.load.meanBytes)}`,
  )
  await measured('back', database.url, second)
  process.exitCode = compareRecords()
} finally {
  await disconnect(sql)
  await database.drop()
  await postgres.stop()
  await rm(directory, { recursive: true, force: true })
}

/** Gives some records an earlier version, and removes some: the data set has neither. */
async function changeSome(): Promise<void> {
  const server = await startServer(first, ['--no-samples'])
  const address = `${server.url}/api/2018-10-01/materials`
  const headers = { ...set.credentials, 'content-type': 'application/json' }
  const ask = async (method: string, target: string, body?: object): Promise<unknown> => {
    const response = await fetch(target, {
      method,
      headers,
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    })
    const { data } = (await response.json()) as { data: unknown }
    if (!response.ok)
      throw new Error(`${method} of ${Object.keys(body ?? {})} answered ${response.status}: ${JSON.stringify(data)}`)
    return data
  }
  try {
    const query = encodeURIComponent(JSON.stringify({ 'owner._id': set.credentials['X-Account-Id'] }))
    const own = (await ask('GET', `${address}?limit=${2 * CHANGED}&query=${query}`)) as { readonly _id: string }[]
    const ids = own.map(({ _id }) => _id)
    await ask('PATCH', address, { ids: ids.slice(0, ids.length / 2), change: { $addToSet: { tags: 'moved' } } })
    await ask('DELETE', address, { ids: ids.slice(ids.length / 2) })
  } finally {
    await server.stop()
  }
}

function perDocument(amount: number): number {
  return Math.round(amount / documents)
}

async function measured(what: string, from: string, to: string): Promise<void> {
  const logAt = async () =>
    (await sql<{ at: string }[]>`SELECT pg_current_wal_insert_lsn()::text AS at`)[0]?.at ?? '0/0'
  const [begun, log, server] = [performance.now(), await logAt(), await serverMicros()]
  const command = ['dist/cli/main.js', 'migrate', '--from', from, '--to', to, '--json']
  const timed = 'process.on("exit",()=>{const{user,system}=process.cpuUsage();console.error(`cpu ${user+system}`)})'
  const { stderr } = await promisify(execFile)(process.execPath, [
    '--import',
    `data:text/javascript,${encodeURIComponent(timed)}`,
    ...command,
  ])
  const seconds = (performance.now() - begun) / 1000
  const node = Number(/^cpu (\d+)$/m.exec(stderr)?.[1])
  const [written] = await sql<
    { bytes: number }[]
  >`SELECT pg_wal_lsn_diff(pg_current_wal_insert_lsn(), ${log}::pg_lsn)::bigint AS bytes`
  const ofServer = (await serverMicros()) - server
  say(
    `${what}: ${seconds.toFixed(1)} s, ${perDocument(node)} + ${perDocument(ofServer)} µs of processor time a document, node and server; ${perDocument(written?.bytes ?? 0)} bytes of log a document`,
  )
}

/** The processor time of the server: that of its first process with all that have ended, and of those that have not. */
async function serverMicros(): Promise<number> {
  const [own] = await sql<{ pid: number }[]>`SELECT pg_backend_pid() AS pid`
  const parent = Number(statOf(own?.pid ?? 0)[1])
  const living = await sql<{ pid: number }[]>`SELECT pid FROM pg_stat_activity`
  const ticks = living.reduce(
    (sum, { pid }) => sum + sumOf(statOf(pid).slice(11, 13)),
    sumOf(statOf(parent).slice(11, 15)),
  )
  return ticks * 10_000
}

function statOf(pid: number): readonly string[] {
  try {
    return readFileSync(`/proc/${pid}/stat`, 'utf8')
      .replace(/^.*\) /s, '')
      .split(' ')
  } catch {
    return []
  }
}

function sumOf(ticks: readonly string[]): number {
  return ticks.reduce((sum, each) => sum + Number(each), 0)
}

/** Holds the rows of both files against each other, by SQLite alone. */
function compareRecords(): 0 | 1 {
  const files = new Database(join(second, 'quarry.db'), { readonly: true })
  files.prepare('ATTACH ? AS first').run(join(first, 'quarry.db'))
  const record = (of: string) =>
    `SELECT n, name, account, scope = 0, id, version, is_default, CAST(doc AS BLOB), note FROM ${of}.record r JOIN ${of}.collection c ON c.number = r.collection JOIN ${of}.owner o ON o.number = r.owner`
  const revision = (of: string) => `SELECT n, version, CAST(doc AS BLOB), note FROM ${of}.revision`
  const removed = (of: string) =>
    `SELECT place, n, id, version, is_public, CAST(doc AS BLOB), note, removal FROM ${of}.removed`
  const counts = [record, revision, removed].map((rows) => {
    const differ = `SELECT count(*) FROM (SELECT * FROM (${rows('first')} EXCEPT ${rows('main')}) UNION ALL SELECT * FROM (${rows('main')} EXCEPT ${rows('first')}))`
    return [
      files
        .prepare(`SELECT count(*) FROM (${rows('main')})`)
        .pluck()
        .get(),
      files.prepare(differ).pluck().get(),
    ]
  })
  files.close()
  say(
    `came back: ${counts.map(([all, differ], at) => `${all} ${['records', 'earlier versions', 'removed'][at]}, ${differ} not the same`).join('; ')}`,
  )
  const [records = 0, versions = 0, gone = 0] = counts.map(([all]) => Number(all))
  return conclude(
    counts.every(([, differ]) => differ === 0),
    [
      { what: 'records, removed ones with them', count: records + gone, least: documents },
      { what: 'earlier versions', count: versions, least: 1 },
      { what: 'removed records', count: gone, least: 1 },
    ],
  )
}
