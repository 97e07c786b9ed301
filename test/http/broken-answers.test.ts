import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { type IncomingMessage, request } from 'node:http'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { logToLines } from '../support/log-lines.ts'
import { damageLast } from './support/damage-record.ts'
import { IS_ON_POSTGRES, type LiveServer, startServer } from './support/live-server.ts'
import { material, method } from './support/records.ts'

const { log, lines } = logToLines('error')
let server: LiveServer
/** What the log has of damage: what found it says it. */
const DAMAGE_TOLD = IS_ON_POSTGRES ? 'lz4 data is corrupt' : 'is damaged in the storage'
beforeAll(async () => {
  server = await startServer({ http: { accessLog: true }, log })
  // The large ones together are more than sockets hold for a client that does not read; the last of them is not read with the first. Nothing makes them much smaller.
  const description = randomBytes(375_000).toString('base64')
  const writeLarge = async (count: number) => {
    for (let n = 0; n < count; n++) await server.call('POST', 'methods', { body: method(`m${n}`, { description }) })
  }
  await writeLarge(10)
  const small = Array.from({ length: 300 }, (_, n) => JSON.stringify(method(`small ${n}`)))
  const headers = { ...server.credentials.ada, 'content-type': 'application/x-ndjson' }
  const address = `${server.origin}/api/2018-10-01/methods/bulk`
  const stored = await fetch(address, { method: 'POST', headers, body: small.join('\n') })
  expect(await stored.text()).toContain('"stored":300')
  await writeLarge(20)
  await server.call('POST', 'materials', { body: material('si') })
})
afterAll(() => server.close())

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

describe('of damaged data', () => {
  let mend: () => Promise<void>
  beforeAll(async () => {
    mend = await damageLast(server.storage, 'methods')
  })
  afterAll(() => mend())

  test.each([
    ['an export', 'methods/export'],
    ['a compressed export', 'methods/export?gzip=true'],
  ])('%s breaks off, and the log tells of it', async (_what, path) => {
    const before = log.counts.get('answer.broken-off') ?? 0
    const { status, outcome, events } = await send(path)
    expect([status, outcome]).toEqual([200, 'broke off'])
    expect(events).toMatchObject([
      {
        level: 'error',
        event: 'answer.broken-off',
        code: 50020,
        method: 'GET',
        route: '/api/2018-10-01/methods/export',
      },
      { event: 'request.answered', status: 500, user: 'ada', address: '127.0.0.1' },
    ])
    expect(JSON.stringify(events[0]?.['err'])).toContain(DAMAGE_TOLD)
    expect(log.counts.get('answer.broken-off')).toBe(before + 1)
  })
})

test('what fails before its beginning is answered, and told once', async () => {
  const mend = await damageLast(server.storage, 'materials')
  const { status, outcome, events } = await send('materials/export?format=poscar')
  await mend()
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
