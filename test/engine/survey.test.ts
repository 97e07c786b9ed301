import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { evenEdges } from '../../src/engine/bins.ts'
import { type SurveyQuestion, spendWithin, wasEnded } from '../../src/engine/count-records.ts'
import { facetCounter, MOST_DISTINCT } from '../../src/engine/facet-counts.ts'
import { addKindsIn, addPathsOf } from '../../src/engine/field-kinds.ts'
import { columnsOfFilter, columnsOfPath } from '../../src/engine/needed-columns.ts'
import { surveyRecords } from '../../src/engine/survey-records.ts'
import { readVectorText, vectorText } from '../../src/kernel/bytes.ts'
import { AppError } from '../../src/kernel/errors.ts'
import type { Json, JsonObject } from '../../src/kernel/json.ts'
import type { FieldPath, FilterNode } from '../../src/query/ast/filter.ts'
import type {
  BinScale,
  BinsFound,
  FacetsFound,
  FieldKind,
  FieldsFound,
  NearestFound,
  PointsFound,
  Scalar,
  ValuesFound,
} from '../../src/query/ast/survey.ts'
import { matches } from '../../src/query/filter/match.ts'
import { parseFilter } from '../../src/query/filter/parse-filter.ts'
import { DEFAULT_QUERY_BOUNDS } from '../../src/query/plan.ts'
import { compareBson } from '../../src/query/values/compare-bson.ts'
import { paths } from '../support/arbitraries.ts'
import { filters } from '../support/arbitrary-filters.ts'
import { drive, type Entry, entries, sourcesOf, unlessRefused, type World, worldOf } from './support/world.ts'

const EVERYTHING = parseFilter({}, DEFAULT_QUERY_BOUNDS)

function pathOf(text: string): FieldPath {
  return { text, parts: text.split('.') }
}

const IN_TIME = { budgetMs: 1000 }

function questionOf(given: readonly Entry[], filter: FilterNode, paths: readonly string[]): [World, SurveyQuestion] {
  const world = worldOf(given, new Set([...columnsOfFilter(filter), ...paths]))
  return [world, { ...sourcesOf(world, filter), isOver: () => false, pathsIn: () => paths }]
}

function facetOf(world: World, question: SurveyQuestion, facet: { by: 'values'; limit: number }, path: FieldPath) {
  const survey = { kind: 'facets', facets: [{ ...facet, path }], ...IN_TIME } as const
  const { facets, ...rest } = drive(world, surveyRecords(question, survey)) as FacetsFound
  return { ...rest, ...(facets[0] as ValuesFound) }
}

function binsOf(world: World, question: SurveyQuestion, scale: BinScale, path: FieldPath): BinsFound {
  const survey = { kind: 'facets', facets: [{ by: 'bins', bins: 5, scale, path }], ...IN_TIME } as const
  return (drive(world, surveyRecords(question, survey)) as FacetsFound).facets[0] as BinsFound
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
  const asked = unlessRefused(() => questionOf(given, filter, columnsOfPath(path)))
  if (asked instanceof AppError) return
  const [world, question] = asked
  const lists = unlessRefused(() => valuesOf(world, filter, path))
  if (lists instanceof AppError) return
  const counts = new Map<Scalar, number>()
  for (const list of lists) for (const value of list) counts.set(value, (counts.get(value) ?? 0) + 1)
  const values = [...counts].map(([value, count]) => ({ value, count }))
  values.sort((a, b) => b.count - a.count || compareBson(a.value, b.value))
  const records = lists.length
  const without = lists.filter(({ length }) => length === 0).length
  expect(facetOf(world, question, { by: 'values', limit: 3 }, path)).toMatchObject({
    values: values.slice(0, 3),
    distinct: values.length,
    records,
    without,
    exact: true,
  })
  for (const scale of ['linear', 'log', 'quantile'] as const) compareBins(binsOf(world, question, scale, path), lists)
}

