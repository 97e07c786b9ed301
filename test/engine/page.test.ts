import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { noBits, setBit } from '../../src/engine/bits.ts'
import { countRecords } from '../../src/engine/count-records.ts'
import { evaluateFilter } from '../../src/engine/evaluate-filter.ts'
import {
  type FoundPage,
  findNumbers,
  findPage,
  type PagePosition,
  type SegmentView,
  type TailRecord,
  type Working,
} from '../../src/engine/find-page.ts'
import { columnsOfFilter, columnsOfSort } from '../../src/engine/needed-columns.ts'
import { both, exactly } from '../../src/engine/selection.ts'
import { AppError } from '../../src/kernel/errors.ts'
import type { JsonObject } from '../../src/kernel/json.ts'
import type { FilterNode } from '../../src/query/ast/filter.ts'
import type { SortKey } from '../../src/query/ast/list-request.ts'
import { DEFAULT_QUERY_BOUNDS } from '../../src/query/bounds.ts'
import { matches } from '../../src/query/match/matches.ts'
import { compareSortKeys } from '../../src/query/order/compare-sort-keys.ts'
import { sortKeyOf } from '../../src/query/order/sort-key.ts'
import { parseFilter } from '../../src/query/parse/parse-filter.ts'
import { parseProjection } from '../../src/query/parse/parse-projection.ts'
import { documents } from '../support/arbitraries.ts'
import { filters } from '../support/arbitrary-filters.ts'
import { sorts } from '../support/arbitrary-projections.ts'
import { columnsOf } from './support/columns.ts'

/** Where a record is kept: in which home, in which of its segments (or the tail), and whether a newer version replaces it there. */
const entries = fc.record({
  document: documents,
  home: fc.constantFrom(0, 1),
  place: fc.constantFrom('tail', 0, 1, 2),
  isReplaced: fc.constantFrom(false, false, false, true),
})
type Entry = typeof entries extends fc.Arbitrary<infer T> ? T : never

interface World {
  readonly segments: readonly { readonly view: SegmentView; readonly documents: readonly JsonObject[] }[]
  readonly tail: readonly TailRecord[]
  /** What there is to find, in natural order. */
  readonly records: readonly { readonly home: number; readonly n: number; readonly document: JsonObject }[]
}

function worldOf(given: readonly Entry[], paths: ReadonlySet<string>): World {
  const numbered = given.map((entry, at) => ({ ...entry, n: 3 * at + 1 }))
  const segments = [0, 1].flatMap((home) =>
    [0, 1, 2].flatMap((place) => {
      const own = numbered.filter((one) => one.home === home && one.place === place)
      if (own.length === 0) return []
      const live = noBits(own.length)
      for (const [row, one] of own.entries()) if (!one.isReplaced) setBit(live, row)
      const source = columnsOf(
        own.map(({ document }) => document),
        paths,
      )
      const view = { home, source, live, numbers: Float64Array.from(own, ({ n }) => n) }
      return [{ view, documents: own.map(({ document }) => document) }]
    }),
  )
  // What was replaced or is nowhere else is in the tail; a removal leaves nothing there.
  const tail = numbered.filter((one) => one.place === 'tail').map(({ home, n, document }) => ({ home, n, document }))
  const records = numbered.filter((one) => one.place === 'tail' || !one.isReplaced)
  return { segments, tail, records }
}

interface Asked {
  readonly filter: FilterNode
  readonly sort: readonly SortKey[]
  readonly skip: number
  readonly limit: number
  readonly far: number
}

/** Does the work, giving it the documents that it asks for. */
function drive<Result>(world: World, work: Working<Result>): Result {
  let step = work.next()
  while (!step.done) {
    const answers = step.value.map(({ segment, row }) => {
      const found = world.segments.find(({ view }) => view === segment)
      return found?.documents[row] as JsonObject
    })
    step = work.next(answers)
  }
  return step.value
}

function questionOf(world: World, asked: Asked, after: PagePosition | null) {
  return {
    ...asked,
    segments: world.segments.map(({ view }) => view),
    tail: world.tail,
    homes: 2,
    after,
    select: ({ source, live }: SegmentView) => both(evaluateFilter(source, asked.filter), exactly(live)),
    spend() {},
  }
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

function unlessRefused<T>(work: () => T): T | AppError {
  try {
    return work()
  } catch (error) {
    if (error instanceof AppError) return error
    throw error
  }
}

const questions = fc.record({
  filter: filters,
  sort: sorts,
  skip: fc.constantFrom(0, 0, 1, 3, 70),
  limit: fc.constantFrom(1, 2, 10, 500),
  far: fc.constantFrom(1, 64),
})

function read(question: typeof questions extends fc.Arbitrary<infer T> ? T : never): Asked | AppError {
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
  expect(page.records.map(({ n }) => n)).toEqual(right)
  const all = expected(world, { ...asked, skip: 0, limit: 10_000 })
  expect(page.next === null).toBe(asked.skip + asked.limit >= all.length)
  expect(walk(world, { ...asked, skip: 0 })).toEqual(all)
  expect(Array.from(drive(world, findNumbers(questionOf(world, asked, null))))).toEqual(all)
  expect(drive(world, countRecords(questionOf(world, asked, null))).count).toBe(all.length)
}

/** All records that match, page after page. */
function walk(world: World, asked: Asked): readonly number[] {
  const found: number[] = []
  let after: PagePosition | null = null
  do {
    const page: FoundPage = pageOf(world, asked, after)
    found.push(...page.records.map(({ n }) => n))
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
