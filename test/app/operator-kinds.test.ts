import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { createToken } from '../../src/accounts/tokens.ts'
import { createUser } from '../../src/accounts/users.ts'
import { compose, type Quarry } from '../../src/app/compose.ts'
import { readConfig } from '../../src/app/config.ts'
import { RESERVED_WORDS, readOperatorKinds } from '../../src/app/operator-kinds.ts'
import { API_PREFIX } from '../../src/http/address.ts'
import { allRoutes } from '../../src/http/routes/all-routes.ts'
import { DEFAULT_HTTP_SETTINGS } from '../../src/http/settings.ts'
import { RECORD_KINDS } from '../../src/records/kinds/record-kinds.ts'

const SAMPLE = {
  name: 'xrd-pattern',
  collection: 'xrd-patterns',
  schema: {
    $schema: 'http://json-schema.org/draft-07/schema#',
    type: 'object',
    required: ['wavelength'],
    properties: {
      wavelength: { $ref: '#/definitions/length' },
      sample: { type: 'string', references: 'materials' },
      temperature: { type: 'number', unit: 'K' },
      measuredOn: { type: 'string', format: 'date' },
      at: { type: 'string', format: 'date-time' },
      peaks: { type: 'array', items: { type: 'object', required: ['angle'] }, description: '<img src="x">' },
    },
    definitions: { length: { type: 'number', exclusiveMinimum: 0 } },
  },
}

let data = ''
beforeEach(() => {
  data = mkdtempSync(join(tmpdir(), 'quarry-kinds-'))
  mkdirSync(join(data, 'kinds'))
})
afterEach(() => rmSync(data, { recursive: true, force: true }))

const write = (name: string, content: unknown) =>
  writeFileSync(join(data, 'kinds', name), typeof content === 'string' ? content : JSON.stringify(content))

function refusal(): { message: string; code: number } {
  try {
    readOperatorKinds(data)
  } catch (error) {
    return error as { message: string; code: number }
  }
  throw new Error('nothing was refused')
}

describe('a kind of an operator', () => {
  let quarry: Quarry
  let origin = ''
  let token = ''
  beforeEach(async () => {
    write('xrd.json', SAMPLE)
    write('README.md', 'What these are.')
    quarry = await compose(readConfig({ data, port: '0', logLevel: 'silent' }, {}, null))
    await quarry.server.listen({ host: '127.0.0.1', port: 0 })
    origin = `http://127.0.0.1:${(quarry.server.server.address() as AddressInfo).port}${API_PREFIX}`
    const { accounts } = quarry.services
    const user = await createUser(accounts, { name: 'ada', password: 'a good password' })
    token = (await createToken(accounts, { userId: user.id, accountId: user.defaultAccountId, name: 'x' })).secret
  })
  afterEach(() => quarry.close())

  // biome-ignore lint/suspicious/noExplicitAny: tests read what the server says, whatever it is.
  async function call(method: string, path: string, body?: object): Promise<{ status: number; body: any }> {
    const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json' }
    const response = await fetch(`${origin}/${path}`, {
      method,
      headers,
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    })
    return { status: response.status, body: await response.json() }
  }

  it('has the same actions as any other', async () => {
    const made = await call('PUT', 'xrd-patterns/create', { wavelength: 1.5406, peaks: [{ angle: 28.4 }] })
    expect(made).toMatchObject({ status: 200, body: { data: { name: 'New xrd pattern', wavelength: 1.5406 } } })
    const { _id } = made.body.data
    const query = encodeURIComponent('{"peaks.angle":{"$gt":28},"wavelength":{"$lt":2}}')
    expect((await call('GET', `xrd-patterns?query=${query}`)).body.data).toEqual([made.body.data])
    expect((await call('PATCH', `xrd-patterns/${_id}`, { name: 'Si' })).body.data.name).toBe('Si')
    expect((await call('POST', 'xrd-patterns/count', {})).body.data).toEqual({ count: 1 })
    expect((await call('DELETE', `xrd-patterns/${_id}`)).status).toBe(200)
  })

  it('is held to its schema', async () => {
    const wrong = { wavelength: 0, peaks: [{}], measuredOn: '2024-02-30', at: '2024-02-03 12:00' }
    const { status, body } = await call('POST', 'xrd-patterns', wrong)
    expect(status).toBe(422)
    expect(body.data.violations.map(({ pointer }: { pointer: string }) => pointer)).toEqual([
      '/wavelength',
      '/measuredOn',
      '/at',
      '/peaks/0/angle',
    ])
    expect(body.data.violations[1].expected).toBe('a date such as "2024-05-06"')
    const right = { wavelength: 1, measuredOn: '2024-02-29', at: '2024-02-03T12:00:00+01:00' }
    expect((await call('POST', 'xrd-patterns', right)).status).toBe(201)
    expect((await call('GET', 'schemas/xrd-pattern')).body).toEqual(SAMPLE.schema)
  })

  it('tells the units of its numbers', async () => {
    await call('POST', 'xrd-patterns', { wavelength: 1, temperature: 300 })
    const { fields } = (await call('GET', 'xrd-patterns/fields')).body.data
    expect(fields.find(({ path }: { path: string }) => path === 'temperature')).toMatchObject({ unit: 'K' })
  })

  it('is described, and its references lead somewhere', async () => {
    const { body } = await call('GET', 'openapi.json')
    expect(body.paths[`${API_PREFIX}/xrd-patterns/{id}`].get.operationId).toBe('getXrdPattern')
    const { $ref } = body.components.schemas.XrdPattern.properties.wavelength
    expect($ref).toBe('#/components/schemas/XrdPattern/definitions/length')
    expect(body.components.schemas.XrdPattern.definitions.length).toEqual(SAMPLE.schema.definitions.length)
    const operations = Object.values(body.paths as Record<string, Record<string, { operationId: string }>>)
    const names = operations.flatMap((item) => Object.values(item).map(({ operationId }) => operationId))
    expect(new Set(names).size).toBe(names.length)
  })

  it('is in the reference for people, and stands there as text whatever is in it', async () => {
    const html = await (await fetch(`${origin.replace(API_PREFIX, '')}/docs?kind=xrd-patterns`)).text()
    expect(html).toContain('id="getXrdPattern"')
    expect(html).toMatch(/<a href="[^"]*kind=xrd-patterns#records" aria-current="true">xrd-patterns<\/a>/)
    expect(html).toContain('id="schema-XrdPattern"')
    expect(html).not.toContain('id="getMaterial"')
    expect(html).toContain('&#60;img src=&#34;x&#34;&#62;')
    expect(html).not.toContain('<img')
    const materials = await (await fetch(`${origin.replace(API_PREFIX, '')}/docs`)).text()
    expect(materials).toContain('xrd-patterns getXrdPattern')
  })

  it('cannot have a word that the addresses of the API have for something else', () => {
    const taken = new Set([...RESERVED_WORDS, ...RECORD_KINDS.map(({ collection }) => collection), 'xrd-patterns'])
    const words = allRoutes(quarry.services, DEFAULT_HTTP_SETTINGS)
      .flatMap(({ path, aliases = [] }) => [path, ...aliases])
      .map((path) => path.replace(API_PREFIX, '').split('/')[1]?.replace('.json', '') ?? '')
      .filter((word) => word !== '' && !word.startsWith('bank-') && /^[a-z0-9-]+$/.test(word))
    expect(words.length).toBeGreaterThan(50)
    const free = [...new Set(words)].filter((word) => !taken.has(word))
    expect(free, `RESERVED_WORDS lacks ${free.join(', ')}`).toEqual([])
  })
})

