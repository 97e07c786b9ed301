import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { LOGICAL_OPERATORS, FIELD_OPERATORS as OF_SERVER } from '../../src/query/filter/registry.ts'
import { type KnownField, type Proposal, queryProposals, recordProposals } from '../../web/editor/completions.ts'
import { cursorIn, type JsonCursor } from '../../web/editor/json-cursor.ts'
import { isClosed, textOf, tokensOf } from '../../web/query/json-tokens.ts'
import { FIELD_OPERATORS, FILTER_OPERATORS } from '../../web/query/operators.ts'

/** The cursor where `|` stands. */
function at(text: string): JsonCursor {
  const position = text.indexOf('|')
  return cursorIn(text.slice(0, position) + text.slice(position + 1), position)
}

const FIELDS: readonly KnownField[] = [
  { path: 'formula', types: ['string'], values: ['Si', 'SiO2'] },
  { path: 'lattice.a', types: ['number'], unit: 'Å', title: 'Lattice constant a' },
  { path: 'lattice.type', types: ['string'], values: ['FCC', 'CUB'] },
  { path: 'isDefault', types: ['bool'] },
  { path: 'basis.elements.value', types: ['string'] },
  { path: 'basis.elements.id', types: ['number'] },
]

const labels = (proposals: readonly Proposal[]) => proposals.map(({ label }) => label)
const proposed = (text: string) => labels(queryProposals(at(text), FIELDS))

/** The text after a proposal was taken, with the cursor as `|`. */
function taken(text: string, label: string): string {
  const cursor = at(text)
  const whole = text.replace('|', '')
  const { text: put, caret } = queryProposals(cursor, FIELDS).find((one) => one.label === label) as Proposal
  return `${whole.slice(0, cursor.from)}${put.slice(0, caret)}|${put.slice(caret)}${whole.slice(cursor.to)}`
}

describe('the cursor in a JSON text', () => {
  it.each<[text: string, place: JsonCursor['place'], path: JsonCursor['path'], typed: string]>([
    ['|', 'value', [], ''],
    ['{|}', 'key', [], ''],
    ['{"a": 1, "b|"}', 'key', [], 'b'],
    ['{"a": |', 'value', ['a'], ''],
    ['{"a": {"$gt": 4, |}', 'key', ['a'], ''],
    ["{'a.b': {$in: ['x', 'y|", 'value', ['a.b', '$in', 1], 'y'],
    ['{$or: [{a: 1}, {b|}]}', 'key', ['$or', 1], 'b'],
    ['{"a"|', 'end', ['a'], ''],
    ['{"a": 1|2}', 'value', ['a'], '1'],
    ['{"a": 1 |}', 'end', ['a'], ''],
    ['{} |', 'end', [], ''],
    ['{"a": "{[\\"|', 'value', ['a'], '{["'],
  ])('in %s is at a %s of %j', (text, place, path, typed) => {
    expect(at(text)).toMatchObject({ place, path, typed })
  })

  it('knows the other keys of its object', () => {
    expect(at('{"a": {"x": 1}, |, b: [{"y": 1}], "c": 2}').keys).toEqual(['a', 'b', 'c'])
  })

  it('is somewhere in every text, however broken', () => {
    const pieces = fc.constantFrom('{', '}', '[', ']', ':', ',', '"', "'", '\\', 'a', '"b"', ' ', '\n', '$or', '1')
    fc.assert(
      fc.property(fc.array(pieces, { maxLength: 40 }), fc.nat(60), (parts, offset) => {
        const text = parts.join('')
        const position = Math.min(offset, text.length)
        const { from, to } = cursorIn(text, position)
        expect(from <= position && position <= to && to <= text.length).toBe(true)
      }),
    )
  })

  it('finds the place of every value of a complete text', () => {
    fc.assert(
      fc.property(fc.jsonValue(), fc.constantFrom('', ' ', '\n  '), (value, space) => {
        const marked = JSON.stringify({ list: [value, 'HERE'] }, null, space)
        const { path } = cursorIn(marked, marked.lastIndexOf('HERE'))
        expect(path).toEqual(['list', 1])
      }),
    )
  })
})

