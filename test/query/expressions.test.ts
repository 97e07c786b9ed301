import { readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import type { Json, JsonObject } from '../../src/kernel/json.ts'
import type { ExpressionValue } from '../../src/query/ast/expression.ts'
import { DEFAULT_QUERY_BOUNDS } from '../../src/query/bounds.ts'
import { evaluate } from '../../src/query/expressions/evaluate.ts'
import { parseExpression } from '../../src/query/expressions/parse-expression.ts'
import { REFUSED_EXPRESSIONS } from '../../src/query/expressions/refused.ts'
import { EXPRESSION_OPERATORS } from '../../src/query/expressions/registry.ts'
import { rootContext } from '../../src/query/parse/parse-context.ts'
import { EXPRESSION_CASES } from '../cases/expression-cases.ts'

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
    expect(rows.toSorted()).toEqual([...EXPRESSION_OPERATORS.keys()].toSorted())
  })

  it('have 250 cases with names of their own', () => {
    expect(new Set(allCases.map(({ name }) => name)).size).toBe(allCases.length)
    expect(allCases.length).toBeGreaterThanOrEqual(250)
  })
})
