import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { Route } from '../../src/http/exchange/route.ts'
import { allRoutes } from '../../src/http/routes/all-routes.ts'
import { DEFAULT_HTTP_SETTINGS } from '../../src/http/settings.ts'
import { type LiveServer, startServer } from './support/live-server.ts'
import { material } from './support/records.ts'

const JSON_TYPE = { 'content-type': 'application/json' }
const LINES_TYPE = { 'content-type': 'application/x-ndjson' }
const POSCAR = 'Cs Cl\n1.0\n4 0 0\n0 4 0\n0 0 4\nCs Cl\n1 1\nDirect\n0 0 0\n0.5 0.5 0.5\n'

/** A JSON object of nine megabytes that takes a second and more to be read. */
const MANY_KEYS = `{${Array.from({ length: 800_000 }, (_, n) => `"k${n}":1`).join(',')}}`

/** Every way to send a body; of the kinds of records, materials stand for all. */
const writes = (server: LiveServer): readonly Route[] =>
  allRoutes(server.services, DEFAULT_HTTP_SETTINGS).filter(
    ({ method, path, takesBytes }) =>
      ['POST', 'PUT', 'PATCH'].includes(String(method)) &&
      // A file is written as it comes, whatever is in it.
      takesBytes !== true &&
      !/\/(?:methods|jobs|projects|properties|workflows|queries)\b/.test(path),
  )

describe('a long body', () => {
  let server: LiveServer
  beforeAll(async () => {
    server = await startServer({ recordTimeMs: 300 })
  })
  afterAll(() => server.close())

  test('is refused before it is read, or read where it can be ended, at every address', async () => {
    const { body } = await server.call('POST', 'materials', { body: material('to be changed') })
    const ended: string[] = []
    for (const { method, path } of writes(server)) {
      const isBulk = path.endsWith('/bulk')
      const response = await fetch(`${server.origin}${path.replace(/:\w+/, body.data._id)}`, {
        method: String(method),
        headers: { ...server.credentials.ada, ...(isBulk ? LINES_TYPE : JSON_TYPE) },
        body: MANY_KEYS,
      })
      const [answer] = (await response.text()).split('\n')
      const code = isBulk ? JSON.parse(answer ?? '').error.code : JSON.parse(answer ?? '').code
      if (code === 42203) ended.push(`${method} ${path.split('/').slice(3).join('/')}`)
      else expect([method, path, response.status]).toEqual([method, path, 413])
    }
    expect(ended.sort()).toEqual([
      'PATCH materials/:id',
      'POST materials',
      'POST materials/bulk',
      'POST materials/import',
      'POST structures/analyze',
      'POST structures/build',
      'POST structures/convert',
      'POST structures/coordination',
      'POST structures/diffraction',
      'POST structures/reciprocal',
      'PUT materials/create',
    ])
    // Ten threads are ended and begun anew; on a machine that is busy, each takes seconds.
  }, 180_000)

  test('is so too as a form of many parts', async () => {
    const server = await startServer({ recordTimeMs: 10 })
    const part = '--b\r\ncontent-disposition: form-data; name="f"; filename="f"\r\n\r\nx\r\n'
    const { status, body } = await server.call('POST', 'materials/import', {
      headers: { 'content-type': 'multipart/form-data; boundary=b' },
      body: `${part.repeat(20_000)}--b--\r\n`,
    })
    await server.close()
    expect([status, body.code]).toEqual([422, 42203])
  })
})

describe('a body with a long structure file', () => {
  let server: LiveServer
  beforeAll(async () => {
    server = await startServer()
  })
  afterAll(() => server.close())

  const done = () => server.services.records.work.metrics.done
  const long = `${POSCAR}${' '.repeat(100_000)}`

  test.each([
    ['analyze', 'structures/analyze', {}],
    ['convert', 'structures/convert', { to: 'cif' }],
    ['import', 'materials/import', { name: 'long', tags: ['a'], 'owner._id': null }],
  ])('is read and used on other threads: %s', async (_what, path, more) => {
    const before = done()
    const { status } = await server.call('POST', path, { body: { content: long, ...more } })
    expect([status, done() - before]).toEqual([200, 2])
  })

  test('may have it as JSON', async () => {
    const content = { ...material('as JSON'), note: 'x'.repeat(100_000) }
    const { body } = await server.call('POST', 'structures/analyze', { body: { content, format: 'material' } })
    expect(body.data).toMatchObject({ formula: 'Si', format: 'material' })
  })

  test.each([
    ['with a field that is not read', { foo: 1 }, 40038],
    ['with a list of tags that is too long', { tags: ['x'.repeat(100_000)] }, 41317],
    ['with a name that is too long', { name: 'x'.repeat(100_000) }, 41317],
    ['with fields of another type', { isPublic: 'yes' }, 40039],
  ])('is refused %s', async (_what, more, code) => {
    const { body } = await server.call('POST', 'materials/import', { body: { content: long, ...more } })
    expect(body.code).toBe(code)
  })

  test('is refused in a form with a field that is too long', async () => {
    const form = new FormData()
    form.append('files', new Blob([POSCAR]), 'a.vasp')
    form.append('tags', JSON.stringify(['x'.repeat(100_000)]))
    const response = await fetch(`${server.origin}/api/2018-10-01/materials/import`, {
      method: 'POST',
      headers: server.credentials.ada,
      body: form,
    })
    expect(await response.json()).toMatchObject({ code: 41317, data: { path: 'tags' } })
  })
})
