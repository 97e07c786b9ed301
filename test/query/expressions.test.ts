import { readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { AppError } from '../../src/kernel/errors.ts'
import type { Json, JsonObject } from '../../src/kernel/json.ts'
import { rootContext } from '../../src/query/context.ts'
import { QUERY_ERRORS } from '../../src/query/errors.ts'
import { evaluate } from '../../src/query/expressions/evaluate.ts'
import { parseExpression } from '../../src/query/expressions/parse-expression.ts'
import { EXPRESSION_OPERATORS, REFUSED_EXPRESSIONS } from '../../src/query/expressions/registry.ts'
import { matches } from '../../src/query/filter/match.ts'
import { parseFilter } from '../../src/query/filter/parse-filter.ts'
import { DEFAULT_QUERY_BOUNDS } from '../../src/query/plan.ts'
import type { ExpressionValue } from '../../src/query/values/expression-value.ts'
import { EXPRESSION_CASES } from '../cases/expression-cases.ts'
import {
  expressionCostCases,
  expressionFailureCases,
  expressionRefusalCases,
} from '../cases/expression-refusals.cases.ts'

function compute(expression: Json, document: JsonObject = {}): ExpressionValue {
  return evaluate(parseExpression(expression, rootContext(DEFAULT_QUERY_BOUNDS, 'query.$expr')), document)
}

/** Dates become text, as they would in a document; the sign of 0 is not told. */
function asJson(value: ExpressionValue): Json | 'missing' {
  if (value === undefined) return 'missing'
  return JSON.parse(JSON.stringify(value))
}

const allCases = Object.values(EXPRESSION_CASES).flat()

for (const [group, cases] of Object.entries(EXPRESSION_CASES)) {
  describe(`expressions: ${group}`, () => {
    it.each(cases.map((each) => [each.name, each] as const))('%s', (_, { expression, document, gives }) => {
      const value = asJson(compute(expression, document))
      if (typeof gives === 'number') expect(value).toBeCloseTo(gives, 12)
      else expect(value).toEqual(gives)
    })
  })
}

describe('the expression operators', () => {
  const written = JSON.stringify(allCases.map(({ expression }) => expression))
  const reference = readFileSync(new URL('../../docs/reference/expressions.md', import.meta.url), 'utf8')

  it.each([...EXPRESSION_OPERATORS.keys()])('%s has a case and a row in the reference', (name) => {
    expect(written).toContain(`"${name}"`)
    expect(reference).toContain(`| \`${name}\` |`)
  })

  it.each([...REFUSED_EXPRESSIONS.keys()])('%s is refused with a reason, here and in the reference', (name) => {
    expect(EXPRESSION_OPERATORS.has(name)).toBe(false)
    expect(reference).toContain(`\`${name}\``)
  })

  it('are all that the reference has rows for', () => {
    const rows = [...reference.matchAll(/^\| `(\$\w+)` \|/gm)].map(([, name]) => name)
    const unknown = rows.filter((name = '') => !EXPRESSION_OPERATORS.has(name))
    expect(unknown, `no operator, and a row in docs/reference/expressions.md: ${unknown}`).toEqual([])
    expect(rows.toSorted()).toEqual([...EXPRESSION_OPERATORS.keys()].toSorted())
  })

  it('have 250 cases with names of their own', () => {
    expect(new Set(allCases.map(({ name }) => name)).size).toBe(allCases.length)
    expect(allCases.length).toBeGreaterThanOrEqual(250)
  })
})

function errorOf(run: () => unknown): { code: number; path: string | undefined } {
  try {
    run()
  } catch (error) {
    if (error instanceof AppError) return { code: error.code, path: error.data.path }
    throw error
  }
  throw new Error('nothing was refused')
}

describe('an expression is refused for', () => {
  it.each(expressionRefusalCases.map((each) => [each.name, each] as const))('%s', (_, { filter, code, path }) => {
    expect(errorOf(() => parseFilter(filter))).toEqual({ code, path })
  })
})

describe('an expression fails over a document for', () => {
  const document = { text: 'x', list: [1], zero: 0 }

  it.each(expressionFailureCases)('%s', (_, expression, path) => {
    expect(errorOf(() => compute(expression, document))).toEqual({
      code: QUERY_ERRORS.expressionFailed.code,
      path: `query.$expr${path}`,
    })
  })

  it.each(expressionCostCases)('%s, which is too much work', (_, expression, path) => {
    expect(errorOf(() => compute(expression, document))).toEqual({
      code: QUERY_ERRORS.expressionTooCostly.code,
      path: `query.$expr${path}`,
    })
  })
})

describe('an expression that wraps without end', () => {
  it('is refused when something walks what it made', () => {
    const wrapped = { $reduce: { input: { $range: [0, 50_000] }, initialValue: [], in: ['$$value'] } }
    expect(errorOf(() => compute({ $eq: [wrapped, wrapped] })).code).toBe(QUERY_ERRORS.expressionTooCostly.code)
  })
})

describe('an expression in a filter', () => {
  it('selects the documents for which it is true', () => {
    const filter = parseFilter({ $expr: { $gt: [{ $divide: ['$c', '$a'] }, 1.5] } })
    expect([{ a: 1, c: 2 }, { a: 2, c: 2 }, { a: 1 }].map((document) => matches(filter, document))).toEqual([
      true,
      false,
      false,
    ])
  })

  it('leaves no trace of one document in the next', () => {
    const filter = parseFilter({ $expr: { $eq: [{ $size: { $range: [0, 400_000] } }, 400_000] } })
    expect([{}, {}, {}, {}].map((document) => matches(filter, document))).toEqual([true, true, true, true])
  })

  it('bounds computed patterns document by document', () => {
    const regex = { $ifNull: ['$other', { $regularExpression: { pattern: '^(abc){200}', options: '' } }] }
    const filter = parseFilter({ $expr: { $regexMatch: { input: '$text', regex, options: 'i' } } })
    for (let n = 0; n < 100; n++) expect(matches(filter, { text: 'ABC'.repeat(200) })).toBe(true)
  })
})
