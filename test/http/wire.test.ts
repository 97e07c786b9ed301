import { once } from 'node:events'
import { connect } from 'node:net'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type LiveServer, startServer } from './support/live-server.ts'
import { rawRequest } from './support/raw-request.ts'

let server: LiveServer
beforeAll(async () => {
  server = await startServer({ http: { bodyLimit: 100_000 } })
})
afterAll(() => server.close())

/** A request of ada's, head and all. */
function request(line: string, headers: readonly string[] = [], body = ''): string {
  const credentials = Object.entries(server.credentials.ada).map(([name, value]) => `${name}: ${value}`)
  return [line, 'Host: localhost', ...credentials, ...headers, '', body].join('\r\n')
}

const LIST = '/api/2018-10-01/materials'
const LOGIN = '/api/2018-10-01/login'

describe('bytes that are not HTTP', () => {
  test.each([
    ['garbage', 'garbage\r\n\r\n', 40030],
    ['a method that does not exist', 'FETCH / HTTP/1.1\r\nHost: a\r\n\r\n', 40030],
    ['a TLS hello', Buffer.from('16030100a5010000a10303', 'hex'), 40030],
    ['a URL that is not percent-encoded', `GET ${LIST}?name=Größe HTTP/1.1\r\nHost: a\r\n\r\n`, 40031],
    ['a space in the URL', `GET ${LIST}?query={"name": "a"} HTTP/1.1\r\nHost: a\r\n\r\n`, 40030],
    ['a NUL in the path', 'GET /\0 HTTP/1.1\r\nHost: a\r\n\r\n', 40031],
    ['a line break within a header name', 'GET / HTTP/1.1\r\nHo st: a\r\n\r\n', 40030],
    ['a NUL in a header', 'GET / HTTP/1.1\r\nHost: a\r\nX-A: \0\r\n\r\n', 40030],
    ['no Host', `GET ${LIST} HTTP/1.1\r\n\r\n`, 40030],
    ['two Hosts', 'GET /healthz HTTP/1.1\r\nHost: a\r\nHost: b\r\n\r\n', 40030],
    ['twice the same Host', 'GET /healthz HTTP/1.1\r\nHost: a\r\nHost: a\r\n\r\n', 40030],
    ['a Host with a path', 'GET /healthz HTTP/1.1\r\nHost: a/b\r\n\r\n', 40030],
    ['a Host with a name before it', 'GET /healthz HTTP/1.1\r\nHost: user@a\r\n\r\n', 40030],
    ['a star for an address', 'GET * HTTP/1.1\r\nHost: a\r\n\r\n', 40031],
    ['a star for an address to write to', 'POST * HTTP/1.1\r\nHost: a\r\nContent-Length: 0\r\n\r\n', 40031],
    ['the address of another protocol', 'GET ftp://a/healthz HTTP/1.1\r\nHost: a\r\n\r\n', 40031],
    ['two Content-Lengths', 'POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 1\r\nContent-Length: 2\r\n\r\nab', 40030],
    ['a negative Content-Length', 'POST / HTTP/1.1\r\nHost: a\r\nContent-Length: -1\r\n\r\n', 40030],
    [
      'Content-Length and chunks',
      'POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 3\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n',
      40030,
    ],
    [
      'a chunk whose size is no number',
      `POST ${LOGIN} HTTP/1.1\r\nHost: a\r\nContent-Type: application/json\r\nTransfer-Encoding: chunked\r\n\r\nzz\r\n`,
      40030,
    ],
    ['HTTP/3.7', 'GET / HTTP/3.7\r\nHost: a\r\n\r\n', 40030],
  ])('%s are answered in the envelope', async (_what, bytes, code) => {
    expect((await rawRequest(server.port, bytes)).body.code).toBe(code)
  })

  test('leave the server as it was', async () => {
    expect((await server.call('GET', 'materials')).status).toBe(200)
  })
})

