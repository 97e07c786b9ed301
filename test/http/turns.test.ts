import { connect, type Socket } from 'node:net'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { buildServer } from '../../src/http/server/build-server.ts'
import { Turns } from '../../src/kernel/turns.ts'
import { STORE_METRICS } from '../../src/store/metrics.ts'
import { insertion } from '../support/plans.ts'
import { type Actor, type LiveServer, startServer } from './support/live-server.ts'
import { rawRequest } from './support/raw-request.ts'

let server: LiveServer
beforeAll(async () => {
  server = await startServer({ timeBudgetMs: 15_000 })
})
afterAll(() => server.close())

/** A list. */
function request(actor: Actor, query: string): string {
  const credentials = Object.entries(server.credentials[actor]).map(([name, value]) => `${name}: ${value}`)
  return `${[`GET /api/2018-10-01/materials?${query} HTTP/1.1`, 'Host: a', ...credentials].join('\r\n')}\r\n\r\n`
}

/** A connection that counts the answers it gets. */
class Client {
  readonly socket: Socket
  received = ''
  readonly closed: Promise<void>

  constructor(onAnswers: () => void = () => {}) {
    this.socket = connect(server.port, '127.0.0.1')
    this.socket.on('data', (chunk) => {
      this.received += chunk.toString('latin1')
      onAnswers()
    })
    this.socket.on('error', () => {})
    this.closed = new Promise((resolve) => this.socket.on('close', () => resolve()))
  }

  get answers(): number {
    return this.received.split('HTTP/1.1 ').length - 1
  }
}

/** Opens connections of ada's, each of which sends as many requests at once, and gives them when the first has been answered. */
async function flood(connections: number, each: number): Promise<readonly Client[]> {
  // Whoever is not known yet counts by address.
  await server.call('GET', 'materials?limit=1')
  return new Promise((resolve) => {
    const clients = Array.from({ length: connections }, () => new Client(() => resolve(clients)))
    for (const [at, { socket }] of clients.entries())
      socket.write(Array.from({ length: each }, (_, n) => request('ada', `name=n${at * each + n}`)).join(''))
  })
}

const sum = (clients: readonly Client[]) => clients.reduce((total, { answers }) => total + answers, 0)

describe('a user who asks for more than the thread can do', () => {
  test('does not keep others waiting, and is answered in full', async () => {
    await server.call('GET', 'materials?limit=1', { as: 'bob' })
    const clients = await flood(6, 150)
    for (let n = 0; n < 10; n++)
      expect((await server.call('GET', `materials?name=bob${n}`, { as: 'bob' })).status).toBe(200)
    expect(sum(clients)).toBeLessThan(6 * 150)
    await expect.poll(() => clients.map(({ answers }) => answers), { timeout: 30_000 }).toEqual(Array(6).fill(150))
    for (const { received, socket } of clients) {
      expect(received).not.toContain('HTTP/1.1 4')
      socket.destroy()
    }
  })

  test('is cut off when a connection goes on and on without waiting for answers', async () => {
    const clients = await flood(20, 250)
    await Promise.race(clients.map(({ closed }) => closed))
    for (const { socket } of clients) socket.destroy()
    // What they have sent waits until it is found that nobody waits for it.
    await expect.poll(async () => (await server.call('GET', 'materials')).status).toBe(200)
  })
})

test('a list that takes long holds up neither probes nor the lists of others', async () => {
  const { services, accountIds } = server
  const own = { accountId: accountIds.ada }
  const documents = Array.from({ length: 600 }, (_, n) => insertion('materials', `m${n}`, { tags: [n] }, own))
  await services.records.store.applyEach(documents)
  // A tenth of a second for each document: of an array, columns do not tell.
  const parts = { $filter: { input: { $range: [0, 100_000] }, cond: { $gt: ['$$this', { $first: '$tags' }] } } }
  const query = JSON.stringify({ $expr: { $lt: [{ $size: parts }, 0] } })
  const client = new Client()
  client.socket.write(request('ada', `query=${encodeURIComponent(query)}`))
  const busy = () => new Map(services.metrics()).get(STORE_METRICS.readersBusy)
  await expect.poll(busy).toBe(1)
  for (let n = 0; n < 20; n++) {
    expect((await server.call('GET', '/healthz')).status).toBe(200)
    expect((await server.call('GET', `materials?name=beside${n}`, { as: 'bob' })).status).toBe(200)
  }
  expect(client.answers).toBe(0)
  client.socket.destroy()
})

test('a request is refused when too many of its user wait already', async () => {
  const { services } = server
  const turns = new Turns({ atOnceMs: 0, sliceMs: 1, mostWaiting: 0 })
  const full = buildServer({ ...services, turns })
  try {
    const { port } = new URL(await full.listen({ host: '127.0.0.1', port: 0 }))
    const answer = await rawRequest(Number(port), request('ada', 'name=n1'))
    expect([answer.status, answer.body.code, answer.headers.get('connection')]).toEqual([429, 42930, 'close'])
  } finally {
    await full.close()
  }
})
