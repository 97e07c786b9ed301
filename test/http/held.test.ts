import { once } from 'node:events'
import { connect, type Socket } from 'node:net'
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { type Actor, type LiveServer, startServer } from './support/live-server.ts'
import { method } from './support/records.ts'

const MIB = 2 ** 20
const API = '/api/2018-10-01'

let server: LiveServer
let large: string
beforeAll(async () => {
  server = await startServer({ http: { stallTimeoutMs: 1500 }, held: { perUser: 20 * MIB, inAll: 45 * MIB } })
  // More than what the system keeps of an answer that nobody reads.
  const { body } = await server.call('POST', 'methods', { body: method('large', { text: 'x'.repeat(9 * MIB) }) })
  large = body.data._id
})
afterAll(() => server.close())

/** All that a test has opened. */
const clients: Client[] = []
afterEach(() => {
  for (const { socket } of clients.splice(0)) socket.destroy()
})

const held = () => server.services.bytes.held
const nothingIsHeld = () => expect.poll(held).toBe(0)

/** A connection that sends a text and notes what comes, unless it is told not to read. */
class Client {
  readonly socket: Socket
  received = ''
  readonly closed: Promise<void>

  constructor(text: string, reads = true) {
    this.socket = connect(server.port, '127.0.0.1')
    this.socket.write(text)
    clients.push(this)
    if (reads) {
      this.socket.on('data', (chunk) => {
        this.received += chunk.toString('latin1')
      })
    } else this.socket.pause()
    this.socket.on('error', () => {})
    this.closed = new Promise((resolve) => this.socket.on('close', () => resolve()))
  }

  /** Nothing has come or gone on the connection for so long. */
  idle(ms: number): Promise<void> {
    this.socket.setTimeout(ms)
    return once(this.socket, 'timeout').then(() => void this.socket.setTimeout(0))
  }

  answered(): Promise<string> {
    return expect
      .poll(() => this.received)
      .toMatch(/\r\n\r\n/)
      .then(() => this.received)
  }
}

function head(as: Actor, line: string, ...lines: readonly string[]): string {
  const credentials = Object.entries(server.credentials[as]).map(([name, value]) => `${name}: ${value}`)
  return `${[`${line} HTTP/1.1`, 'Host: a', ...credentials, 'Content-Type: application/json', ...lines].join('\r\n')}\r\n\r\n`
}

/** A body that is announced, begun and never finished. */
const heldBody = (as: Actor, bytes: number) =>
  new Client(`${head(as, `POST ${API}/methods`, `Content-Length: ${bytes}`)}{"type":`)

describe('bodies', () => {
  test('that do not arrive take room by what they announce, of each user so much', async () => {
    for (let n = 0; n < 2; n++) heldBody('ada', 9 * MIB)
    await expect.poll(held).toBe(18 * MIB)
    const own = await heldBody('ada', 9 * MIB).answered()
    expect(own).toMatch(/^HTTP\/1.1 429 [\s\S]*retry-after: \d+\r\n[\s\S]*"code":42911/i)
    expect((await server.call('GET', 'materials?limit=1')).status).toBe(200)

    for (let n = 0; n < 2; n++) heldBody('bob', 9 * MIB)
    await expect.poll(held).toBe(36 * MIB)
    new Client(
      `POST ${API}/login HTTP/1.1\r\nHost: a\r\nContent-Type: application/json\r\nContent-Length: 16000\r\n\r\n{`,
    )
    await expect.poll(held).toBe(36 * MIB + 16_000)
    for (const { socket } of clients) socket.destroy()
    await nothingIsHeld()
  })

  test('of all users together have a limit, too', async () => {
    const shares = server.services.bytes
    shares.add('somebody', 40 * MIB)
    try {
      const { status, body, headers } = await server.call('POST', 'methods', {
        body: method('one more', { text: 'x'.repeat(6 * MIB) }),
      })
      expect([status, body.code, headers.get('retry-after')]).toEqual([503, 50307, '2'])
    } finally {
      shares.give('somebody', 40 * MIB)
    }
    await nothingIsHeld()
  })

  test('without a length take room as they come', async () => {
    const client = new Client(head('ada', `POST ${API}/methods`, 'Transfer-Encoding: chunked'))
    const chunk = `10000\r\n${'x'.repeat(0x10000)}\r\n`
    for (let n = 0; n < 20; n++) client.socket.write(chunk)
    await expect.poll(held).toBeGreaterThan(1.2 * MIB)
    expect(held()).toBeLessThan(2 * MIB)
    client.socket.destroy()
    await nothingIsHeld()
  })

  test('that stop arriving are answered with 408, and the connection ends', async () => {
    const client = heldBody('ada', 5 * MIB)
    await client.closed
    expect(client.received).toMatch(/^HTTP\/1.1 408 [\s\S]*connection: close\r\n[\s\S]*"code":40801/i)
    await nothingIsHeld()
  })

  test('that arrive slowly but steadily are waited for', async () => {
    const text = JSON.stringify(method('slow'))
    const client = new Client(head('ada', `POST ${API}/methods`, `Content-Length: ${text.length}`))
    const part = Math.ceil(text.length / 4)
    for (let at = 0; at < text.length; at += part) {
      client.socket.write(text.slice(at, at + part))
      await client.idle(700)
    }
    expect(await client.answered()).toMatch(/^HTTP\/1.1 201/)
    client.socket.destroy()
  })
})

describe('answers', () => {
  const unread = (as: Actor = 'ada') => new Client(head(as, `GET ${API}/methods/${large}`), false)

  test('that nobody reads take room, and whoever has too many is refused, however small the next question', async () => {
    for (let n = 0; n < 3; n++) unread()
    await expect.poll(held).toBeGreaterThan(20 * MIB)
    const { status, body } = await server.call('GET', 'materials?limit=1')
    expect([status, body.code]).toEqual([429, 42911])
    expect((await server.call('GET', 'materials?limit=1', { as: 'bob' })).status).toBe(200)
    for (const { socket } of clients) socket.destroy()
    await nothingIsHeld()
    expect((await server.call('GET', 'materials?limit=1')).status).toBe(200)
  })

  test('that nobody takes anything of are given up, and their connections end', async () => {
    const client = unread()
    await expect.poll(held).toBeGreaterThan(4 * MIB)
    await nothingIsHeld()
    client.socket.resume()
    await client.closed
  })

  test('that are taken slowly but steadily come to their end', async () => {
    const client = new Client(head('ada', `GET ${API}/methods/${large}`, 'Connection: close'), false)
    let bytes = 0
    client.socket.on('data', (chunk) => {
      bytes += chunk.length
      client.socket.pause()
      void client.idle(20).then(() => client.socket.resume())
    })
    client.socket.resume()
    await client.closed
    expect(bytes).toBeGreaterThan(9 * MIB)
    await nothingIsHeld()
  })
})

test('a connection that is kept open for another request ends when none comes', async () => {
  const short = await startServer({ http: { idleTimeoutMs: 500 } })
  try {
    const socket = connect(short.port, '127.0.0.1', () => socket.write('GET /healthz HTTP/1.1\r\nHost: a\r\n\r\n'))
    socket.resume()
    await new Promise((resolve) => socket.on('close', resolve))
  } finally {
    await short.close()
  }
})
