import { once } from 'node:events'
import { type IncomingMessage, request } from 'node:http'
import { join } from 'node:path'
import Database from 'better-sqlite3'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { logToLines } from '../support/log-lines.ts'
import { type LiveServer, startServer } from './support/live-server.ts'
import { material, method } from './support/records.ts'

const { log, lines } = logToLines('error')
let server: LiveServer
beforeAll(async () => {
  server = await startServer({ http: { accessLog: true }, log })
  // All of them together are more than sockets hold for a client that does not read.
  const description = 'x'.repeat(500_000)
  for (let n = 0; n < 30; n++) await server.call('POST', 'methods', { body: method(`m${n}`, { description }) })
  await server.call('POST', 'materials', { body: material('si') })
})
afterAll(() => server.close())

/** Changes what the last record of a collection is called, as a failing disk may. */
function damageLast(collection: string, from: string, to: string): void {
  const database = new Database(join(server.directory, 'quarry.db'))
  database
    .prepare(
      `UPDATE record SET doc = replace(doc, ?, ?)
       WHERE n = (SELECT max(n) FROM record WHERE collection = (SELECT number FROM collection WHERE name = ?))`,
    )
    .run(from, to, collection)
  database.close()
}

async function send(path: string) {
  const response = await fetch(`${server.origin}/api/2018-10-01/${path}`, { headers: server.credentials.ada })
  const outcome = await response.text().then(
    () => 'came to its end',
    () => 'broke off',
  )
  return { status: response.status, outcome, events: await eventsOf(response.headers.get('x-request-id')) }
}

/** What the log tells of a request; the last is that it was answered. */
async function eventsOf(request: string | null) {
  const told = () => lines.filter((line) => line['request'] === request)
  await expect.poll(() => told().at(-1)?.['event']).toBe('request.answered')
  return told()
}

test.each([
  ['an export', 'methods/export'],
  ['a compressed export', 'methods/export?gzip=true'],
])('%s of damaged data breaks off, and the log tells of it', async (_what, path) => {
  damageLast('methods', '"m29"', '"m92"')
  const before = log.counts.get('answer.broken-off') ?? 0
  const { status, outcome, events } = await send(path)
  damageLast('methods', '"m92"', '"m29"')
  expect([status, outcome]).toEqual([200, 'broke off'])
  expect(events).toMatchObject([
    { level: 'error', event: 'answer.broken-off', code: 50020, method: 'GET', route: '/api/2018-10-01/methods/export' },
    { event: 'request.answered', status: 500, user: 'ada', address: '127.0.0.1' },
  ])
  expect(JSON.stringify(events[0]?.['err'])).toContain('is damaged in the storage')
  expect(log.counts.get('answer.broken-off')).toBe(before + 1)
})

test('what fails before its beginning is answered, and told once', async () => {
  damageLast('materials', '"si"', '"is"')
  const { status, outcome, events } = await send('materials/export?format=poscar')
  expect([status, outcome]).toEqual([500, 'came to its end'])
  expect(events).toMatchObject([
    { event: 'request.failed', code: 50020 },
    { event: 'request.answered', status: 500 },
  ])
})

test('a client that goes away is none of the faults of the server', async () => {
  const before = log.counts.get('answer.broken-off')
  const asking = request(`${server.origin}/api/2018-10-01/methods/export`, { headers: server.credentials.ada }).end()
  const [response]: IncomingMessage[] = await once(asking, 'response')
  response?.destroy()
  const id = String(response?.headers['x-request-id'])
  expect(await eventsOf(id)).toMatchObject([{ event: 'request.answered', status: 499, address: '127.0.0.1' }])
  expect(log.counts.get('answer.broken-off')).toBe(before)
})
