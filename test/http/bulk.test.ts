import { request as sendRequest } from 'node:http'
import { gunzipSync, gzipSync } from 'node:zlib'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type Actor, type LiveServer, startServer } from './support/live-server.ts'
import { material, method } from './support/records.ts'

const API = '/api/2018-10-01'
let server: LiveServer
beforeAll(async () => {
  server = await startServer({ symmetry: true })
})
afterAll(() => server.close())

interface Sent {
  readonly collection?: string
  readonly headers?: Record<string, string>
  readonly as?: Actor
}

/** Sends a body of lines and reads the reports. */
async function bulk(body: string | Uint8Array, { collection = 'materials', headers = {}, as = 'ada' }: Sent = {}) {
  const response = await fetch(`${server.origin}${API}/${collection}/bulk`, {
    method: 'POST',
    headers: { 'content-type': 'application/x-ndjson', ...server.credentials[as], ...headers },
    body: body as NonNullable<RequestInit['body']>,
  })
  const text = await response.text()
  const lines = text.split('\n').slice(0, -1)
  return { status: response.status, headers: response.headers, text, reports: lines.map((line) => JSON.parse(line)) }
}

async function download(address: string, headers: Record<string, string> = {}, as: Actor = 'ada') {
  const all = { 'accept-encoding': 'identity', ...server.credentials[as], ...headers }
  const response = await fetch(`${server.origin}${API}/${address}`, { headers: all })
  const bytes = Buffer.from(await response.arrayBuffer())
  return { status: response.status, headers: response.headers, bytes, lines: linesOf(bytes.toString()) }
}

const linesOf = (text: string) => text.split('\n').slice(0, -1)
const ndjson = (records: readonly object[]) => records.map((record) => `${JSON.stringify(record)}\n`).join('')
const encoded = (value: unknown) => encodeURIComponent(JSON.stringify(value))

