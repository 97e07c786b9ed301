import { describe, expect, it } from 'vitest'
import { listAddress, readAddress, recordAddress } from '../../web/address.js'
import { formatJson } from '../../web/format-json.js'
import { schemaWords } from '../../web/schema-words.js'

describe('the JSON of a record', () => {
  it('keeps a coordinate on one line and stays the same JSON', () => {
    const record = {
      name: 'Si "x"',
      basis: { coordinates: [{ id: 0, value: [0, 0.25, 0.5] }], elements: [] },
      none: null,
      deep: [[[[1]]]],
    }
    const text = formatJson(record)
    expect(JSON.parse(text)).toEqual(record)
    expect(text.split('\n')).toContain('      {"id":0,"value":[0,0.25,0.5]}')
  })

  it('breaks what is longer than a line', () => {
    const numbers = Array.from({ length: 60 }, (_, index) => index)
    expect(formatJson(numbers).split('\n')).toHaveLength(62)
  })
})

describe('the address of a page', () => {
  it('leads back to what was asked', () => {
    const query = '{"name": "a&b=c #1 + 100%", "é": ["?"]}'
    const { view, id, parameters } = readAddress(listAddress('methods', { query, sort: '-name', skip: '' }))
    expect([view, id, parameters.get('query'), parameters.get('sort'), parameters.has('skip')]).toEqual([
      'methods',
      null,
      query,
      '-name',
      false,
    ])
  })

  it('names a record', () => {
    expect(readAddress(recordAddress('materials', 'a/b?c')).id).toBe('a/b?c')
  })

  it('is the materials when there is none', () => {
    for (const hash of ['', '#', '#/', '#main']) expect(readAddress(hash).view).toBe('materials')
  })

  it('may be garbage', () => {
    expect(readAddress('#/materials/%E0%A4%A').id).toBe('%E0%A4%A')
  })
})

describe('a schema', () => {
  it.each([
    [{ type: 'integer', minimum: 1, maximum: 500 }, 'integer 1 to 500'],
    [{ type: ['integer', 'null'] }, 'integer or null'],
    [{ anyOf: [{ type: 'string', format: 'date-time' }, { type: 'null' }] }, 'date-time or null'],
    [{ type: 'array', items: { $ref: '#/components/schemas/Material' } }, 'array of Material'],
    [{ enum: ['owner', 'member'] }, '"owner" or "member"'],
    [{ const: true }, 'true'],
    [{}, 'anything'],
  ])('%j is said in words', (schema, words) => {
    expect(schemaWords(schema)).toBe(words)
  })

  it('of an object names its members as deep as asked', () => {
    const schema = {
      type: 'object',
      properties: { a: { type: 'string' }, b: { type: 'object', properties: {} } },
      required: ['a'],
    }
    expect(schemaWords(schema, 1)).toBe('{ a: string, b?: object }')
    expect(schemaWords(schema)).toBe('object')
  })
})
