import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { countRecords } from '../../src/engine/count-records.ts'
import { findNumbers, findPage } from '../../src/engine/find-page.ts'
import { columnsOfFilter, columnsOfSort } from '../../src/engine/needed-columns.ts'
import type { FoundPage, FoundRecord, PagePosition } from '../../src/engine/page-documents.ts'
import { AppError } from '../../src/kernel/errors.ts'
import type { Json, JsonObject } from '../../src/kernel/json.ts'
import type { FilterNode } from '../../src/query/ast/filter.ts'
import type { SortKey } from '../../src/query/ast/list-request.ts'
import { parseProjection } from '../../src/query/fields/parse-projection.ts'
import { matches } from '../../src/query/filter/match.ts'
import { parseFilter } from '../../src/query/filter/parse-filter.ts'
import { compareSortKeys, sortKeyOf } from '../../src/query/order/sort-key.ts'
import { DEFAULT_QUERY_BOUNDS } from '../../src/query/plan.ts'
import { filters } from '../support/arbitrary-filters.ts'
import { sorts } from '../support/arbitrary-projections.ts'
import { drive, type Entry, entries, sourcesOf, unlessRefused, type World, worldOf } from './support/world.ts'

interface Asked {
  readonly filter: FilterNode
  readonly sort: readonly SortKey[]
  readonly skip: number
  readonly limit: number
  readonly far: number
}

function questionOf(world: World, asked: Asked, after: PagePosition | null) {
  return { ...asked, ...sourcesOf(world, asked.filter), homes: 2, after }
}

function pageOf(world: World, asked: Asked, after: PagePosition | null): FoundPage {
  return drive(world, findPage(questionOf(world, asked, after)))
}

function expected(world: World, { filter, sort, skip, limit }: Asked): readonly number[] {
  return world.records
    .filter(({ document }) => matches(filter, document))
    .map((record) => ({ ...record, key: sortKeyOf(record.document, sort) }))
    .sort((a, b) => compareSortKeys(a.key, b.key, sort) || a.n - b.n)
    .slice(skip, skip + limit)
    .map(({ n }) => n)
}

const questions = fc.record({
  filter: filters,
  sort: sorts,
  skip: fc.constantFrom(0, 0, 1, 3, 70),
  limit: fc.constantFrom(1, 2, 10, 500),
  far: fc.constantFrom(1, 64),
})

type Question = typeof questions extends fc.Arbitrary<infer T> ? T : never

function read(question: Pick<Question, 'filter' | 'sort'> & Pick<Asked, 'skip' | 'limit' | 'far'>): Asked | AppError {
  return unlessRefused(() => ({
    filter: parseFilter(question.filter, DEFAULT_QUERY_BOUNDS),
    sort: parseProjection({ sort: question.sort }, DEFAULT_QUERY_BOUNDS).sort,
    skip: question.skip,
    limit: question.limit,
    far: question.far,
  }))
}

function compare(given: readonly Entry[], asked: Asked): void {
  const world = worldOf(given, new Set([...columnsOfFilter(asked.filter), ...columnsOfSort(asked.sort)]))
  const right = unlessRefused(() => expected(world, asked))
  const page = unlessRefused(() => pageOf(world, asked, null))
  // A record that cannot be sorted is met when it is looked at: a page may end before it.
  if (right instanceof AppError) return
  if (page instanceof AppError) throw page
  expect(page.records.map(numberOf)).toEqual(right)
  const all = expected(world, { ...asked, skip: 0, limit: 10_000 })
  expect(page.next === null).toBe(asked.skip + asked.limit >= all.length)
  expect(walk(world, { ...asked, skip: 0 })).toEqual(all)
  expect(walk(world, asked)).toEqual(all.slice(asked.skip))
  expect(Array.from(drive(world, findNumbers(questionOf(world, asked, null))))).toEqual(all)
  expect(drive(world, countRecords(questionOf(world, asked, null))).count).toBe(all.length)
}

function numberOf({ n }: FoundRecord): number {
  return n
}

/** All records that match behind those that the first page skips, page after page. */
function walk(world: World, asked: Asked): readonly number[] {
  const found: number[] = []
  let after: PagePosition | null = null
  do {
    const page: FoundPage = pageOf(world, after === null ? asked : { ...asked, skip: 0 }, after)
    found.push(...page.records.map(numberOf))
    if (found.length > world.records.length) throw new Error('a page begins before the end of the one before')
    after = page.next
  } while (after !== null)
  return found
}

