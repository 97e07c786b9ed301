import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { Json, JsonObject } from '../../src/kernel/json.ts'
import { matches } from '../../src/query/match/matches.ts'
import { LEAF_STRING_LIMIT, partialPathsOf } from '../../src/query/narrow/leaves.ts'
import { narrow } from '../../src/query/narrow/narrow.ts'
import { parseFilter } from '../../src/query/parse/parse-filter.ts'
import { FILTER_CASES } from '../cases/filter-cases.ts'
import { narrowingHolds } from './narrowing-holds.ts'

const LONG = 'a'.repeat(LEAF_STRING_LIMIT - 3)

const scalar: fc.Arbitrary<Json> = fc.oneof(
  fc.constantFrom<Json>(null, true, false, 0, -0, 1, 2, 1.5, -1, 5000000000, '', 'a', 'ab', 'b', '0'),
  fc.constantFrom(LONG, `${LONG}é`, `${LONG}😀`, `${LONG}bcdef`, `${LONG.slice(1)}`, `${LONG.slice(2)}\ue000zzzz`),
)
const key = fc.constantFrom('a', 'b', '0', '1', '[]', 'c.d', '')
const { value, document } = fc.letrec<{ value: Json; document: JsonObject }>((tie) => ({
  value: fc.oneof(
    { depthSize: 'small', maxDepth: 4 },
    scalar,
    fc.array(tie('value'), { maxLength: 3 }),
    tie('document'),
  ),
  document: fc.dictionary(key, tie('value'), { maxKeys: 3 }),
}))

const path = fc
  .array(fc.constantFrom('a', 'b', '0', '1', '[]'), { minLength: 1, maxLength: 3 })
  .map((parts) => parts.join('.'))
const pattern = fc.constantFrom('^a', '^ab', '^', 'a', 'b$', '^a*', '^(a|b)', `^${LONG}`).map(($regex) => ({ $regex }))
const { filter } = fc.letrec<{ filter: Json; condition: Json; operators: Json }>((tie) => ({
  filter: fc.oneof(
    { maxDepth: 3, depthSize: 'small' },
    fc.tuple(path, tie('condition')).map(([name, condition]) => ({ [name]: condition })),
    fc
      .tuple(fc.constantFrom('$and', '$or', '$nor'), fc.array(tie('filter'), { minLength: 1, maxLength: 3 }))
      .map(([name, clauses]) => ({ [name]: clauses })),
  ),
  condition: fc.oneof(value, tie('operators'), tie('operators')),
  operators: fc
    .array(
      fc.oneof(
        { maxDepth: 3, depthSize: 'small' },
        fc.tuple(fc.constantFrom('$eq', '$ne', '$gt', '$gte', '$lt', '$lte'), fc.oneof(scalar, value)),
        fc.tuple(fc.constantFrom('$in', '$nin', '$all'), fc.array(value, { maxLength: 3 })),
        fc.tuple(fc.constant('$in'), fc.array(fc.oneof(value, pattern), { maxLength: 3 })),
        fc.tuple(fc.constant('$exists'), fc.boolean()),
        fc.tuple(
          fc.constant('$type'),
          fc.constantFrom('number', 'int', 'string', 'bool', 'null', 'array', 'object', 'date'),
        ),
        fc.tuple(fc.constant('$size'), fc.integer({ min: 0, max: 2 })),
        fc.tuple(fc.constant('$mod'), fc.constant([2, 0])),
        fc.tuple(fc.constant('$bitsAllSet'), fc.constant([0])),
        pattern.map((each) => ['$regex', each.$regex] as const),
        fc.tuple(fc.constant('$not'), tie('operators')),
        fc.tuple(fc.constant('$elemMatch'), fc.oneof(tie('operators'), tie('filter'))),
        fc.tuple(
          fc.constant('$all'),
          fc.array(
            tie('operators').map(($elemMatch) => ({ $elemMatch })),
            { minLength: 1, maxLength: 2 },
          ),
        ),
      ),
      { minLength: 1, maxLength: 2 },
    )
    .map((entries) => Object.fromEntries(entries) as Json),
}))

