import { once } from 'node:events'
import { connect } from 'node:net'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { logToLines } from '../support/log-lines.ts'
import { type LiveServer, startServer } from './support/live-server.ts'
import { rawRequest } from './support/raw-request.ts'
import { material } from './support/records.ts'

describe('the access log', () => {
  // Whoever asks for it by its setting gets it, however quiet the log is.
  const { log, lines } = logToLines('silent')
  let server: LiveServer
  beforeAll(async () => {
    server = await startServer({ http: { accessLog: true }, log })
  })
  afterAll(() => server.close())

  /** The line of a request; the server writes it after the client has its answer. */
  async function lineOf(requestId: string | null) {
    await expect.poll(() => lines.filter(({ request }) => request === requestId)).toHaveLength(1)
    const line = lines.find(({ request }) => request === requestId)
    expect(line).toMatchObject({ event: 'request.answered', address: '127.0.0.1', milliseconds: expect.any(Number) })
    return line
  }
  const ADA = { user: 'ada', account: 'ada' }
  const NOBODY = { user: null, account: null }

  test('has who asked for what, from where, and what came of it', async () => {
    const { headers, text } = await server.call('POST', 'materials', { body: material('a') })
    const bytes = Buffer.byteLength(text)
    expect(await lineOf(headers.get('x-request-id'))).toMatchObject({
      ...ADA,
      method: 'POST',
      route: '/api/2018-10-01/materials',
      status: 201,
      bytes,
    })
  })

  test('has a request whichever way it went, under one route', async () => {
    const { body } = await server.call('POST', 'materials', { body: material('b') })
    for (const [target, route] of [
      ['materials?query={"name":"a"}', '/api/2018-10-01/materials'],
      [`materials/${body.data._id}`, '/api/2018-10-01/materials/:id'],
    ] as const) {
      for (let time = 0; time < 4; time++) {
        const { headers, text } = await server.call('GET', target)
        const line = await lineOf(headers.get('x-request-id'))
        expect(line).toMatchObject({ ...ADA, method: 'GET', route, status: 200, bytes: Buffer.byteLength(text) })
      }
    }
    const { headers: first } = await server.call('GET', 'materials?limit=2')
    const { headers } = await server.call('GET', 'materials?limit=2', {
      headers: { 'if-none-match': first.get('etag') ?? '' },
    })
    expect(await lineOf(headers.get('x-request-id'))).toMatchObject({ status: 304, bytes: 0 })
  })

  test.each([
    ['nobody', ['GET', 'materials', { as: 'guest' }], 401, '/api/2018-10-01/materials'],
    ['a wrong address', ['GET', '/nowhere/secret-name', {}], 404, 'none'],
    ['a wrong method', ['PUT', 'materials', {}], 405, 'none'],
    ['a refused query', ['GET', 'materials?query={"$where":"secret"}', {}], 400, '/api/2018-10-01/materials'],
    ['a page', ['GET', '/openapi.json', {}], 200, '/openapi.json'],
  ] as const)('has the refusal of %s, without what was sent', async (_what, [method, path, sent], status, route) => {
    const { headers } = await server.call(method, path, sent)
    const line = await lineOf(headers.get('x-request-id'))
    expect(line).toMatchObject({ method, status, route })
    if (status === 401) expect(line).toMatchObject(NOBODY)
    expect(JSON.stringify(line)).not.toContain('secret')
  })

  test('has how much of a stream was sent', async () => {
    const { headers, text } = await readExport()
    const line = await lineOf(headers.get('x-request-id'))
    expect(line).toMatchObject({ route: '/api/2018-10-01/methods/export', status: 200 })
    expect(Number(line?.['bytes'])).toBeGreaterThan(text.length)
  })

  test('has a request whose client did not wait for the answer', async () => {
    const before = lines.length
    const socket = connect(server.port, '127.0.0.1')
    await once(socket, 'connect')
    const { 'x-account-id': id, 'x-auth-token': token } = server.credentials.ada
    const head = `Host: x\r\nX-Account-Id: ${id}\r\nX-Auth-Token: ${token}\r\n`
    socket.write(
      `POST /api/2018-10-01/materials HTTP/1.1\r\n${head}Content-Length: 1000\r\nContent-Type: application/json\r\nExpect: 100-continue\r\n\r\n{`,
    )
    // The body is waited for by then, so that it is known who sends it, and nothing has been told of it.
    await once(socket, 'data')
    await expect.poll(() => server.services.bytes.held).toBeGreaterThan(0)
    expect(lines).toHaveLength(before)
    socket.destroy()
    await expect.poll(() => lines.slice(before)).toMatchObject([{ status: 499, method: 'POST', user: 'ada' }])
  })

  test('has requests that no route has seen', async () => {
    const { headers } = await rawRequest(server.port, 'GET / HTTP/1.1\r\nHost: a b\r\n\r\n')
    expect(await lineOf(headers.get('x-request-id'))).toMatchObject({ status: 400, ...NOBODY })
  })

  async function readExport() {
    await server.call('POST', 'methods', { body: { name: 'm', type: 'dft', subtype: 'gga' } })
    const response = await fetch(`${server.origin}/api/2018-10-01/methods/export`, { headers: server.credentials.ada })
    return { headers: response.headers, text: await response.text() }
  }
})

test('without its setting there is no access log', async () => {
  const { log, lines } = logToLines('debug')
  const server = await startServer({ log })
  try {
    for (let time = 0; time < 3; time++) await server.call('GET', 'materials')
    expect(lines.filter(({ event }) => event === 'request.answered')).toEqual([])
  } finally {
    await server.close()
  }
})