function compareBins({ edges, counts, without, scale }: BinsFound, lists: readonly (readonly Scalar[])[]): void {
  const all = lists.flat().flatMap((value) => (typeof value === 'number' ? [value + 0] : []))
  const numbers = scale === 'log' ? all.filter((number) => number > 0) : all
  const isSingle = numbers.length > 0 && Math.min(...numbers) === Math.max(...numbers)
  if (numbers.length === 0) expect(edges).toEqual([])
  else if (!isSingle) expect([edges[0], edges.at(-1)]).toEqual([Math.min(...numbers), Math.max(...numbers)])
  expect(edges.every((edge, at) => at === 0 || edge > (edges[at - 1] as number))).toBe(true)
  expect(edges.length).toBeLessThanOrEqual(6)
  const bins = edges.slice(1).map((to, bin) => (value: Scalar) => {
    const isLast = bin === edges.length - 2
    return typeof value === 'number' && value >= (edges[bin] as number) && (value < to || (isLast && value === to))
  })
  expect(counts).toEqual(bins.map((isIn) => lists.filter((list) => list.some(isIn)).length))
  expect(without).toBe(lists.filter((list) => !list.some((value) => bins.some((isIn) => isIn(value)))).length)
}

describe('facets over segments and tail', () => {
  it('count the values that documents have, each record once for each, and once for a bin', () => {
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
    const [world, question] = questionOf(given, EVERYTHING, ['a'])
    expect(facetOf(world, question, { by: 'values', limit: 10 }, pathOf('a'))).toEqual({
      kind: 'facets',
      path: 'a',
      values: [
        { value: 'a', count: 3 },
        { value: 'b', count: 2 },
        { value: null, count: 1 },
        { value: 'm'.repeat(300), count: 1 },
      ],
      distinct: 4,
      records: 7,
      without: 1,
      exact: true,
    })
  })

  it('of a log scale have bins of one ratio, of quantiles as many records in each', () => {
    const given = Array.from({ length: 1024 }, (_, at): Entry => {
      return { document: { a: 2 ** (at / 128) }, home: 0, place: at % 2 === 0 ? 0 : 'tail', isReplaced: false }
    })
    const [world, question] = questionOf(given, EVERYTHING, ['a'])
    const ratios = binsOf(world, question, 'log', pathOf('a')).edges.map(
      (edge, at, all) => edge / (all[at - 1] ?? edge),
    )
    for (const ratio of ratios.slice(1)) expect(ratio).toBeCloseTo(ratios[1] as number, 9)
    const { counts } = binsOf(world, question, 'quantile', pathOf('a'))
    expect([Math.min(...counts), Math.max(...counts)]).toEqual([204, 205])
  })

  it('tell as many different values apart as they may, and of one more none', () => {
    const counter = facetCounter({ by: 'values', path: pathOf('a'), limit: 1 }, () => {})
    const add = (values: readonly Json[]) => {
      for (const a of values) counter.addDocument({ a })
    }
    add(Array.from({ length: MOST_DISTINCT }, (_, value) => value))
    add([7])
    expect(counter.found()).toEqual({
      path: 'a',
      values: [{ value: 7, count: 2 }],
      distinct: MOST_DISTINCT,
      without: 0,
    })
    add([-1, []])
    expect(counter.found()).toEqual({ path: 'a', values: [], distinct: null, without: 1 })
  })

  it('tell what was counted until their time was up', () => {
    const given = [0, 1, 2].flatMap((place) =>
      [1, 2].map((a): Entry => ({ document: { a }, home: 0, place: place as 0 | 1 | 2, isReplaced: false })),
    )
    const [world, question] = questionOf(given, EVERYTHING, ['a'])
    let looks = 0
    const isOver = () => ++looks > 2
    const found = facetOf(world, { ...question, isOver }, { by: 'values', limit: 10 }, pathOf('a'))
    expect([found.exact, found.records, found.values.map(({ count }) => count)]).toEqual([false, 4, [2, 2]])
  })
})

describe('points over segments and tail', () => {
  const given = Array.from({ length: 40 }, (_, at): Entry => {
    const document = at === 7 ? { x: at } : { x: at, y: [[at], -at, 1], c: at % 2 === 0 ? 'even' : 'odd' }
    return { document, home: 0, place: ([0, 1, 'tail'] as const)[at % 3] ?? 0, isReplaced: at === 9 }
  })
  const ask = (limit: number) => {
    const [world, question] = questionOf(given, EVERYTHING, ['x', 'y', 'c'])
    const survey = { kind: 'points', x: pathOf('x'), y: pathOf('y'), color: pathOf('c'), limit, ...IN_TIME } as const
    return drive(world, surveyRecords(question, survey)) as PointsFound
  }

  it('are of all records that have both numbers', () => {
    const { x, y, color, records, exact } = ask(100)
    expect(records).toBe(39)
    expect(exact).toBe(true)
    expect([...x].sort((one, other) => one - other)).toEqual(
      Array.from({ length: 40 }, (_, at) => at).filter((at) => at !== 7 && at !== 9),
    )
    expect(y).toEqual(x.map((at) => (at === 0 ? 0 : -at)))
    expect(color).toEqual(x.map((at) => (at % 2 === 0 ? 'even' : 'odd')))
  })

  it('are no more than asked for, and say so', () => {
    const { x, exact, records } = ask(10)
    expect([x.length <= 10 && x.length >= 8, exact, records]).toEqual([true, false, 39])
  })
})

