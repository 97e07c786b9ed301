import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import {
  countBins,
  countValues,
  evenEdges,
  findRange,
  type PathQuestion,
  type Scalar,
} from '../../src/engine/count-values.ts'
import { columnsOfFilter, columnsOfPath } from '../../src/engine/needed-columns.ts'
import { AppError } from '../../src/kernel/errors.ts'
import type { Json, JsonObject } from '../../src/kernel/json.ts'
import type { FieldPath, FilterNode } from '../../src/query/ast/filter.ts'
import { DEFAULT_QUERY_BOUNDS } from '../../src/query/bounds.ts'
import { matches } from '../../src/query/filter/match.ts'
import { parseFilter } from '../../src/query/filter/parse-filter.ts'
import { compareBson } from '../../src/query/values/compare-bson.ts'
import { paths } from '../support/arbitraries.ts'
import { filters } from '../support/arbitrary-filters.ts'
import { drive, type Entry, entries, sourcesOf, unlessRefused, type World, worldOf } from './support/world.ts'

const EVERYTHING = parseFilter({}, DEFAULT_QUERY_BOUNDS)

function pathOf(text: string): FieldPath {
  return { text, parts: text.split('.') }
}

function questionOf(given: readonly Entry[], filter: FilterNode, path: FieldPath): [World, PathQuestion] {
  const world = worldOf(given, new Set([...columnsOfFilter(filter), ...columnsOfPath(path)]))
  return [world, { ...sourcesOf(world, filter), path }]
}

/** All scalars that any document has anywhere. */
function scalarsIn(json: Json, found: Map<string, Scalar>): void {
  if (typeof json === 'object' && json !== null) for (const value of Object.values(json)) scalarsIn(value, found)
  else found.set(JSON.stringify(json), json)
}

/** Has the document this very value there, as the matcher sees it? A missing field equals null, but is none. */
function hasValue(document: JsonObject, path: FieldPath, value: Scalar): boolean {
  const equals: FilterNode = { kind: 'field', path, predicate: { operator: '$eq', value }, place: '' }
  if (value !== null) return matches(equals, document)
  const isNull: FilterNode = { kind: 'field', path, predicate: { operator: '$type', types: ['null'] }, place: '' }
  return matches(isNull, document)
}

/** The values of every document that matches, found by asking the matcher for each scalar that there is. */
function valuesOf(world: World, filter: FilterNode, path: FieldPath): readonly (readonly Scalar[])[] {
  return world.records.flatMap(({ document }) => {
    if (!matches(filter, document)) return []
    const scalars = new Map<string, Scalar>()
    scalarsIn(document, scalars)
    return [[...scalars.values()].filter((value) => hasValue(document, path, value))]
  })
}

function compare(given: readonly Entry[], filter: FilterNode, path: FieldPath): void {
  const asked = unlessRefused(() => questionOf(given, filter, path))
  if (asked instanceof AppError) return
  const [world, question] = asked
  const lists = unlessRefused(() => valuesOf(world, filter, path))
  if (lists instanceof AppError) return
  const counts = new Map<Scalar, number>()
  for (const list of lists) for (const value of list) counts.set(value, (counts.get(value) ?? 0) + 1)
  const values = [...counts].map(([value, count]) => ({ value, count }))
  values.sort((a, b) => compareBson(a.value, b.value))
  const records = lists.length
  const without = lists.filter(({ length }) => length === 0).length
  expect(drive(world, countValues(question, 1000))).toMatchObject({ values, records, without })
  if (values.length > 0) expect(drive(world, countValues(question, values.length - 1))).toBeNull()
  compareNumbers(world, question, lists)
}

function compareNumbers(world: World, question: PathQuestion, lists: readonly (readonly Scalar[])[]): void {
  const numbers = lists.flat().flatMap((value) => (typeof value === 'number' ? [value + 0] : []))
  const range = drive(world, findRange(question))
  expect(range).toEqual(numbers.length === 0 ? null : { least: Math.min(...numbers), most: Math.max(...numbers) })
  for (const edges of [[-1, 0, 1.5, 2], [0, 1], range === null ? [0, 1] : evenEdges(range, 5)]) {
    const bins = edges.slice(1).map((to, bin) => (value: Scalar) => {
      const isLast = bin === edges.length - 2
      return typeof value === 'number' && value >= (edges[bin] as number) && (value < to || (isLast && value === to))
    })
    const counts = bins.map((isIn) => lists.filter((list) => list.some(isIn)).length)
    const without = lists.filter((list) => !list.some((value) => bins.some((isIn) => isIn(value)))).length
    expect(drive(world, countBins(question, edges))).toMatchObject({ counts, records: lists.length, without })
  }
}

describe('values counted over segments and tail', () => {
  it('are those that documents have, each record once for each', () => {
    fc.assert(
      fc.property(fc.array(entries, { maxLength: 20 }), filters, paths, (given, asked, path) => {
        const filter = unlessRefused(() => parseFilter(asked, DEFAULT_QUERY_BOUNDS))
        for (const one of [EVERYTHING, filter]) if (!(one instanceof AppError)) compare(given, one, pathOf(path))
      }),
      { numRuns: 400 },
    )
  })

  it('are certain by columns, but for rows of which a column has not all values', () => {
    const texts = ['a', 'b', ['a', 'a', 'b'], null, {}, 'm'.repeat(300), [[1], 'a']]
    const given = texts.map((a): Entry => ({ document: { a }, home: 0, place: 0, isReplaced: false }))
    const [world, question] = questionOf(given, EVERYTHING, pathOf('a'))
    expect(drive(world, countValues(question, 10))).toEqual({
      values: [
        { value: null, count: 1 },
        { value: 'a', count: 3 },
        { value: 'b', count: 2 },
        { value: 'm'.repeat(300), count: 1 },
      ],
      records: 7,
      without: 1,
      byDocument: 1,
    })
  })
})

describe('edges of equal width', () => {
  it.each([
    [{ least: 0, most: 10 }, 4, [0, 2.5, 5, 7.5, 10]],
    [{ least: 3, most: 3 }, 2, [2.5, 3, 3.5]],
    [{ least: 2 ** 53, most: 2 ** 53 }, 2, [2 ** 53 - 8, 2 ** 53, 2 ** 53 + 8]],
    [{ least: 2 ** 53, most: 2 ** 53 + 2 }, 9, [2 ** 53, 2 ** 53 + 2]],
    [{ least: Number.MAX_VALUE, most: Number.MAX_VALUE }, 1, [Number.MAX_VALUE * (1 - 2 ** -50), Number.MAX_VALUE]],
    [{ least: -1.5e308, most: 1.5e308 }, 2, [-1.5e308, 0, 1.5e308]],
  ])('of %j in %i bins', (range, bins, edges) => {
    expect(evenEdges(range, bins)).toEqual(edges)
  })
})