describe('the tokens of a JSON text', () => {
  it('have all of it but spaces, and strings say what JSON says', () => {
    fc.assert(
      fc.property(fc.jsonValue(), (value) => {
        const text = JSON.stringify(value)
        const pieces = tokensOf(text).map(({ from, to }) => text.slice(from, to))
        expect(pieces.join('')).toBe(text)
        const strings = pieces.filter((piece) => piece.startsWith('"'))
        expect(strings.map(textOf)).toEqual(strings.map((piece) => JSON.parse(piece)))
      }),
    )
  })

  it.each([
    [`'it\\'s "so"'`, `it's "so"`, true],
    ['"open', 'open', false],
    ['"open\\"', 'open"', false],
    ['word', 'word', false],
  ])('read %s as %s', (piece, text, closed) => {
    expect([textOf(piece), isClosed(piece)]).toEqual([text, closed])
  })
})

describe('proposals for a query', () => {
  it('know every operator of the server', () => {
    expect(FIELD_OPERATORS.map(({ name }) => name).sort()).toEqual([...OF_SERVER.keys()].sort())
    expect(FILTER_OPERATORS.map(({ name }) => name).sort()).toEqual(
      [...Object.keys(LOGICAL_OPERATORS), '$expr', '$comment'].sort(),
    )
  })

  it('are fields and what joins filters in the place of a field', () => {
    for (const text of ['{|', '{"$or": [{|}]}', '{"$and": [{"$nor": [{}, {"|"}]}]}']) {
      expect(proposed(text)).toEqual(expect.arrayContaining(['formula', 'lattice.a', '$or']))
      expect(proposed(text)).not.toContain('$gt')
    }
  })

  it('are operators first within a field', () => {
    expect(proposed('{"lattice.a": {|').slice(0, 3)).toEqual(['$eq', '$ne', '$gt'])
    expect(proposed('{"lattice": {|')).toEqual(expect.arrayContaining(['$exists', 'a', 'type']))
    expect(proposed('{"lattice.a": {"$not": {|')).toContain('$gt')
    expect(proposed('{"lattice.a": {"$gt": 1, |')).not.toContain('$gt')
  })

  it('are the fields of an element within $elemMatch', () => {
    expect(proposed('{"basis.elements": {"$elemMatch": {|').slice(0, 2)).toEqual(['value', 'id'])
    expect(proposed('{"basis.elements": {"$elemMatch": {"value": {|')).toContain('$in')
  })

  it('are values that a field has, and operators with their braces', () => {
    expect(proposed('{"formula": |').slice(0, 3)).toEqual(['Si', 'SiO2', '$eq'])
    expect(proposed('{"lattice.type": {"$in": ["FCC", |')).toEqual(['FCC', 'CUB'])
    expect(proposed('{"isDefault": |').slice(0, 2)).toEqual(['true', 'false'])
    expect(proposed('{"lattice.a": {"$exists": |')).toEqual(['true', 'false'])
    expect(proposed('{"lattice.a": {"$type": "|')).toContain('number')
    expect(proposed('{"formula": {"$regex": "|')).toEqual([])
  })

  it('are none where nothing is known or nothing fits', () => {
    expect(proposed('{"$expr": {|')).toEqual([])
    expect(proposed('{"formula": "Si" |')).toEqual([])
    expect(proposed('{"formula"|')).toEqual([])
  })

  it.each([
    ['{|', 'lattice.a', '{"lattice.a": |'],
    ["{'lat|'}", 'lattice.a', "{'lattice.a': |}"],
    ['{form|}', 'formula', '{formula: |}'],
    ['{lat|}', 'lattice.a', '{"lattice.a": |}'],
    ['{"f|": 1}', 'formula', '{"formula"|: 1}'],
    ['{|}', '$or', '{"$or": [{|}]}'],
    ['{a: {$|}}', '$gt', '{a: {$gt: |}}'],
    ['{a: |}', '$in', '{a: {"$in": [|]}}'],
    ["{formula: '|'}", 'SiO2', "{formula: 'SiO2'|}"],
    ['{"formula": {"|"}}', '$regex', '{"formula": {"$regex": "|"}}'],
  ])('make %s with %s into %s', (before, label, after) => {
    expect(taken(before, label)).toBe(after)
  })
})

describe('proposals for a record', () => {
  const ofRecord = (text: string) => labels(recordProposals(at(text), FIELDS))

  it('are the fields that others have at that place, step by step', () => {
    expect(ofRecord('{|')).toEqual(['formula', 'lattice', 'isDefault', 'basis'])
    expect(ofRecord('{"formula": "Si", "lattice": {"a": 1, |')).toEqual(['type'])
    expect(ofRecord('{"basis": {"elements": [{"id": 0, "value": "Si"}, {|')).toEqual(['value', 'id'])
    expect(ofRecord('{"lattice": {"type": "|')).toEqual(['FCC', 'CUB'])
  })
})