describe('a request that is unusual', () => {
  test('with headers of 300 kB is 431', async () => {
    const { body } = await rawRequest(server.port, request(`GET ${LIST} HTTP/1.1`, [`X-Long: ${'x'.repeat(300_000)}`]))
    expect(body.code).toBe(43101)
  })

  test('with a URL of 230 kB is 414 and says what to use', async () => {
    const { body } = await rawRequest(server.port, request(`GET ${LIST}?query=${'x'.repeat(230_000)} HTTP/1.1`))
    expect(body.code).toBe(41401)
    expect(body.data.hint).toContain('/search')
  })

  test('with a query of 64 KiB that is percent-encoded to three times that is answered', async () => {
    const query = JSON.stringify({ name: '{'.repeat(64 * 1024 - 20) })
    expect(
      (await server.call('GET', `materials?query=${query.replaceAll(/./g, (c) => `%${c.charCodeAt(0).toString(16)}`)}`))
        .body,
    ).toEqual({
      status: 'success',
      data: [],
    })
  })

  test('as CONNECT is 405', async () => {
    expect(
      (await rawRequest(server.port, 'CONNECT example.org:443 HTTP/1.1\r\nHost: example.org\r\n\r\n')).status,
    ).toBe(405)
  })

  test('as TRACE is 405 and echoes no credential', async () => {
    const { status, text } = await rawRequest(server.port, request(`TRACE ${LIST} HTTP/1.1`))
    expect(status).toBe(405)
    expect(text).not.toContain(server.credentials.ada['x-auth-token'])
  })

  test('that expects something is 417', async () => {
    expect((await rawRequest(server.port, request(`GET ${LIST} HTTP/1.1`, ['Expect: a miracle']))).body.code).toBe(
      41701,
    )
  })

  test('that expects 100-continue is answered', async () => {
    const headers = ['Content-Type: application/json', 'Content-Length: 2', 'Expect: 100-continue']
    const received = await new Promise<string>((resolve, reject) => {
      const socket = connect(server.port, '127.0.0.1', () =>
        socket.write(request(`POST ${LIST}/count HTTP/1.1`, headers)),
      )
      let text = ''
      socket.on('data', (chunk) => {
        text += chunk.toString()
        if (/^HTTP\/1.1 100/.test(text) && !text.includes('200 OK')) socket.write('{}')
        if (text.includes('"count"')) {
          socket.destroy()
          resolve(text)
        }
      })
      socket.on('error', reject)
    })
    expect(received).toMatch(/^HTTP\/1.1 100 Continue\r\n\r\nHTTP\/1.1 200 OK/)
  })

  test.each([
    [`http://localhost${LIST}`, 200],
    [`HTTP://localhost:3000${LIST}`, 200],
    [`https://elsewhere${LIST}?limit=1`, 200],
    [`http://localhost${LIST}?limit=x`, 400],
  ])('that names the whole URL %s is answered as if it named the path', async (url, status) => {
    expect((await rawRequest(server.port, request(`GET ${url} HTTP/1.1`))).status).toBe(status)
  })

  test('about the server as such is answered', async () => {
    expect((await rawRequest(server.port, request('OPTIONS * HTTP/1.1'))).status).toBe(204)
  })

  test.each([
    [2000, 200],
    [2001, 431],
    [9000, 431],
  ])('with %i headers is %i', async (count, status) => {
    const MANY = expect.stringMatching(/more than 2000 headers\.$/)
    const { credentials } = server
    const more = Array.from({ length: count - 1 - Object.keys(credentials.ada).length }, (_, n) => `X-${n}: 1`)
    for (const path of [LIST, `${LIST}?limit=1`]) {
      const answer = await rawRequest(server.port, request(`GET ${path} HTTP/1.1`, more))
      expect(answer.status).toBe(status)
      if (status === 431) expect(answer.body).toMatchObject({ code: 43101, message: MANY })
    }
  })

  test.each(['X-Account-Id', 'X-Auth-Token', 'Authorization', 'Content-Type'])(
    'with two headers %s is not read as if it had one',
    async (name) => {
      const twice = [`${name}: a`, `${name}: b`, 'Content-Length: 2']
      const { status } = await rawRequest(server.port, request(`POST ${LIST}/count HTTP/1.1`, twice, '{}'))
      expect(status).toBe(name === 'Content-Type' ? 415 : 401)
    },
  )

  test('of HTTP/1.0 without a Host is answered', async () => {
    expect((await rawRequest(server.port, 'GET /healthz HTTP/1.0\r\n\r\n')).status).toBe(200)
  })

  test('that wants to upgrade to a WebSocket is answered as if it did not', async () => {
    const headers = [
      'Connection: Upgrade',
      'Upgrade: websocket',
      'Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==',
      'Sec-WebSocket-Version: 13',
    ]
    expect((await rawRequest(server.port, request(`GET ${LIST} HTTP/1.1`, headers))).status).toBe(200)
  })

  test('that never sends its body is ended with 408', async () => {
    const slow = await startServer({ http: { arrivalTimeoutMs: 500 } })
    try {
      const credentials = Object.entries(slow.credentials.ada).map(([name, value]) => `${name}: ${value}`)
      const head = [
        `POST ${LIST} HTTP/1.1`,
        'Host: a',
        ...credentials,
        'Content-Type: application/json',
        'Content-Length: 10',
        '',
        '{',
      ]
      expect((await rawRequest(slow.port, head.join('\r\n'), 45_000)).body.code).toBe(40801)
    } finally {
      await slow.close()
    }
  })

  test('that breaks off does no harm', async () => {
    await new Promise<void>((resolve) => {
      const socket = connect(server.port, '127.0.0.1', () => {
        socket.write(
          request(
            `POST ${LIST} HTTP/1.1`,
            ['Content-Type: application/json', 'Content-Length: 1000', 'Expect: 100-continue'],
            '{"name":',
          ),
        )
      })
      // It is waited for by then.
      socket.once('data', () => socket.destroy())
      socket.on('close', () => resolve())
    })
    expect((await server.call('GET', 'materials')).status).toBe(200)
  })
})

