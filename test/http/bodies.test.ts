import { gzipSync } from 'node:zlib'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type LiveServer, startServer } from './support/live-server.ts'
import { material } from './support/records.ts'

let server: LiveServer
beforeAll(async () => {
  server = await startServer({ http: { bodyLimit: 100_000, uploadLimit: 100_000 } })
})
afterAll(() => server.close())

const JSON_BODY = { 'content-type': 'application/json' }
const BOM = '\ufeff'

describe('a body', () => {
  test.each([
    ['not JSON', "{'name':'Si'}", JSON_BODY, 40036],
    ['cut off', '{"name":"Si"', JSON_BODY, 40036],
    ['followed by something', '{} {}', JSON_BODY, 40036],
    ['with a key twice', '{"a":1,"a":2}', JSON_BODY, 40036],
    ['with half a surrogate pair', '{"a":"\\ud800"}', JSON_BODY, 40036],
    ['with a number that would change', '{"a":9007199254740993}', JSON_BODY, 40036],
    ['nested 10,000 levels deep', '['.repeat(10_000), JSON_BODY, 40036],
    ['an array', '[{}]', JSON_BODY, 40037],
    ['a number', '5', JSON_BODY, 40037],
    ['null', 'null', JSON_BODY, 40037],
    ['absent', '', JSON_BODY, 40037],
    ['too large', `{"a":"${'x'.repeat(100_000)}"}`, JSON_BODY, 41301],
    ['a form', 'name=Si', { 'content-type': 'application/x-www-form-urlencoded' }, 41501],
    ['XML', '<a/>', { 'content-type': 'application/xml' }, 41501],
    ['of no type at all', new TextEncoder().encode('{}'), {}, 41501],
    ['of a type that is no type', '{}', { 'content-type': 'json' }, 41501],
    ['in Latin-1', '{}', { 'content-type': 'application/json; charset=iso-8859-1' }, 41502],
    ['that says it is compressed', '{}', { ...JSON_BODY, 'content-encoding': 'gzip' }, 41502],
  ])('that is %s is refused', async (_what, body, headers, code) => {
    const answer = await server.call('POST', 'materials', { body, headers })
    expect(answer.body.code).toBe(code)
  })

  test.each(['materials/search', 'materials/count', 'tokens', 'accounts', 'materials/a/restore', 'materials/a/copy'])(
    'to %s has no more bytes than what is read there can have',
    async (path) => {
      const { status, body } = await server.call('POST', path, {
        body: `{"a":"${'x'.repeat(75_000)}"}`,
        headers: JSON_BODY,
      })
      expect([status, body.code]).toEqual([413, 41301])
      expect(body.data.limit).toBeLessThan(75_000)
    },
  )

  test('of structure files that is too large is told of the command that takes them', async () => {
    const headers = { 'content-type': 'multipart/form-data; boundary=x' }
    const { status, body } = await server.call('POST', 'materials/import', {
      body: Buffer.alloc(24 * 2 ** 20 + 1),
      headers,
    })
    expect([status, body.code, body.data.hint]).toEqual([
      413,
      41301,
      'Send fewer files in a form; `quarry import --frame all FILE`, beside the data, takes a file of any length.',
    ])
  })

  test('with a query of the longest kind is read', async () => {
    const query = { name: { $in: ['x'.repeat(65_000)] } }
    for (const action of ['search', 'count'])
      expect((await server.call('POST', `materials/${action}`, { body: { query } })).status).toBe(200)
  })

  test('that is not UTF-8 is refused', async () => {
    const body = Buffer.concat([Buffer.from('{"name":"'), Buffer.from([0xff, 0xfe]), Buffer.from('"}')])
    expect((await server.call('POST', 'materials', { body, headers: JSON_BODY })).body.code).toBe(40036)
  })

  test('that is compressed is refused without being unpacked', async () => {
    const body = gzipSync('x'.repeat(10_000_000))
    const answer = await server.call('POST', 'materials', {
      body,
      headers: { ...JSON_BODY, 'content-encoding': 'gzip' },
    })
    expect(answer.status).toBe(415)
  })

  test('names line and column of a mistake', async () => {
    const { body } = await server.call('POST', 'materials', { body: '{\n  "name": Si\n}', headers: JSON_BODY })
    expect(body.message).toMatch(/line 2, column 11/)
    expect(body.data).toMatchObject({ line: 2, column: 11, path: 'name' })
  })

  test('with NaN, which Python writes by itself, is told what to do instead', async () => {
    const text = JSON.stringify(material('computed')).replace(/}$/, ',"bandGap":NaN}')
    const { status, body } = await server.call('POST', 'materials', { body: text, headers: JSON_BODY })
    expect([status, body.data.path]).toEqual([400, 'bandGap'])
    expect(body.message).toMatch(/NaN is no JSON value.*write null.*allow_nan=False/)
    expect(body.message).not.toContain('$numberDouble')
  })

  test.each(['application/json', 'application/json;charset=utf-8', 'Application/JSON; charset="UTF-8"'])(
    'of type %s is read',
    async (type) => {
      const body = JSON.stringify(material('typed'))
      expect((await server.call('POST', 'materials', { body, headers: { 'content-type': type } })).status).toBe(201)
    },
  )

  test('may begin with a byte order mark', async () => {
    const body = BOM + JSON.stringify(material('marked'))
    expect((await server.call('POST', 'materials', { body, headers: JSON_BODY })).status).toBe(201)
  })

  test('without a length, in chunks, is read and bounded', async () => {
    const chunks = (text: string) =>
      new ReadableStream({
        start(controller) {
          for (let at = 0; at < text.length; at += 1000)
            controller.enqueue(new TextEncoder().encode(text.slice(at, at + 1000)))
          controller.close()
        },
      })
    const send = (text: string) =>
      fetch(`${server.origin}/api/2018-10-01/materials`, {
        method: 'POST',
        headers: { ...server.credentials.ada, ...JSON_BODY },
        body: chunks(text),
        duplex: 'half',
      } as RequestInit)
    expect((await send(JSON.stringify(material('chunked', { note: 'x'.repeat(5000) })))).status).toBe(201)
    expect((await send(JSON.stringify({ note: 'x'.repeat(200_000) }))).status).toBe(413)
  })

  test.each(['/api/2018-10-01/materials', '/api/2018-10-01/nowhere'])(
    'of 20 MB, sent to its end before the answer is read, gets its answer at %s',
    async (path) => {
      for (let n = 0; n < 3; n++) {
        const { status } = await server.call('POST', path, { body: Buffer.alloc(20_000_000, 'x'), headers: JSON_BODY })
        expect(status).toBe(path.endsWith('nowhere') ? 404 : 413)
      }
    },
  )

  test('that is empty but calls itself JSON is no error where none is needed', async () => {
    const { body } = await server.call('POST', 'materials', { body: material('empty') })
    for (const [method, path] of [
      ['GET', `materials/${body.data._id}`],
      ['POST', 'materials/search'],
      ['POST', 'materials/count'],
      ['DELETE', `materials/${body.data._id}`],
    ] as const) {
      const headers = method === 'GET' ? JSON_BODY : { ...JSON_BODY, 'content-length': '0' }
      const answer = await server.call(method, path, { headers, ...(method === 'GET' ? {} : { body: '' }) })
      expect([method, path, answer.status]).toEqual([method, path, 200])
      expect(answer.body).toMatchObject({ status: 'success', data: expect.anything() })
    }
  })

  test('on DELETE and logout may be {} but nothing that would be ignored', async () => {
    const { body } = await server.call('POST', 'materials', { body: material('deleted') })
    const path = `materials/${body.data._id}`
    expect((await server.call('DELETE', path, { body: { really: true } })).body.code).toBe(40040)
    expect((await server.call('DELETE', path, { body: {} })).status).toBe(200)
    expect((await server.call('POST', 'logout', { body: { all: true } })).body.code).toBe(40040)
  })

  test.each(['search', 'count'])('of %s has known fields only', async (action) => {
    expect((await server.call('POST', `materials/${action}`, { body: { query: {}, limit: 5 } })).body.code).toBe(40038)
    expect(
      (await server.call('POST', `materials/${action}`, { body: JSON.parse('{"__proto__":{"query":{}}}') })).body.code,
    ).toBe(40038)
  })
})

test('a body on GET, which would be ignored, is refused', async () => {
  const { request } = await import('node:http')
  const status = await new Promise((resolve, reject) => {
    const sent = request(
      `${server.origin}/api/2018-10-01/materials`,
      { method: 'GET', headers: { ...server.credentials.ada, ...JSON_BODY, 'content-length': 14 } },
      (response) => {
        response.resume()
        resolve(response.statusCode)
      },
    )
    sent.on('error', reject)
    sent.end('{"query":{}}  ')
  })
  expect(status).toBe(400)
})