describe('a folder of kinds', () => {
  it('need not be there', () => {
    rmSync(join(data, 'kinds'), { recursive: true })
    expect(readOperatorKinds(data)).toEqual([])
  })

  it.each([
    ['no JSON', 'x', '{\n"name":', 'line 2, column 8'],
    ['a key given twice', 'x', '{"name":"a","name":"b"}', 'twice'],
    ['an array', 'x', [], 'not a JSON object'],
    ['a field that is not read', 'x', { ...SAMPLE, derive: 'x' }, '"derive" is not a field'],
    ['no name', 'x', { ...SAMPLE, name: undefined }, 'name is 1 to 48'],
    ['a name with capitals', 'x', { ...SAMPLE, name: 'XRD' }, 'name is 1 to 48'],
    ['a collection with a slash', 'x', { ...SAMPLE, collection: 'a/b' }, 'collection is 1 to 48'],
    ['one word for both', 'x', { ...SAMPLE, collection: 'xrd-pattern' }, 'they differ'],
    [
      'a collection that comes with the program',
      'x',
      { ...SAMPLE, collection: 'materials' },
      'another kind with "materials"',
    ],
    ['a reserved collection', 'x', { ...SAMPLE, collection: 'tokens' }, '"tokens", which the API uses'],
    ['a collection that looks like a bank', 'x', { ...SAMPLE, collection: 'bank-things' }, 'which the API uses'],
    ['no schema', 'x', { ...SAMPLE, schema: undefined }, 'schema is a JSON Schema'],
    ['a schema of arrays', 'x', { ...SAMPLE, schema: { type: 'array' } }, '"type": "object"'],
    [
      'a schema of another draft',
      'x',
      { ...SAMPLE, schema: { ...SAMPLE.schema, $schema: 'https://json-schema.org/draft/2020-12/schema' } },
      'draft-07',
    ],
    ['a schema that would refuse nothing', 'x', { ...SAMPLE, schema: { ...SAMPLE.schema, $async: true } }, '$async'],
    ['a keyword that there is not', 'x', { ...SAMPLE, schema: { type: 'object', propertys: {} } }, 'propertys'],
    [
      'a reference that leads nowhere',
      'x',
      { ...SAMPLE, schema: { type: 'object', $ref: '#/definitions/none' } },
      'none',
    ],
  ])('is refused with %s, by file and reason', (_what, name, content, reason) => {
    write(`${name}.json`, content)
    const { message, code } = refusal()
    expect(code).toBe(40082)
    expect(message).toContain(join(data, 'kinds', `${name}.json`))
    expect(message).toContain(reason)
  })

  it('is refused when two files describe the same collection, naming the second', () => {
    write('a.json', SAMPLE)
    write('b.json', { ...SAMPLE, name: 'another' })
    expect(refusal().message).toContain('b.json: there is another kind with "xrd-patterns"')
  })

  it('is refused with a file that is too long', () => {
    write('long.json', JSON.stringify({ ...SAMPLE, schema: { ...SAMPLE.schema, description: 'x'.repeat(2 ** 20) } }))
    expect(refusal().message).toContain('longer than')
  })
})