describe('POST …/bulk', () => {
  test('stores records and reports on each, in their order, with totals at the end', async () => {
    const lines = [
      JSON.stringify(material('first of bulk', { _id: 'bulk-1' })),
      '{"name": ',
      '',
      JSON.stringify({ name: 'no lattice' }),
      JSON.stringify(material('second of bulk')),
      JSON.stringify(material('again', { _id: 'bulk-1' })),
    ]
    const { status, headers, reports } = await bulk(lines.join('\n'))
    expect([status, headers.get('content-type')]).toEqual([200, 'application/x-ndjson; charset=utf-8'])
    expect(reports).toEqual([
      { line: 1, outcome: 'stored', _id: 'bulk-1' },
      { line: 2, outcome: 'refused', error: expect.objectContaining({ code: 40053 }) },
      { line: 4, outcome: 'refused', error: expect.objectContaining({ code: 42201 }) },
      { line: 5, outcome: 'stored', _id: expect.any(String) },
      { line: 6, outcome: 'skipped', _id: 'bulk-1' },
      { stored: 2, skipped: 1, refused: 2, withoutSymmetry: 0 },
    ])
    expect((await server.call('GET', 'materials/bulk-1')).body.data.name).toBe('first of bulk')
  })

  test('tells of NaN what to do instead', async () => {
    const { reports } = await bulk(JSON.stringify(material('gap')).replace(/}$/, ',"bandGap":NaN}'))
    expect(reports[0]).toMatchObject({ outcome: 'refused', error: { code: 40053, data: { path: 'bandGap' } } })
    expect(reports[0].error.data.hint).toContain('allow_nan=False')
  })

  test('stores records of the kind of its address', async () => {
    const { reports } = await bulk(ndjson([method('by lines')]), { collection: 'methods' })
    expect(reports.at(-1)).toEqual({ stored: 1, skipped: 0, refused: 0, withoutSymmetry: 0 })
  })

  test('takes a body that is compressed, or empty, and calls of the type by other names', async () => {
    const body = gzipSync(ndjson([material('compressed')]))
    const { reports } = await bulk(body, { headers: { 'content-encoding': 'gzip' } })
    expect(reports.at(-1)).toEqual({ stored: 1, skipped: 0, refused: 0, withoutSymmetry: 0 })
    expect((await bulk('', { headers: { 'content-type': 'application/jsonl' } })).text).toBe(
      '{"stored":0,"skipped":0,"refused":0,"withoutSymmetry":0}\n',
    )
  })

  test('says where a body that cannot be read breaks off; what came before is stored', async () => {
    const notGzip = await bulk('plain', { headers: { 'content-encoding': 'gzip' } })
    expect(notGzip.reports).toEqual([
      { outcome: 'broken', error: expect.objectContaining({ code: 40036 }) },
      { stored: 0, skipped: 0, refused: 0, withoutSymmetry: 0 },
    ])
    const notText = await bulk(Buffer.from([...Buffer.from('{"a":"'), 0xff, 0xfe, 0x22]))
    expect(notText.reports[0]).toMatchObject({ outcome: 'broken', error: { code: 40053 } })
  })

  test.each([
    ['a read-only token', { headers: {}, as: 'readOnly', query: '' }, 40301],
    ['a guest', { headers: {}, as: 'guest', query: '' }, 40101],
    ['JSON that is not lines', { headers: { 'content-type': 'application/json' }, as: 'ada', query: '' }, 41501],
    ['another encoding', { headers: { 'content-encoding': 'br' }, as: 'ada', query: '' }, 41502],
    ['a parameter that nobody reads', { headers: {}, as: 'ada', query: '?force=true' }, 40032],
  ] as const)('refuses %s', async (_what, { headers, as, query }, code) => {
    const response = await fetch(`${server.origin}${API}/materials/bulk${query}`, {
      method: 'POST',
      headers: { 'content-type': 'application/x-ndjson', ...server.credentials[as], ...headers },
      body: ndjson([material('refused')]),
    })
    expect(((await response.json()) as { code: number }).code).toBe(code)
  })

  test('is the only address that takes lines', async () => {
    const headers = { 'content-type': 'application/x-ndjson' }
    expect((await server.call('POST', 'materials', { headers, body: '{}\n' })).body.code).toBe(41501)
  })

  test('reports while the body is still arriving', async () => {
    const reports: string[] = []
    const ended = new Promise<void>((resolve, reject) => {
      const sending = sendRequest(`${server.origin}${API}/materials/bulk`, {
        method: 'POST',
        headers: { 'content-type': 'application/x-ndjson', ...server.credentials.ada },
      })
      sending.on('error', reject)
      sending.on('response', (response) => {
        response.on('data', (chunk: Buffer) => {
          // The rest is sent when the first reports are there: it could not be if they waited for it.
          if (reports.length === 0) sending.end(ndjson([material('the last')]))
          reports.push(chunk.toString())
        })
        response.on('end', resolve)
      })
      // More than one batch.
      sending.write(ndjson(Array.from({ length: 250 }, (_, n) => material(`streamed ${n}`))))
    })
    await ended
    expect(linesOf(reports.join('')).at(-1)).toBe('{"stored":251,"skipped":0,"refused":0,"withoutSymmetry":0}')
  })

  test('may arrive as slowly as it is taken, though other bodies may not', async () => {
    const impatient = await startServer({ http: { arrivalTimeoutMs: 500 } })
    try {
      const lines: string[] = []
      const begin = (path: string, type: string) =>
        sendRequest(`${impatient.origin}${API}/${path}`, {
          method: 'POST',
          headers: { 'content-type': type, ...impatient.credentials.ada },
        })
      const load = begin('materials/bulk', 'application/x-ndjson')
      const ended = new Promise<void>((resolve, reject) => {
        load.on('error', reject)
        load.on('response', (response) => {
          response.on('data', (chunk: Buffer) => lines.push(chunk.toString())).on('end', resolve)
          response.on('error', reject)
        })
      })
      load.write(ndjson(Array.from({ length: 450 }, (_, n) => material(`slowly ${n}`))))
      await expect.poll(() => lines.length).toBeGreaterThan(0)
      // That took the time which a request may take to arrive, and the load began before it.
      for (let n = 0; n < 2; n++) {
        const late = begin('materials', 'application/json')
        const status = new Promise<number | undefined>((resolve, reject) => {
          late.on('response', (response) => resolve(response.resume().statusCode)).on('error', reject)
        })
        late.write('{')
        expect(await status).toBe(408)
        late.destroy()
      }
      load.end(ndjson([material('the last of the slow')]))
      await ended
      expect(JSON.parse(linesOf(lines.join('')).at(-1) ?? '')).toMatchObject({ stored: 451, refused: 0 })
    } finally {
      await impatient.close()
    }
  })

  test('keeps what was stored when the client goes away, and serves on', async () => {
    await new Promise<void>((resolve) => {
      const sending = sendRequest(`${server.origin}${API}/materials/bulk`, {
        method: 'POST',
        headers: { 'content-type': 'application/x-ndjson', ...server.credentials.bob },
      })
      sending.on('error', () => resolve())
      sending.on('response', (response) => {
        response.on('error', () => resolve())
        response.once('data', () => sending.destroy())
        response.on('close', () => resolve())
      })
      sending.write(ndjson(Array.from({ length: 250 }, (_, n) => material(`left ${n}`))))
    })
    const { body } = await server.call('POST', 'materials/count', { as: 'bob', body: {} })
    expect(body.data.count).toBeGreaterThanOrEqual(200)
    expect((await bulk('', { as: 'bob' })).status).toBe(200)
  })
})

