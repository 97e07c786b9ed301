import { describe, expect, it } from 'vitest'
import { AppError } from '../../src/kernel/errors.ts'
import type { Json } from '../../src/kernel/json.ts'
import { parseFilter } from '../../src/query/filter/parse-filter.ts'
import { REFUSED_OPERATORS } from '../../src/query/filter/refuse-operator.ts'
import { FIELD_OPERATORS } from '../../src/query/filter/registry.ts'
import { filterRefusals } from '../cases/filter-refusals.cases.ts'

function refusalOf(filter: Json): AppError {
  try {
    parseFilter(filter)
  } catch (error) {
    if (error instanceof AppError) return error
    throw error
  }
  throw new Error('the filter was accepted')
}

describe('parseFilter refuses', () => {
  it.each(filterRefusals.map((each) => [each.name, each] as const))('%s', (_, { filter, code, path }) => {
    const { data, message, code: given } = refusalOf(filter)
    expect({ code: given, path: data.path }).toEqual({ code, path })
    expect(message.length).toBeLessThan(800)
    if (data.hint !== undefined) expect(message).toContain(data.hint)
  })

  it.each([...REFUSED_OPERATORS.keys()])('%s, with the reason and what works instead', (name) => {
    expect(FIELD_OPERATORS.has(name)).toBe(false)
    expect(refusalOf({ [name]: 1 })).toMatchObject({ code: 40006, data: { hint: expect.stringMatching(/\S/) } })
    expect(refusalOf({ a: { [name]: 1 } })).toMatchObject({ code: 40006 })
  })
})

describe('the message', () => {
  it('names operator, place and the nearest known name', () => {
    expect(refusalOf({ 'lattice.a': { $gtt: 5 } }).message).toBe(
      'Unknown query operator "$gtt" at query.lattice.a. Did you mean $gt?',
    )
  })

  it('lists what is known when nothing is near', () => {
    expect(refusalOf({ $everything: 1 }).message).toContain('Known here are $and, $or, $nor, $expr, $comment.')
  })

  it('points into a regular expression', () => {
    expect(refusalOf({ a: { $regex: 'Si(?=O)' } }).message).toBe(
      'The look-ahead (?=…) is not supported: character 3 of the regular expression "Si(?=O)" at query.a.$regex. ' +
        'Patterns run in linear time (RE2), which this cannot (known difference 1).',
    )
  })

  it('shows the dotted path to who wrote a nested object', () => {
    expect(refusalOf({ lattice: { a: { $gt: 5 } } }).message).toContain('{"a.b":{"$gt":1}}')
  })

  it('uses the name of the parameter that was read', () => {
    expect(() => parseFilter({ $gt: 1 }, undefined, 'filter')).toThrow(/at filter\./)
  })

  it('does not grow with what the client sent', () => {
    const long = 'x'.repeat(60_000)
    expect(refusalOf({ [`$${long}`]: 1 }).message.length).toBeLessThan(500)
    expect(refusalOf({ a: { $in: long } }).message.length).toBeLessThan(500)
  })
})

describe('parseFilter', () => {
  it('takes what is no JSON for an error of the caller', () => {
    expect(() => parseFilter({ a: undefined })).toThrow(AppError)
    expect(() => parseFilter({ a: 5n })).toThrow(AppError)
  })

  it('counts clauses over the whole query', () => {
    const clauses = { maxBytes: 1000, maxDepth: 10, maxClauses: 3, maxInValues: 10 }
    expect(parseFilter({ a: 1, b: { $gt: 1, $lt: 2 } }, clauses)).toMatchObject({ kind: 'and' })
    expect(() => parseFilter({ a: 1, b: { $gt: 1, $lt: 2 }, c: 1 }, clauses)).toThrow(/more than 3 conditions/)
    expect(parseFilter({ $or: [{ a: 1 }, { b: 1 }, { $and: [{ c: 1 }] }] }, clauses)).toMatchObject({ kind: 'or' })
    expect(() => parseFilter({ $or: [{ a: 1 }, { b: 1 }, { c: 1 }, { d: 1 }] }, clauses)).toThrow(
      /more than 3 conditions/,
    )
    expect(() => parseFilter({ $or: [{}, {}, {}, {}] }, clauses)).toThrow(/more than 3 conditions/)
  })
})