describe('requests on one connection', () => {
  test('that are sent without waiting are answered in order', async () => {
    const ids = ['first', 'second', 'third']
    const bytes = ids.map((id) => request(`GET ${LIST}/${id} HTTP/1.1`)).join('')
    const received = await new Promise<string>((resolve, reject) => {
      const socket = connect(server.port, '127.0.0.1', () => socket.write(bytes))
      let text = ''
      socket.on('data', (chunk) => {
        text += chunk.toString()
        if (text.split('HTTP/1.1 404').length === 4 && text.includes('third')) {
          socket.destroy()
          resolve(text)
        }
      })
      socket.on('error', reject)
    })
    expect(ids.map((id) => received.indexOf(`\\"${id}\\"`)).every((at, n, all) => at > (all[n - 1] ?? 0))).toBe(true)
  })
})

describe('a refused body', () => {
  const refused = (headers: readonly string[]) =>
    request(`POST ${LIST} HTTP/1.1`, ['Content-Type: text/plain', 'Content-Length: 3', ...headers], 'abc')

  test('leaves the connection open for the next request', async () => {
    const [first, second] = await answersTo([refused([]), request(`GET ${LIST} HTTP/1.1`)])
    expect(first).toMatch(/^HTTP\/1.1 415 /)
    expect(first).toMatch(/^connection: keep-alive\r$/im)
    expect(second).toMatch(/^HTTP\/1.1 200 /)
  })

  test('does not keep a client that wants to close', async () => {
    const [first, second] = await answersTo([refused(['Connection: close']), request(`GET ${LIST} HTTP/1.1`)])
    expect(first).toMatch(/^HTTP\/1.1 415 /)
    expect(first).toMatch(/^connection: close\r$/im)
    expect(second).toBeUndefined()
  })

  /** Sends requests one after the other on one connection; gives the answers until the server closes. */
  async function answersTo(requests: readonly string[]): Promise<string[]> {
    const socket = connect(server.port, '127.0.0.1')
    const answers: string[] = []
    for (const bytes of requests) {
      if (socket.destroyed || !socket.writable) break
      socket.write(bytes)
      const answer = await Promise.race([
        new Promise<string>((resolve) => socket.once('data', (chunk) => resolve(chunk.toString()))),
        new Promise<undefined>((resolve) => socket.once('close', () => resolve(undefined))),
      ])
      if (answer === undefined) break
      answers.push(answer)
      if (/^connection: close\r$/im.test(answer)) await once(socket, 'close')
    }
    socket.destroy()
    return answers
  }
})

test('more requests than the server takes on are refused with 503, and probes still answer', async () => {
  const small = await startServer({ http: { requestLimit: 1 } })
  try {
    const answers = await Promise.all(
      Array.from({ length: 40 }, () => small.call('POST', 'methods', { body: { type: 'a', subtype: 'b' } })),
    )
    const statuses = new Set(answers.map(({ status }) => status))
    expect([...statuses].sort()).toEqual([201, 503])
    expect(answers.find(({ status }) => status === 503)?.body.code).toBe(50330)
    expect((await small.call('GET', '/healthz', { as: 'guest' })).status).toBe(200)
    expect((await small.call('GET', 'methods')).status).toBe(200)
  } finally {
    await small.close()
  }
})
