/**
 * Several servers over one PostgreSQL database: what one of them has acknowledged, the next request to any other has to see.
 *
 *     npm run build && npx tsx scripts/coherence.ts --tries 100000 --servers 3
 *
 * Lanes create, change and remove records of their own at one server, and ask another for each: the record, a list that names it, one that
 * asks for its present value, or a count. The database is one of its own, and gone afterwards. Exit code 1: an answer was older than what had been
 * acknowledged before it was asked for.
 */
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { noticedHeaders, startServer, stopServers } from '../test/cli/server-process.ts'
import { startPostgres } from '../test/support/postgres.ts'
import { type Asked, Lane, WAYS } from './coherence/lane.ts'
import { conclude, wholeNumber } from './measured.ts'

const LANES = 12
/** It is said how far it is as often. */
const SAID_EACH = 10_000

const { values } = parseArgs({
  options: { tries: { type: 'string', default: '10000' }, servers: { type: 'string', default: '3' } },
})
const tries = wholeNumber('tries', values.tries)
const count = wholeNumber('servers', values.servers, 2)
const directory = await mkdtemp(join(tmpdir(), 'quarry-coherence-'))
const postgres = await startPostgres()
const database = await postgres.create({ isEmpty: true })
try {
  process.exitCode = await run()
} finally {
  await stopServers()
  await database.drop()
  await postgres.stop()
  await rm(directory, { recursive: true, force: true })
}

async function run(): Promise<0 | 1> {
  const environment = { QUARRY_DATABASE_URL: database.url }
  const first = await startServer(join(directory, '0'), ['--no-samples'], { environment })
  const headers = noticedHeaders(first)
  const urls = [first.url]
  while (urls.length < count) {
    const data = join(directory, `${urls.length}`)
    urls.push((await startServer(data, ['--no-samples'], { environment })).url)
  }
  const asked: Asked = { tries: 0, most: tries, stale: [], ways: new Map(WAYS.map((way) => [way, 0])), noteTry }
  await Promise.all(Array.from({ length: LANES }, (_, lane) => new Lane(lane, urls, headers).run(asked)))
  const ways = Array.from(asked.ways, ([way, times]) => `${way} ${times}`).join(', ')
  process.stdout.write(`${asked.tries} tries over ${count} servers (${ways}): ${asked.stale.length} stale answers\n`)
  for (const line of asked.stale.slice(0, 20)) process.stdout.write(`${line}\n`)
  return conclude(asked.stale.length === 0, [
    { what: 'tries', count: asked.tries, least: tries },
    // Each way has its turn with every fourth step of a lane.
    ...Array.from(asked.ways, ([way, times]) => ({ what: `tries by ${way}`, count: times, least: tries / 8 })),
  ])
}

function noteTry(done: number): void {
  if (done % SAID_EACH === 0) process.stderr.write(`${done} tries\n`)
}
