import { connect } from 'node:net'
import { setImmediate } from 'node:timers/promises'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type LiveServer, startServer } from './support/live-server.ts'
import { material } from './support/records.ts'

const RECORDS = 40
let server: LiveServer

beforeAll(async () => {
  server = await startServer()
  const materials = Array.from({ length: RECORDS }, (_, n) => material(`record ${n}`, { description: textOf(n) }))
  for (const one of materials) await server.call('POST', 'materials', { body: one })
})
afterAll(() => server.close())

function textOf(n: number): string {
  return `${n} `.repeat(5_000)
}

interface List {
  readonly path: string
  readonly names: readonly string[]
}

/** A list that nobody has asked for before, of some hundred kilobytes, and what it must say. */
function listOf(n: number): List {
  const skip = n % (RECORDS - 20)
  const query = { name: { $regex: '^record' }, index: { $ne: n } }
  const projection = { skip, limit: 20, ...(n > 200 && n % 3 === 0 ? { fields: { name: 1, description: 1 } } : {}) }
  const [asked, shown] = [query, projection].map((one) => encodeURIComponent(JSON.stringify(one)))
  return {
    path: `/api/2018-10-01/materials?query=${asked}&projection=${shown}`,
    names: Array.from({ length: 20 }, (_, at) => `record ${skip + at}`),
  }
}

function assertRight(text: string, { names }: List): void {
  const { data } = JSON.parse(text) as { data: { name: string; description: string }[] }
  expect(data.map(({ name }) => name)).toEqual(names)
  const wrong = data.filter(({ name, description }) => description !== textOf(Number(name.slice('record '.length))))
  expect(wrong.map(({ name }) => name)).toEqual([])
}

/** Asks lists one behind the other on a connection that nothing is read of; gives the way to read all of them. */
async function askWithoutReading(lists: readonly List[]): Promise<() => Promise<readonly string[]>> {
  const socket = connect(server.port, '127.0.0.1').pause()
  const credentials = Object.entries(server.credentials.ada).map(([name, value]) => `${name}: ${value}\r\n`)
  for (const [at, { path }] of lists.entries()) {
    const last = at === lists.length - 1 ? 'Connection: close\r\n' : ''
    socket.write(`GET ${path} HTTP/1.1\r\nHost: a\r\n${last}${credentials.join('')}\r\n`)
    // Each in a turn of its own, as far as they are read at all.
    for (let turn = 0; turn < 5; turn++) await setImmediate()
  }
  return async () => {
    const parts: Buffer[] = []
    for await (const part of socket) parts.push(part as Buffer)
    return bodiesIn(Buffer.concat(parts))
  }
}

function bodiesIn(received: Buffer): readonly string[] {
  const bodies: string[] = []
  for (let at = 0; at < received.length; ) {
    const body = received.indexOf('\r\n\r\n', at) + 4
    const length = Number(/content-length: (\d+)/i.exec(received.toString('latin1', at, body))?.[1])
    at = body + length
    bodies.push(received.toString('latin1', body, at))
  }
  return bodies
}

test('an answer that its client does not take stays what it is while others are answered', async () => {
  const waiting: { lists: readonly List[]; read: () => Promise<readonly string[]> }[] = []
  for (let n = 0; n < 3; n++) {
    const lists = Array.from({ length: 14 }, (_, at) => listOf(n * 14 + at))
    waiting.push({ lists, read: await askWithoutReading(lists) })
    await expect.poll(() => server.services.bytes.held).toBeGreaterThan(n * 200_000)
  }
  for (let n = 200; n < 240; n++) {
    const list = listOf(n)
    const headers = { ...server.credentials.ada, ...(n % 2 === 0 ? { 'accept-encoding': 'identity' } : {}) }
    assertRight(await (await fetch(`${server.origin}${list.path}`, { headers })).text(), list)
  }
  for (const { lists, read } of waiting) {
    const bodies = await read()
    for (const [at, list] of lists.entries()) {
      assertRight(bodies[at] as string, list)
      await setImmediate()
    }
  }
})
