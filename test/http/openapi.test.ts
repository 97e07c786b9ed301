import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { RECORD_KINDS } from '../../src/records/kinds/record-kinds.ts'
import { type LiveServer, startServer } from './support/live-server.ts'

let server: LiveServer
// biome-ignore lint/suspicious/noExplicitAny: a document of many shapes
let document: any
beforeAll(async () => {
  server = await startServer()
  document = (await server.call('GET', 'openapi.json', { as: 'guest' })).body
})
afterAll(() => server.close())

// biome-ignore lint/suspicious/noExplicitAny: a document of many shapes
type Operations = Record<string, any>

interface Parameter {
  readonly name: string
  readonly in: string
}

const parametersOf = (operation: Operations): Parameter[] =>
  (operation.parameters ?? []).map(
    ({ $ref }: { $ref: string }) => document.components.parameters[$ref.split('/').at(-1) ?? ''],
  )

const METHODS = new Set(['get', 'post', 'put', 'patch', 'delete'])

describe('the description of the API', () => {
  test('is OpenAPI 3.1, under each of its names', async () => {
    expect(document).toMatchObject({ openapi: '3.1.0', info: { title: 'Quarry', version: '2018-10-01' } })
    for (const path of [
      '/openapi.json',
      '/swagger.json',
      '/api/2018-10-01/swagger.json',
      '/api/2018-10-1/openapi.json',
    ]) {
      expect((await server.call('GET', path, { as: 'guest' })).body).toEqual(document)
    }
  })

  test('comes compressed, in less than 35 KB, and not at all to who has it', async () => {
    const at = `${server.origin}/openapi.json`
    const plain = await fetch(at, { headers: { 'accept-encoding': 'identity' } })
    expect([plain.headers.get('content-encoding'), await plain.json()]).toEqual([null, document])
    const { headers, status } = await fetch(at, { headers: { 'accept-encoding': 'gzip' }, method: 'HEAD' })
    expect([status, headers.get('content-encoding'), headers.get('vary')]).toEqual([200, 'gzip', 'accept-encoding'])
    expect(Number(headers.get('content-length'))).toBeLessThan(35_000)
    const known = { 'accept-encoding': 'gzip', 'if-none-match': headers.get('etag') ?? '' }
    expect((await fetch(at, { headers: known })).status).toBe(304)
    expect(await (await fetch(at, { headers: { 'accept-encoding': 'gzip' } })).json()).toEqual(document)
  })

  test('resolves all its references', () => {
    const references = [...JSON.stringify(document).matchAll(/"\$ref":"(#\/components[^"]*)"/g)].map(
      ([, to = '']) => to,
    )
    expect(references.length).toBeGreaterThan(10)
    for (const reference of references) {
      const target = reference
        .slice(2)
        .split('/')
        .reduce((at, key) => at?.[key], document)
      expect([reference, typeof target]).toEqual([reference, 'object'])
    }
  })

  test('names operations once, and says what each takes and answers', () => {
    const operations = Object.entries<Operations>(document.paths).flatMap(([path, item]) =>
      Object.entries(item).map(([method, operation]) => ({ path, method, operation })),
    )
    expect(new Set(operations.map(({ operation }) => operation.operationId)).size).toBe(operations.length)
    for (const { path, method, operation } of operations) {
      expect(METHODS).toContain(method)
      expect(operation.summary.length).toBeGreaterThan(10)
      expect(Object.keys(operation.responses).filter((status) => status.startsWith('2'))).toHaveLength(1)
      expect(operation.responses['500']).toBeDefined()
      const inPath = [...path.matchAll(/\{(\w+)\}/g)].map(([, name]) => name)
      const described = parametersOf(operation).filter((one) => one.in === 'path')
      expect(described.map(({ name }) => name)).toEqual(inPath)
    }
  })

  test('says once what many operations have in common, and of each what is its own', () => {
    const { paths, components } = document
    const of = (method: string, path: string): Operations => paths[`/api/2018-10-01/${path}`][method]
    expect(of('get', 'materials/{id}').responses['404']).toEqual({ $ref: '#/components/responses/NotFound' })
    expect(components.responses.NotFound.content['application/json'].schema.$ref).toMatch(/Fault$/)
    const named = (operation: Operations) => parametersOf(operation).map(({ name }) => name)
    expect(named(of('get', 'materials'))).toEqual(expect.arrayContaining(['query', 'sort', 'spaceGroup']))
    expect(named(of('get', 'methods'))).not.toContain('spaceGroup')
    const all = Object.values<object>(components.parameters).map((one) => JSON.stringify(one))
    expect(new Set(all).size).toBe(all.length)
    const inPath = parametersOf(of('post', 'materials/{id}/restore'))
    expect(inPath.filter(({ name }) => name === 'revision')).not.toEqual(
      parametersOf(of('get', 'materials/{id}')).filter(({ name }) => name === 'revision'),
    )
  })

  test('asks for a credential exactly where the server does', async () => {
    for (const [path, item] of Object.entries<Operations>(document.paths)) {
      for (const [method, { security }] of Object.entries(item)) {
        const { status } = await server.call(method.toUpperCase(), path.replace('{id}', 'x'), { as: 'guest' })
        expect([method, path, status === 401]).toEqual([
          method,
          path,
          security === undefined && !path.endsWith('/login'),
        ])
      }
    }
  })
})

describe('the schemas of records', () => {
  test('are served as plain JSON Schema documents', async () => {
    for (const path of ['schemas/method', '/schemas/method']) {
      const { body } = await server.call('GET', path, { as: 'guest' })
      expect(body).toMatchObject({ $id: 'method', title: 'base method', required: ['type', 'subtype'] })
      expect(body.$schema).toContain('draft-07')
    }
    expect((await server.call('GET', 'schemas/material', { as: 'guest' })).body.required).toEqual(
      expect.arrayContaining(['basis', 'lattice']),
    )
    const { data: kinds } = (await server.call('GET', 'schemas', { as: 'guest' })).body
    expect(kinds.map(({ collection }: { collection: string }) => collection)).toEqual(
      RECORD_KINDS.map(({ collection }) => collection),
    )
    expect(kinds[0]).toMatchObject({ name: 'material', computed: expect.arrayContaining(['formula']) })
    expect((await server.call('GET', 'schemas/nothing', { as: 'guest' })).status).toBe(404)
  })
})