describe('the nearest over segments and tail', () => {
  const TO = [100, 200, 300]
  const vector = fc.array(fc.integer({ min: 0, max: 500 }), { minLength: 3, maxLength: 3 })
  const texts = vector.map((numbers) => vectorText(Uint16Array.from(numbers)))
  /** Mostly vectors, of which some are alike; and what else can stand at a path. */
  const values: fc.Arbitrary<Json> = fc.oneof(
    { weight: 8, arbitrary: texts },
    {
      weight: 3,
      arbitrary: fc.constantFrom(vectorText(Uint16Array.from([100, 201, 300])), 'AAAAAAA!', 'short', 7, null),
    },
    { weight: 1, arbitrary: fc.array(texts, { maxLength: 2 }) },
  )
  const given = fc.array(
    fc.record({
      f: values,
      k: fc.integer({ min: 0, max: 9 }),
      at: fc.constantFrom<0 | 1 | 'tail'>(0, 1, 'tail'),
      isReplaced: fc.boolean(),
    }),
    { maxLength: 60 },
  )

  it('are those of all that match, whatever holds them, by the greatest difference', () => {
    const asked = fc.record({
      limit: fc.integer({ min: 1, max: 8 }),
      within: fc.constantFrom(50, 0xffff),
      k: fc.integer({ min: 0, max: 9 }),
    })
    fc.assert(fc.property(given, asked, compareNearest), { numRuns: 400 })
  })

  function compareNearest(
    rows: readonly { f: Json; k: number; at: 0 | 1 | 'tail'; isReplaced: boolean }[],
    { limit, within, k }: { limit: number; within: number; k: number },
  ): void {
    const entries = rows.map(
      ({ f, k, at, isReplaced }): Entry => ({ document: { f, k, name: 'x' }, home: 0, place: at, isReplaced }),
    )
    const filter = parseFilter({ k: { $gte: k } }, DEFAULT_QUERY_BOUNDS)
    const [world, question] = questionOf(entries, filter, ['f', 'k'])
    const survey = {
      kind: 'nearest',
      path: pathOf('f'),
      to: TO,
      limit,
      within,
      take: ['f', 'k', 'none'],
      ...IN_TIME,
    } as const
    const { found, records, exact } = drive(world, surveyRecords(question, survey)) as NearestFound
    const matching = world.records.filter(({ document }) => matches(filter, document))
    expect([records, exact]).toEqual([matching.length, true])
    const expected = matching.flatMap(({ document, n }) => {
      const [text] = [document.f].flat().filter((value) => typeof value === 'string')
      const numbers = new Uint16Array(3)
      if (text === undefined || !readVectorText(Buffer.from(text), numbers, 0, 3)) return []
      const distance = Math.max(...TO.map((number, at) => Math.abs(number - (numbers[at] as number))))
      return distance <= within ? [{ distance, n, fields: { f: document.f, k: document.k } }] : []
    })
    expected.sort((one, other) => one.distance - other.distance || one.n - other.n)
    expect(found).toEqual(expected.slice(0, limit).map(({ distance, fields }) => ({ distance, fields })))
  }

  it('are told as far as there was time', () => {
    const entries = [0, 1].map(
      (place): Entry => ({
        document: { f: vectorText(Uint16Array.from(TO)) },
        home: 0,
        place: place as 0 | 1,
        isReplaced: false,
      }),
    )
    const [world, question] = questionOf(entries, EVERYTHING, ['f'])
    let looks = 0
    const survey = { kind: 'nearest', path: pathOf('f'), to: TO, limit: 5, within: 9, take: [], ...IN_TIME } as const
    const found = drive(world, surveyRecords({ ...question, isOver: () => ++looks > 1 }, survey)) as NearestFound
    expect(found).toMatchObject({ found: [{ distance: 0, fields: {} }], records: 1, exact: false })
  })
})