describe('narrow', () => {
  it('never loses a document, and is precise where it says so', () => {
    fc.assert(
      fc.property(filter, fc.array(document, { minLength: 1, maxLength: 8 }), (json, documents) => {
        fc.pre(isAccepted(json))
        const parsed = parseFilter(json)
        const narrowing = narrow(parsed)
        for (const each of documents) {
          const matched = matches(parsed, each)
          const held = narrowingHolds(narrowing, each)
          if (matched) expect(held).toBe(true)
          if (narrowing.exact && partialPathsOf(each).size === 0) expect(held).toBe(matched)
        }
      }),
      { numRuns: 3_000 },
    )
  })

  it('never loses a document of the cases', () => {
    for (const { name, documents, filter: json } of Object.values(FILTER_CASES).flat()) {
      const parsed = parseFilter(json)
      const narrowing = narrow(parsed)
      for (const each of Object.values(documents)) {
        const matched = matches(parsed, each)
        const held = narrowingHolds(narrowing, each)
        if (matched) expect(held, name).toBe(true)
        if (narrowing.exact && partialPathsOf(each).size === 0) expect(held, name).toBe(matched)
      }
    }
  })

  it.each<readonly [Json, object]>([
    [{}, { kind: 'all', exact: true }],
    [{ a: 1 }, { kind: 'leaf', path: 'a', type: 'number', exact: true }],
    [{ a: -0 }, { lower: { value: 0, inclusive: true }, upper: { value: 0, inclusive: true } }],
    [{ 'a.b': 'x' }, { kind: 'leaf', path: 'a.b', type: 'string', exact: true }],
    [{ a: { $gt: 1 } }, { lower: { value: 1, inclusive: false }, upper: null, exact: true }],
    [{ a: { $gt: null } }, { kind: 'none' }],
    [{ a: { $in: [] } }, { kind: 'none' }],
    [{ a: { $all: [] } }, { kind: 'none' }],
    [{ a: { $type: 'date' } }, { kind: 'none' }],
    [{ a: null }, { kind: 'all', exact: false }],
    [{ a: { $ne: 1 } }, { kind: 'all', exact: false }],
    [{ a: { $in: [1, 'x'] } }, { kind: 'or', exact: true, parts: [{ path: 'a' }, { path: 'a' }] }],
    [
      { a: 1, b: { $ne: 2 } },
      { kind: 'leaf', path: 'a', exact: false },
    ],
    [{ $or: [{ a: 1 }, { b: { $ne: 2 } }] }, { kind: 'all', exact: false }],
    [{ $and: [{ a: 1 }, { $and: [{ b: 1 }, { c: 1 }] }] }, { kind: 'and', exact: true, parts: [{}, {}, {}] }],
    [{ a: { $regex: '^Si' } }, { lower: { value: 'Si' }, upper: { value: 'Sj', inclusive: false }, exact: true }],
    [{ a: { $regex: '^Si[0-9]' } }, { lower: { value: 'Si' }, upper: { value: 'Sj' }, exact: false }],
    [{ a: { $regex: 'Si' } }, { kind: 'leaf', type: 'string', lower: null, upper: null, exact: false }],
    [{ a: { $regex: '^si', $options: 'i' } }, { kind: 'leaf', lower: null, exact: false }],
    [{ 'a.0.b': 1 }, { kind: 'or', exact: false, parts: [{ path: 'a.0.b' }, { path: 'a.b' }, { path: 'a.[].b' }] }],
    [{ 'a.0.1.2.3': 1 }, { kind: 'all', exact: false }],
    [{ a: { $elemMatch: { b: 1, c: 2 } } }, { kind: 'and', exact: false, parts: [{ path: 'a.b' }, { path: 'a.c' }] }],
    [
      { a: { $elemMatch: { $gt: 1, $lt: 5 } } },
      { kind: 'leaf', lower: { value: 1 }, upper: { value: 5 }, exact: false },
    ],
    [{ a: { $elemMatch: { $gt: 1, $lt: 'x' } } }, { kind: 'none' }],
    [{ a: { b: 1, c: ['x'] } }, { kind: 'and', exact: false, parts: [{ path: 'a.b' }, { path: 'a.c' }] }],
    [{ a: `${LONG}${LONG}` }, { kind: 'leaf', exact: false }],
    [{ a: '\ud800' }, { kind: 'all', exact: false }],
  ])('says of %j what the index can answer', (json, expected) => {
    expect(narrow(parseFilter(json))).toMatchObject(expected)
  })
})

function isAccepted(json: Json): boolean {
  try {
    parseFilter(json)
    return true
  } catch {
    return false
  }
}
