import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { AppError } from '../../src/kernel/errors.ts'
import { compileFilter } from '../../src/optimade/compile-filter.ts'
import { OPTIMADE_ERRORS } from '../../src/optimade/errors.ts'
import { STRUCTURE_PROPERTIES } from '../../src/optimade/properties.ts'
import { QUERY_ERRORS } from '../../src/query/errors.ts'
import { DEFAULT_QUERY_BOUNDS, planQuery } from '../../src/query/plan.ts'

const CODES = [...Object.values(OPTIMADE_ERRORS), QUERY_ERRORS.boundExceeded].map(({ code }) => code)

/** Compiles, or tells the code of the refusal; anything else is a fault and passes through. */
function outcome(text: string): number | 'compiled' {
  try {
    const { filter } = compileFilter(text, DEFAULT_QUERY_BOUNDS)
    const request = { filter, sort: [], fields: null, skip: 0, limit: 1 }
    const plan = planQuery(request, 'materials', { kind: 'public' })
    expect(structuredClone(plan)).toStrictEqual(plan)
    return 'compiled'
  } catch (error) {
    if (error instanceof AppError) return error.code
    throw error
  }
}

const names = fc.constantFrom(...STRUCTURE_PROPERTIES.keys(), '_exmpl_a', 'nested.name', 'nothing')
const values = fc.oneof(
  fc.string({ maxLength: 8 }).map((text) => `"${text.replace(/[\\"]/g, '\\$&')}"`),
  fc.integer({ min: -3, max: 300 }).map(String),
  fc.double({ noNaN: true, noDefaultInfinity: true, min: -1e6, max: 1e6 }).map(String),
  fc.constant('"2024-01-01T00:00:00Z"'),
)
const words = fc.constantFrom(
  ...[
    'AND',
    'OR',
    'NOT',
    'HAS',
    'ALL',
    'ANY',
    'ONLY',
    'LENGTH',
    'IS',
    'KNOWN',
    'UNKNOWN',
    'CONTAINS',
    'STARTS',
    'ENDS',
  ],
  ...['WITH', '(', ')', ',', ':', '.', '=', '!=', '<', '<=', '>', '>=', 'TRUE'],
)
const signs = fc.constantFrom('=', '!=', '<', '<=', '>', '>=')
const comparisons = fc.oneof(
  fc.tuple(names, signs, values).map((parts) => parts.join(' ')),
  fc.tuple(values, signs, names).map((parts) => parts.join('')),
  fc
    .tuple(names, fc.constantFrom('CONTAINS', 'STARTS', 'ENDS WITH', 'HAS', 'LENGTH'), values)
    .map((parts) => parts.join(' ')),
  fc
    .tuple(names, fc.constantFrom('HAS ALL', 'HAS ANY', 'HAS ONLY'), fc.array(values, { minLength: 1, maxLength: 3 }))
    .map(([name, operator, list]) => `${name} ${operator} ${list.join(',')}`),
  fc.tuple(names, fc.constantFrom('IS KNOWN', 'IS UNKNOWN')).map((parts) => parts.join(' ')),
)

describe('any text as a filter', () => {
  test('is compiled or refused by the catalogue, and what is compiled can cross threads', () => {
    const seen = new Set<number | 'compiled'>()
    const texts = fc.oneof(
      fc.string({ unit: 'binary', maxLength: 30 }),
      fc.array(fc.oneof(names, values, words), { maxLength: 12 }).map((tokens) => tokens.join(' ')),
      fc
        .array(fc.tuple(fc.constantFrom('', 'NOT '), comparisons), { minLength: 1, maxLength: 4 })
        .map((list) => list.map((parts) => parts.join('')).join(' AND ')),
    )
    fc.assert(
      fc.property(texts, (text) => {
        seen.add(outcome(text))
      }),
      { numRuns: 2000 },
    )
    expect([...seen].filter((code) => code !== 'compiled' && !CODES.includes(code))).toEqual([])
    expect(seen.has('compiled')).toBe(true)
  })

  test('means the same after two negations', () => {
    fc.assert(
      fc.property(comparisons, (text) => {
        expect(outcome(`NOT (NOT (${text}))`)).toBe(outcome(text))
      }),
    )
  })
})
