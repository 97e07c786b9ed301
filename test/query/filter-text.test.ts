import { describe, expect, test } from 'vitest'
import type { Json } from '../../src/kernel/json.ts'
import { filterText } from '../../src/query/ast/filter-text.ts'
import { parseFilter } from '../../src/query/filter/parse-filter.ts'
import { DEFAULT_QUERY_BOUNDS } from '../../src/query/plan.ts'

const textOf = (json: Json) => filterText(parseFilter(json, DEFAULT_QUERY_BOUNDS))

/** Filters of which each matches other records than all others. */
const DIFFERENT: readonly Json[] = [
  {},
  { a: 1 },
  { a: '1' },
  { a: null },
  { a: 'null' },
  { 'a.b': 1 },
  { a: { b: 1 } },
  { a: { b: 2 } },
  { a: { place: 1 } },
  { a: { place: 2 } },
  { a: { written: 1, c: 1 } },
  { a: { $gt: 1 } },
  { a: { $gt: { $numberDouble: 'Infinity' } } },
  { a: { $gt: { $numberDouble: '-Infinity' } } },
  { a: { $gt: { $numberDouble: 'NaN' } } },
  { a: { $not: { $gt: 1 } } },
  { a: { $not: { $gt: 1, $lt: 3 } } },
  { a: { $gt: 1, $lt: 3 } },
  { a: { $in: [1, 2] } },
  { a: { $in: ['1,2'] } },
  { a: { $all: [1, 2] } },
  { a: { $all: [[1, 2]] } },
  { a: { $elemMatch: { b: 1 } } },
  { a: { $elemMatch: { b: { $gt: 1 } } } },
  { a: { $elemMatch: { $gt: 1 } } },
  { a: { $exists: true } },
  { a: { $exists: false } },
  { a: { $mod: [4, 1] } },
  { a: { $mod: [5, 1] } },
  { a: { $bitsAllSet: 5 } },
  { a: { $bitsAllSet: 6 } },
  { a: { $regex: 'x' } },
  { a: { $regex: 'x', $options: 'i' } },
  { $or: [{ a: 1 }, { b: 1 }] },
  { $nor: [{ a: 1 }, { b: 1 }] },
  { $and: [{ $or: [{ a: 1 }] }, { b: 1 }] },
  { $expr: { $gt: ['$a', '$b'] } },
  { $expr: { $gt: ['$b', '$a'] } },
  { $expr: { $gt: ['$a', { $literal: '$b' }] } },
]

describe('the text by which a filter is known', () => {
  test.each(DIFFERENT.map((json) => [JSON.stringify(json), json] as const))('is its own: %s', (_, json) => {
    const others = DIFFERENT.filter((other) => other !== json)
    expect(others.filter((other) => textOf(other) === textOf(json))).toEqual([])
    expect(textOf(json)).toBe(textOf(structuredClone(json)))
  })

  test('does not depend on where a condition stands, or how it was written', () => {
    expect(textOf({ $and: [{ a: { $eq: 1 } }] })).toBe(textOf({ $and: [{ a: 1 }] }))
    expect(textOf({ a: { $ne: 1 } })).toBe(textOf({ a: { $not: { $eq: 1 } } }))
  })
})