describe('a page from segments and tail', () => {
  it.each([1, -1])('goes on behind a text that has half of a surrogate pair, in the direction %i', (direction) => {
    const texts = [
      'a',
      'a\ud7ff',
      'a\ud800',
      'a\ud800z',
      'a\ud800\udc00',
      'a\udbff',
      'a\udbff\udfff',
      'a\udc00',
      'a\uffff',
      'b',
    ]
    const given = texts.flatMap((a, at) => [
      { document: { a }, home: 0, place: at % 3, isReplaced: false } as Entry,
      { document: { a }, home: 1, place: 'tail', isReplaced: false } as Entry,
    ])
    const question = read({ filter: {}, sort: { a: direction }, skip: 0, limit: 1, far: 64 })
    if (question instanceof AppError) throw question
    compare(given, question)
  })

  it.each([
    ['a filter of which columns tell little', { a: { $in: [{ x: 1 }, { x: 2 }, { x: 3 }] } }, {}],
    ['the order of some values', {}, { a: 1 }],
    ['the order of some values, downwards', {}, { a: -1 }],
    ['natural order', {}, {}],
    ['ties', {}, { b: 1 }],
  ])('is found behind however many are skipped, in segments of all sizes: %s', (_, filter, sort) => {
    // One segment has most records, another every seventh and one every fortieth; what matches by its documents alone is most of them.
    const given = Array.from({ length: 300 }, (__, at): Entry => {
      const [home, place] = at % 40 === 9 ? ([1, 1] as const) : at % 7 === 3 ? ([0, 1] as const) : ([0, 0] as const)
      const a = 'a' in filter ? { x: (at * 7) % 5 } : (at * 7) % 300
      return { document: { a, b: at % 3 }, home, place, isReplaced: false }
    })
    for (let skip = 1; skip < 300; skip += 3) {
      const asked = read({ filter, sort, skip, limit: 5, far: 1 })
      if (asked instanceof AppError) throw asked
      const world = worldOf(given, new Set([...columnsOfFilter(asked.filter), ...columnsOfSort(asked.sort)]))
      expect(pageOf(world, asked, null).records.map(numberOf)).toEqual(expected(world, asked))
      if (skip === 1) compare(given, asked)
    }
  })

  it('is in the order of two values of one element, whichever elements have less of either', () => {
    const elements = (...pairs: readonly (readonly [number, number])[]): JsonObject => ({
      a: pairs.map(([x, y]) => ({ x, y })),
    })
    const documents = [
      elements([1, 9], [2, 0]),
      elements([1, 5]),
      elements([1, 7], [1, 3]),
      elements([2, 1], [3, 0]),
      { a: { x: 1, y: 4 } },
    ]
    const given = documents.map(
      (document, at): Entry => ({ document, home: at % 2 === 0 ? 0 : 1, place: 0, isReplaced: false }),
    )
    for (const sort of [
      { 'a.x': 1, 'a.y': 1 },
      { 'a.x': -1, 'a.y': -1 },
    ]) {
      const asked = read({ filter: {}, sort, skip: 0, limit: 1, far: 64 })
      if (asked instanceof AppError) throw asked
      compare(given, asked)
    }
  })

  it.each([1, -1])('has values of all types of several segments in their order, in the direction %i', (direction) => {
    const values: readonly Json[] = [5, 'x', true, [], null, -3, false, 'xy', 0]
    const documents: readonly JsonObject[] = [{}, ...values.map((a) => ({ a }))]
    const given = [0, 1, 2].flatMap((place) =>
      documents.map((document) => ({ document, home: 0, place, isReplaced: false }) as Entry),
    )
    const asked = read({ filter: {}, sort: { a: direction }, skip: 0, limit: 10, far: 64 })
    if (asked instanceof AppError) throw asked
    compare(given, asked)
  })

  it.each([1, -1])(
    'has what lacks a field where its order says, whatever it has on the way, in the direction %i',
    (direction) => {
      const ways: readonly JsonObject[] = [
        { a: [] },
        { a: [{ b: 1 }] },
        { a: [{}] },
        { a: { b: [] } },
        {},
        { a: [{ b: [] }] },
        { a: null },
        { a: [{ b: null }] },
        { a: 1 },
        { a: [[]] },
      ]
      const given = [...ways, ...ways].map(
        (document, at) => ({ document, home: 0, place: at % 2, isReplaced: false }) as Entry,
      )
      const asked = read({ filter: {}, sort: { 'a.b': direction }, skip: 0, limit: 3, far: 64 })
      if (asked instanceof AppError) throw asked
      compare(given, asked)
    },
  )

  it.each([
    ['few records', 12],
    ['many records', 300],
  ])('has what the documents say, in their order, of %s', (_, most) => {
    fc.assert(
      fc.property(
        fc.array(entries, { maxLength: most, size: most > 100 ? '+1' : 'medium' }),
        fc.array(questions, { minLength: 1, maxLength: 4 }),
        (given, asked) => {
          for (const one of asked) {
            const question = read(one)
            if (!(question instanceof AppError)) compare(given, question)
          }
        },
      ),
      { numRuns: 300, endOnFailure: true },
    )
  })
})