describe('GET …/export', () => {
  // What a record has is given as it is: nobody needs the space groups of six hundred.
  beforeAll(async () => {
    await server.close()
    server = await startServer()
    await bulk(ndjson(Array.from({ length: 600 }, (_, n) => material(`export ${n}`, { _id: `export-${n}`, place: n }))))
  })
  const query = `query=${encoded({ place: { $gte: 0 } })}`

  test('streams all that match, beyond the limit of a page, in natural order', async () => {
    const { status, headers, lines } = await download(`materials/export?${query}`)
    expect([status, headers.get('content-type')]).toEqual([200, 'application/x-ndjson; charset=utf-8'])
    expect(lines.map((line) => JSON.parse(line).place)).toEqual(Array.from({ length: 600 }, (_, n) => n))
    expect((await download('methods/export')).status).toBe(200)
  })

  test('sorts and projects', async () => {
    const projection = encoded({ sort: { place: -1 }, fields: { place: 1, _id: 0 } })
    const { lines } = await download(`materials/export?${query}&projection=${projection}`)
    expect(lines).toEqual(Array.from({ length: 600 }, (_, n) => `{"place":${599 - n}}`))
  })

  test('gives only what the asker can see', async () => {
    expect((await download(`materials/export?${query}`, {}, 'bob')).lines).toEqual([])
    expect((await download('materials/export', {}, 'guest')).status).toBe(401)
  })

  test('is compressed on the way for clients that accept it, and as a file on request', async () => {
    const plain = await download(`materials/export?${query}`)
    const onTheWay = await download(`materials/export?${query}`, { 'accept-encoding': 'br, gzip;q=0.5' })
    // fetch has unpacked it already.
    expect([onTheWay.headers.get('content-encoding'), onTheWay.lines]).toEqual(['gzip', plain.lines])
    expect(onTheWay.headers.get('vary')).toBe('Accept-Encoding')
    expect(
      (await download('methods/export', { 'accept-encoding': 'gzip;q=0' })).headers.get('content-encoding'),
    ).toBeNull()
    for (const flag of ['gzip', 'gzip=true']) {
      const file = await download(`materials/export?${query}&${flag}`)
      expect(file.headers.get('content-disposition')).toBe('attachment; filename="materials.ndjson.gz"')
      expect(linesOf(gunzipSync(file.bytes).toString())).toEqual(plain.lines)
    }
  })

  test('can be sent back in', async () => {
    const { bytes } = await download(`materials/export?${query}&gzip`)
    const { reports } = await bulk(bytes, { headers: { 'content-encoding': 'gzip' } })
    expect(reports.at(-1)).toEqual({ stored: 0, skipped: 600, refused: 0, withoutSymmetry: 0 })
  })

  test.each([
    ['limit=5', 'limit'],
    ['skip=5', 'skip'],
    [`projection=${encoded({ limit: 5 })}`, 'projection.limit'],
    [`projection=${encoded({ after: 'x' })}`, 'projection.after'],
    ['gzip=no', 'gzip'],
  ])('has no pages: %s is refused', async (parameters, path) => {
    const { bytes } = await download(`materials/export?${parameters}`)
    expect(JSON.parse(bytes.toString())).toMatchObject({ code: 40034, data: { path } })
  })

  test('ends when the client goes away', async () => {
    const address = `${server.origin}${API}/materials/export`
    const begin = () =>
      new Promise<number>((resolve) => {
        const asking = sendRequest(address, { headers: server.credentials.ada, agent: false })
        asking.on('error', () => {})
        asking.on('response', (response) => {
          response.on('error', () => {})
          asking.destroy()
          resolve(response.statusCode ?? 0)
        })
        asking.end()
      })
    // More than may run at a time: each must give its place back, or be refused.
    const statuses = await Promise.all(Array.from({ length: 40 }, begin))
    expect(statuses.every((status) => status === 200 || status === 429)).toBe(true)
    await expect.poll(async () => (await download(`materials/export?${query}`)).lines.length).toBe(600)
  })
})
