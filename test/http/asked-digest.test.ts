import { once } from 'node:events'
import { connect } from 'node:net'
import fc from 'fast-check'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { BoundaryFilter } from '../../src/http/exchange/asked-digest.ts'
import { queryBodyLimit } from '../../src/http/request/body.ts'
import { allRoutes } from '../../src/http/routes/all-routes.ts'
import { DEFAULT_HTTP_SETTINGS } from '../../src/http/settings.ts'
import { type LiveServer, startServer } from './support/live-server.ts'
import { material } from './support/records.ts'

/** What a filter leaves of a body that comes in parts. */
function left(boundary: string, parts: readonly Buffer[]): { readonly text: string; readonly found: number } {
  const filter = new BoundaryFilter(boundary)
  const passed = parts.map((part) => filter.pass(part))
  return { text: Buffer.concat([...passed, filter.rest]).toString('latin1'), found: filter.found }
}

function form(boundary: string, contents: readonly string[]): Buffer {
  const parts = contents.map(
    (content, n) => `--${boundary}\r\nContent-Disposition: form-data; name="${n}"\r\n\r\n${content}\r\n`,
  )
  return Buffer.from(`${parts.join('')}--${boundary}--\r\n`)
}

describe('the boundary of a form', () => {
  const contents = ['', 'x', 'a longer text\r\nof lines', '-'.repeat(200)]

  test('does not count, whatever it is', () => {
    const [one, other] = ['----WebKitFormBoundaryAAAAAAAAAAAAAAAA', 'c3f1'].map(
      (boundary) => left(boundary, [form(boundary, contents)]).text,
    )
    expect(one).toBe(other)
    expect(left('c3f1', [form('c3f1', [...contents, 'another'])]).text).not.toBe(one)
  })

  test('is left out however the body is cut into parts', () => {
    const pieces = fc.array(fc.constantFrom('--a', '-', 'a', '--', '\r\n', 'x'.repeat(40)), { maxLength: 60 })
    fc.assert(
      fc.property(pieces, fc.array(fc.nat(9)), (texts, cuts) => {
        const body = Buffer.from(texts.join(''))
        const parts: Buffer[] = []
        let from = 0
        for (const cut of cuts) {
          parts.push(body.subarray(from, from + cut))
          from = Math.min(body.length, from + cut)
        }
        expect(left('a', [...parts, body.subarray(from)])).toEqual(left('a', [body]))
      }),
    )
  })

  test.each(['a', '-', '--', 'ab'])(
    'that is everywhere (%s) is looked for no oftener than a part can end',
    (boundary) => {
      const bytes = 2 ** 20
      const body = Buffer.alloc(bytes, `--${boundary}`)
      expect(left(boundary, [body]).found).toBeLessThan(bytes / 36)
    },
  )
})

describe('a token that may only read', () => {
  let server: LiveServer
  beforeAll(async () => {
    server = await startServer()
  })
  afterAll(() => server.close())

  test('is refused a write before anything of its body has been sent', async () => {
    const socket = connect(server.port, '127.0.0.1')
    const credentials = Object.entries(server.credentials.readOnly).map(([name, value]) => `${name}: ${value}\r\n`)
    const head = `POST /api/2018-10-01/materials/import HTTP/1.1\r\nHost: a\r\nIdempotency-Key: k\r\n${credentials.join('')}`
    socket.write(`${head}Content-Type: multipart/form-data; boundary=a\r\nContent-Length: 60000000\r\n\r\n`)
    const [answer] = await once(socket, 'data')
    expect(String(answer)).toMatch(/^HTTP\/1\.1 403 /)
    socket.destroy()
  })

  test('is not given the answer that was kept for a write', async () => {
    const sent = { headers: { 'Idempotency-Key': 'kept' }, body: material('kept') }
    expect((await server.call('POST', 'materials', sent)).status).toBe(201)
    expect((await server.call('POST', 'materials', { ...sent, as: 'readOnly' })).status).toBe(403)
  })

  test('a route that takes long bodies takes them in pieces', () => {
    // A query with the value that a page goes on behind is none.
    const short = 2 * queryBodyLimit(DEFAULT_HTTP_SETTINGS.bounds)
    const long = allRoutes(server.services, DEFAULT_HTTP_SETTINGS).filter(({ bodyLimit = 0 }) => bodyLimit > short)
    expect(long.length).toBeGreaterThan(5)
    expect(long.filter(({ readsLong }) => readsLong !== true).map(({ path }) => path)).toEqual([])
  })

  test('a long body in parts of a byte is read and known again', async () => {
    const text = JSON.stringify(material('in small parts', { note: 'x'.repeat(70_000) }))
    const send = async (parts: AsyncIterable<Uint8Array>) => {
      const headers = { ...server.credentials.ada, 'content-type': 'application/json', 'Idempotency-Key': 'parts' }
      const url = `${server.origin}/api/2018-10-01/materials`
      return fetch(url, { method: 'POST', headers, body: parts, duplex: 'half' } as unknown as RequestInit)
    }
    async function* inParts(length: number): AsyncGenerator<Uint8Array> {
      const bytes = Buffer.from(text)
      for (let from = 0; from < bytes.length; from += length) yield bytes.subarray(from, from + length)
    }
    const first = await send(inParts(7))
    expect(first.status).toBe(201)
    const { data } = (await first.json()) as { readonly data: { readonly note: string } }
    expect(data.note).toHaveLength(70_000)
    const again = await send(inParts(50_000))
    expect([again.status, again.headers.get('idempotent-replayed')]).toEqual([201, 'true'])
  })
})
