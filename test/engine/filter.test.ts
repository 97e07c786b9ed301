import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { evaluateFilter } from '../../src/engine/evaluate-filter.ts'
import type { ColumnBounds } from '../../src/engine/gather-columns.ts'
import { columnsOfFilter } from '../../src/engine/needed-columns.ts'
import { hasBit } from '../../src/engine/selection.ts'
import { AppError } from '../../src/kernel/errors.ts'
import type { JsonObject } from '../../src/kernel/json.ts'
import type { FilterNode } from '../../src/query/ast/filter.ts'
import { matches } from '../../src/query/filter/match.ts'
import { parseFilter } from '../../src/query/filter/parse-filter.ts'
import { DEFAULT_QUERY_BOUNDS } from '../../src/query/plan.ts'
import { documents } from '../support/arbitraries.ts'
import { filters } from '../support/arbitrary-filters.ts'
import { columnsOf, FEW_COLUMNS } from './support/columns.ts'

function parsed(filter: JsonObject): FilterNode | null {
  try {
    return parseFilter(filter, DEFAULT_QUERY_BOUNDS)
  } catch (error) {
    if (error instanceof AppError) return null
    throw error
  }
}

/** Null when an expression cannot be computed for the document. */
function answerOf(filter: FilterNode, document: JsonObject): boolean | null {
  try {
    return matches(filter, document)
  } catch (error) {
    if (error instanceof AppError) return null
    throw error
  }
}

/** How many rows columns were asked about, and of how many they were certain. */
const tally = { rows: 0, certain: 0 }

/** What columns are certain of is what the matcher says. */
function compare(given: readonly JsonObject[], asked: JsonObject): void {
  const filter = parsed(asked)
  if (filter === null) return
  for (const bounds of [undefined, FEW_COLUMNS]) compareWithin(given, asked, { filter, bounds })
}

function compareWithin(
  given: readonly JsonObject[],
  asked: JsonObject,
  { filter, bounds }: { readonly filter: FilterNode; readonly bounds: ColumnBounds | undefined },
): void {
  const { must, may } = evaluateFilter(columnsOf(given, columnsOfFilter(filter), bounds), filter)
  for (const [row, document] of given.entries()) {
    const [isIn, isPossible] = [hasBit(must, row), hasBit(may, row)]
    if (bounds === undefined) {
      tally.rows += 1
      if (isIn === isPossible) tally.certain += 1
    }
    if (isIn && !isPossible) throw new Error(`${JSON.stringify(asked)}: a row that matches and cannot match`)
    const isMatch = answerOf(filter, document)
    if (isMatch !== null && isIn === isPossible && isMatch !== isIn) {
      throw new Error(`${JSON.stringify(asked)} on ${JSON.stringify(document)}: ${isMatch}, not ${isIn}`)
    }
  }
}

describe('a filter over columns', () => {
  it('is certain of no row whose document says otherwise', () => {
    const given = fc.array(documents, { maxLength: 40 })
    fc.assert(
      fc.property(given, fc.array(filters, { minLength: 1, maxLength: 4 }), (all, asked) => {
        for (const one of asked) compare(all, one)
      }),
      { numRuns: 1000 },
    )
    expect(tally.certain / tally.rows).toBeGreaterThan(0.6)
  })

  it('knows a pattern beside an array, and a text that it has in part', () => {
    const pattern = { $regularExpression: { pattern: '.', options: '' } }
    compare([{ a: 'm'.repeat(260) }, { a: 'm' }, { a: [['a']] }, {}], { a: { $nin: [pattern, [['a']]] } })
  })

  it('compares true and false with each other', () => {
    const given = [{ a: true }, { a: false }, { a: [true, false] }, { a: 1 }, {}]
    for (const operator of ['$eq', '$gt', '$gte', '$lt', '$lte', '$ne']) {
      for (const value of [true, false]) compare(given, { a: { [operator]: value } })
    }
  })

  it('leaves long texts that begin alike to their documents', () => {
    const texts = [252, 253, 254, 256, 257, 258, 270, 300].flatMap((length) => [
      'm'.repeat(length),
      `${'m'.repeat(length - 1)}n`,
    ])
    const given = texts.map((a) => ({ a }))
    for (const text of texts) {
      for (const operator of ['$eq', '$gt', '$gte', '$lt', '$lte', '$ne']) compare(given, { a: { [operator]: text } })
      compare(given, { a: { $in: [text, 'm'] } })
      compare(given, { a: { $regex: `^${text}` } })
    }
  })

  it('leaves elements with a list of numbers to their documents, also under $not', () => {
    const odd = { $not: { $mod: [2, 0] } }
    compare([{ a: [{ b: [2, 4, 6] }] }, { a: [{ b: [1, 3, 5] }] }], { a: { $elemMatch: { b: odd } } })
  })

  it('knows which elements of an array lack a field', () => {
    const given = [{ a: [{ b: 1 }, {}] }, { a: [{}, { b: 1 }] }, { a: [{ b: 1 }, { b: 1 }] }]
    for (const asked of [null, { $ne: null }, { $exists: false }]) compare(given, { 'a.b': asked })
    compare(given, { a: { $elemMatch: { b: { $exists: false } } } })
  })

  it('knows which values belong to one element of an array, whichever of them lack a field', () => {
    const given = [{ a: [{ c: 1 }, { b: 2, c: 3 }] }, { a: [{ b: 2, c: 1 }, { c: 3 }] }, { a: [{ b: 2 }, { c: 1 }] }]
    for (const c of [1, 3, null]) compare(given, { a: { $elemMatch: { b: 2, c } } })
  })
})
