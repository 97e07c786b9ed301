import { request } from 'node:http'
import { gunzipSync } from 'node:zlib'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { loadSamples } from '../../src/records/samples/load-samples.ts'
import { type LiveServer, startServer } from './support/live-server.ts'
import { material } from './support/records.ts'

let server: LiveServer
let large: string

beforeAll(async () => {
  server = await startServer()
  await loadSamples(server.services.records)
  const described = { description: 'a long description '.repeat(2000) }
  const { body } = await server.call('POST', 'materials', { body: material('large', described) })
  large = body.data._id
})
afterAll(() => server.close())

interface Raw {
  readonly status: number | undefined
  readonly headers: Record<string, string | string[] | undefined>
  readonly bytes: Buffer
}

/** Sends a request as it is, and gives the body as it came. */
function send(path: string, headers: Record<string, string> = {}, method = 'GET', body = ''): Promise<Raw> {
  return new Promise((resolve, reject) => {
    const url = `${server.origin}${path.startsWith('/optimade') ? path : `/api/2018-10-01/${path}`}`
    const sent = request(url, { method, headers: { ...server.credentials.ada, ...headers } }, (answer) => {
      const parts: Buffer[] = []
      answer.on('data', (part: Buffer) => parts.push(part))
      answer.on('end', () =>
        resolve({ status: answer.statusCode, headers: answer.headers, bytes: Buffer.concat(parts) }),
      )
    })
    sent.on('error', reject)
    sent.end(body)
  })
}

const GZIP = { 'accept-encoding': 'gzip, deflate, br' }
/** What an answer says, without what is of its moment alone. */
const said = (bytes: Buffer) => ({ ...JSON.parse(bytes.toString()), meta: null })

describe.each<readonly [string, () => string, string, string]>([
  ['a list', () => 'materials?projection={"limit":100}', 'GET', ''],
  ['a list of OPTIMADE', () => '/optimade/v1/structures?page_limit=100', 'GET', ''],
  ['a record', () => `materials/${large}`, 'GET', ''],
  ['a search', () => 'materials/search', 'POST', '{"query":{},"projection":{"limit":100}}'],
])('%s that is long', (_name, path, method, body) => {
  const ask = (headers: Record<string, string>, by = method) =>
    send(path(), body === '' ? headers : { ...headers, 'content-type': 'application/json' }, by, body)

  test('is compressed for who takes that, and says the same', async () => {
    const plain = await ask({})
    expect([plain.status, plain.headers['content-encoding'], plain.headers.vary]).toEqual([
      200,
      undefined,
      'Accept-Encoding',
    ])
    // Once when it is made, once from what is kept.
    for (const round of [1, 2]) {
      const packed = await ask(GZIP)
      expect([round, packed.status, packed.headers['content-encoding']]).toEqual([round, 200, 'gzip'])
      expect(packed.headers.vary).toBe('Accept-Encoding')
      expect(packed.headers['content-length']).toBe(String(packed.bytes.length))
      expect(packed.bytes.length).toBeLessThan(plain.bytes.length / 2)
      expect(said(gunzipSync(packed.bytes))).toEqual(said(plain.bytes))
    }
    expect((await ask({})).bytes.length).toBe(plain.bytes.length)
    expect((await ask({ 'accept-encoding': 'gzip;q=0, br' })).headers['content-encoding']).toBeUndefined()
  })

  test.runIf(method === 'GET')('has the same head when its body is not asked for', async () => {
    const [whole, head] = [await ask(GZIP), await ask(GZIP, 'HEAD')]
    const told = ({ headers }: Raw) => [
      headers['content-encoding'],
      headers['content-length'],
      headers.etag,
      headers.vary,
    ]
    expect([told(head), head.bytes.length]).toEqual([told(whole), 0])
  })

  test.runIf(method === 'GET')('is not sent again to who has it, compressed or not', async () => {
    for (const headers of [{}, GZIP]) {
      const { etag, vary } = (await ask(headers)).headers
      const known = await ask({ ...headers, 'if-none-match': String(etag) })
      expect([known.status, known.headers.etag, known.headers.vary]).toEqual([304, etag, vary])
    }
  })

  test.runIf(method === 'GET')('is told of with the tag that its sending would have, whatever is known', async () => {
    const tags = [String((await ask({})).headers.etag), String((await ask(GZIP)).headers.etag)]
    for (const headers of [{}, GZIP]) {
      const { etag } = (await ask(headers)).headers
      for (const known of [...tags, '*']) {
        const answer = await ask({ ...headers, 'if-none-match': known })
        expect([known, answer.status, answer.headers.etag]).toEqual([
          known,
          known === etag || known === '*' ? 304 : 200,
          etag,
        ])
      }
    }
  })
})

test('what is short is sent as it is', async () => {
  const { headers, bytes } = await send('materials?projection={"limit":1}', GZIP)
  expect(bytes.length).toBeLessThan(16 * 1024)
  expect([headers['content-encoding'], headers.vary]).toEqual([undefined, undefined])
})

test('what gains little is sent as it is', async () => {
  const noise = Array.from({ length: 400 }, () => crypto.randomUUID() + crypto.randomUUID()).join('')
  const { body } = await server.call('POST', 'materials', { body: material('noise', { description: noise }, 5) })
  const { headers, bytes } = await send(`materials/${body.data._id}`, GZIP)
  expect([headers['content-encoding'], headers.vary]).toEqual([undefined, 'Accept-Encoding'])
  expect(JSON.parse(bytes.toString()).data.description).toBe(noise)
})

test('the tag of a compressed record is another, and guards a change as that of the plain one does', async () => {
  const [plain, packed] = [
    (await send(`materials/${large}`)).headers.etag,
    (await send(`materials/${large}`, GZIP)).headers.etag,
  ]
  expect(packed).toBe(`${String(plain).slice(0, -1)}-gzip"`)
  const headers = { 'content-type': 'application/json', 'if-match': String(packed) }
  const change = { headers, body: '{"$set":{"name":"renamed"}}' }
  expect((await send(`materials/${large}`, change.headers, 'PATCH', change.body)).status).toBe(200)
  expect((await send(`materials/${large}`, change.headers, 'PATCH', change.body)).status).toBe(412)
})