describe('fields over segments and tail', () => {
  it('are those that documents have', () => {
    fc.assert(fc.property(fc.array(entries, { maxLength: 20 }), compareFields), { numRuns: 200 })
  })

  it('are of no type that only a record had which is gone, where the two have their arrays at other places of the path', () => {
    compareFields([
      { document: { b: { a: [] } }, home: 1, place: 2, isReplaced: true },
      { document: { b: [{ a: 'a' }] }, home: 1, place: 2, isReplaced: false },
    ])
  })

  it('need few documents where each record has an array within an array, which its column does not tell from one on the way', () => {
    const given = Array.from({ length: 500 }, () => ({
      document: { a: [{ b: ['x'] }] },
      home: 1 as const,
      place: 2,
      isReplaced: false,
    }))
    const [world, question] = questionOf(given, EVERYTHING, ['a', 'a.b'])
    let read = 0
    const work = surveyRecords(question, { kind: 'fields', ...IN_TIME })
    const counted = (function* () {
      let step = work.next()
      for (; !step.done; step = work.next()) {
        read += step.value.places.length
        yield step.value
      }
      return step.value as FieldsFound
    })()
    const { fields, exact } = drive(world, counted)
    expect(fields.map(({ path, types }) => [path, types])).toEqual([
      ['a', ['array', 'object']],
      ['a.b', ['array', 'string']],
    ])
    expect([exact, read]).toEqual([true, 32])
  })

  it('are cut where they are more than are told of, and say so', () => {
    const wide = (fields: number): FieldsFound => {
      const document = Object.fromEntries(Array.from({ length: fields }, (_, at) => [`f${at}`, at]))
      const [world, question] = questionOf([{ document, home: 0, place: 'tail', isReplaced: false }], EVERYTHING, [])
      return drive(world, surveyRecords(question, { kind: 'fields', ...IN_TIME })) as FieldsFound
    }
    expect([wide(2000).fields.length, wide(2000).exact]).toEqual([2000, true])
    expect([wide(2001).fields.length, wide(2001).exact]).toEqual([2000, false])
  })
})

function compareFields(given: readonly Entry[]): void {
  const all = [...new Set(given.flatMap(({ document }) => pathsIn(document)))]
  const [world, question] = questionOf(given, EVERYTHING, all)
  const { fields, records, exact } = drive(
    world,
    surveyRecords(question, { kind: 'fields', ...IN_TIME }),
  ) as FieldsFound
  expect([records, exact]).toEqual([world.records.length, true])
  const expected = new Map<string, number>()
  for (const path of world.records.flatMap(({ document }) => pathsIn(document))) {
    expected.set(path, (expected.get(path) ?? 0) + 1)
  }
  expect(new Map(fields.map(({ path, count }) => [path, count]))).toEqual(expected)
  for (const { path, types, min, max } of fields) {
    const kinds = new Set<FieldKind>()
    for (const { document } of world.records) addKindsIn(document, path.split('.'), kinds)
    expect(kinds).toEqual(new Set([...kinds, ...types]))
    const numbers = valuesOf(world, EVERYTHING, pathOf(path)).flat()
    for (const bound of [min, max]) if (bound !== null) expect(numbers).toContain(bound)
  }
}

/** The paths that a query can name. */
function pathsIn(document: JsonObject): readonly string[] {
  const paths = new Set<string>()
  addPathsOf(document, paths)
  return [...paths].filter((path) => !path.split('.').includes('[]'))
}

describe('the time of a survey', () => {
  it('is looked at within a part of the records, and the work of that part ends when it is up', () => {
    let isUp = false
    let spent = 0
    const note = (steps: number): void => {
      spent += steps
    }
    const spend = spendWithin({ spend: note, isOver: () => isUp })
    for (let n = 0; n < 10; n++) spend(30_000)
    isUp = true
    const ended = (() => {
      try {
        for (let n = 0; n < 10; n++) spend(30_000)
      } catch (error) {
        return error
      }
      return null
    })()
    expect(wasEnded(ended)).toBe(true)
    expect(spent).toBeLessThanOrEqual(360_000)
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

describe('what facets count', () => {
  it('is told before it is done, by the values that there are: a field in which every record has its own is work', () => {
    const told = (names: readonly string[]): number => {
      const given = names.map((name): Entry => ({ document: { name }, home: 0, place: 0, isReplaced: false }))
      const [world, question] = questionOf(given, EVERYTHING, ['name'])
      let steps = 0
      const spend = (more: number): void => {
        steps += more
      }
      facetOf(world, { ...question, spend }, { by: 'values', limit: 1 }, pathOf('name'))
      return steps
    }
    const many = Array.from({ length: 500 }, (_, n) => `name ${n}`)
    expect(told(many) - told(many.map(() => 'the same'))).toBeGreaterThan(50 * many.length)
  })
})
