import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { Json, JsonObject } from '../../src/kernel/json.ts'
import type { SortKey } from '../../src/query/ast/list-request.ts'
import { QUERY_ERRORS } from '../../src/query/errors.ts'
import { parseProjection } from '../../src/query/fields/parse-projection.ts'
import { compareSortKeys, sortKeyOf } from '../../src/query/order/sort-key.ts'
import { TopK } from '../../src/store/sqlite/read/read-page.ts'
import { sortCases } from '../cases/sort.cases.ts'

function sortOf(json: Json): readonly SortKey[] {
  return parseProjection({ sort: json }).sort
}

describe('a sort', () => {
  it.each(sortCases.map((each) => [each.name, each] as const))('%s', (_, { documents, sort, order }) => {
    const keys = sortOf(sort)
    const named = Object.entries(documents).map(([name, document]) => ({ name, key: sortKeyOf(document, keys) }))
    const sorted = named.toSorted((a, b) => compareSortKeys(a.key, b.key, keys))
    expect(sorted.map(({ name }) => name)).toEqual(order)
  })

  it('has 60 cases with names of their own', () => {
    expect(new Set(sortCases.map(({ name }) => name)).size).toBe(sortCases.length)
    expect(sortCases.length).toBeGreaterThanOrEqual(60)
  })
})

describe('a document that cannot be sorted', () => {
  const refused: readonly (readonly [string, JsonObject, Json])[] = [
    ['has two arrays', { a: [1, 2], b: [3] }, { a: 1, b: 1 }],
    ['has two arrays, one of them empty', { a: [], b: [3] }, { a: 1, b: -1 }],
    ['has two arrays within one element', { a: [{ b: [1], c: [2] }] }, { 'a.b': 1, 'a.c': 1 }],
    ['has a number that is an index and a field', { a: [{ '0': 1 }] }, { 'a.0': 1 }],
  ]

  it.each(refused)('%s', (_, document, sort) => {
    expect(() => sortKeyOf(document, sortOf(sort))).toThrow(
      expect.objectContaining({ code: QUERY_ERRORS.unsortable.code }),
    )
  })

  it('is named by the path of the second array', () => {
    expect(() => sortKeyOf({ a: [1], b: [2] }, sortOf({ a: 1, b: 1 }))).toThrow(
      expect.objectContaining({ data: expect.objectContaining({ path: 'projection.sort.b' }) }),
    )
  })

  it('offers more combinations than anyone can look at', () => {
    const inner = Array.from({ length: 2000 }, () => ({ y: 1 }))
    const document = { a: [{ x: inner }, ...inner] }
    expect(() => sortKeyOf(document, sortOf({ 'a.0.x.y': 1, 'a.y': 1 }))).toThrow(/combinations/)
  })
})

describe('a large array', () => {
  it('is entered once when the sort names an index', () => {
    const inner = Array.from({ length: 3000 }, (_, index) => ({ y: index }))
    const document = { a: [inner, ...inner.map(({ y }) => y)] }
    expect(sortKeyOf(document, sortOf({ 'a.0.y': -1 }))).toEqual([2999])
  })
})

describe('TopK', () => {
  it('keeps what a full sort would put first, in order', () => {
    fc.assert(
      fc.property(fc.array(fc.integer({ min: 0, max: 20 })), fc.integer({ min: 0, max: 12 }), (values, capacity) => {
        const compare = (a: { value: number; n: number }, b: { value: number; n: number }) =>
          a.value - b.value || a.n - b.n
        const items = values.map((value, n) => ({ value, n }))
        const top = new TopK(capacity, compare)
        for (const item of items) top.offer(item)
        expect(top.sorted()).toEqual(items.toSorted(compare).slice(0, capacity))
      }),
    )
  })

  it('tells whether an item was kept', () => {
    const top = new TopK<number>(2, (a, b) => a - b)
    expect([5, 3, 9, 1].map((item) => top.offer(item))).toEqual([true, true, false, true])
  })

  it('keeps nothing when it may keep nothing', () => {
    const top = new TopK<number>(0, (a, b) => a - b)
    expect(top.offer(1)).toBe(false)
    expect(top.sorted()).toEqual([])
  })
})
