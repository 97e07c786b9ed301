import { describe, expect, expectTypeOf, it } from 'vitest'
import { AppError } from '../../src/kernel/errors.ts'
import type { Json, JsonObject } from '../../src/kernel/json.ts'
import type { ExprNode, FilterNode } from '../../src/query/ast/filter.ts'
import { evaluate } from '../../src/query/expressions/evaluate.ts'
import { parseProjection } from '../../src/query/fields/parse-projection.ts'
import { projectDocument } from '../../src/query/fields/project-document.ts'
import { matches } from '../../src/query/filter/match.ts'
import { parseFilter } from '../../src/query/filter/parse-filter.ts'
import { compareSortKeys, sortKeyOf } from '../../src/query/order/sort-key.ts'
import { DEFAULT_QUERY_BOUNDS, type QueryPlan } from '../../src/query/plan.ts'
import { EXPRESSION_CASES } from '../cases/expression-cases.ts'
import { expressionCostCases, expressionFailureCases } from '../cases/expression-refusals.cases.ts'
import { fieldsCases, fieldsFailureCases } from '../cases/fields.cases.ts'
import { FILTER_CASES } from '../cases/filter-cases.ts'
import { sortCases } from '../cases/sort.cases.ts'
import { planOf } from '../support/plans.ts'

/**
 * The functions that a type can hold, followed this many levels deep: more than lie between a plan and any of its kinds of nodes, which
 * hold each other again.
 */
type FunctionsIn<T, Level extends readonly unknown[] = []> = Level['length'] extends 12
  ? never
  : T extends (...args: never[]) => unknown
    ? T
    : T extends Date | bigint | string | number | boolean | null | undefined
      ? never
      : T extends ReadonlyMap<infer Key, infer Value>
        ? FunctionsIn<Key | Value, [...Level, 1]>
        : T extends readonly (infer Item)[]
          ? FunctionsIn<Item, [...Level, 1]>
          : T extends object
            ? { [Name in keyof T]-?: FunctionsIn<T[Name], [...Level, 1]> }[keyof T]
            : never

/** The plan as it arrives in another thread. What it had beside plain data would be missing from it, or not be sent at all. */
function sent(query: Json, projection: Json = {}): QueryPlan {
  const plan = planOf('c', query, projection)
  const arrived = structuredClone(plan)
  expect(arrived).toStrictEqual(plan)
  return arrived
}

function sentExpression(expression: Json): ExprNode {
  const { filter } = sent({ $expr: expression })
  if (filter.kind !== 'expr') throw new Error('the expression became another filter')
  return filter
}

function fieldsOf({ fields, filter }: QueryPlan, document: JsonObject): JsonObject {
  if (fields === null) throw new Error('the fields were lost')
  return projectDocument(document, fields, filter)
}

function errorOf(run: () => unknown): Pick<AppError, 'code' | 'message' | 'data'> {
  try {
    run()
  } catch (error) {
    if (error instanceof AppError) return { code: error.code, message: error.message, data: error.data }
    throw error
  }
  throw new Error('nothing was refused')
}

describe('a plan', () => {
  it('has no place for a function', () => {
    expectTypeOf<FunctionsIn<{ readonly filter: FilterNode; readonly rank: (a: string) => number }>>().not.toBeNever()
    expectTypeOf<FunctionsIn<QueryPlan>>().toBeNever()
  })
})

describe('a plan that was sent to another thread', () => {
  it.each(Object.entries(FILTER_CASES))('selects the same: %s', (_, cases) => {
    for (const { documents, filter, selects, name } of cases) {
      const plan = sent(filter)
      const selected = Object.keys(documents).filter((each) => matches(plan.filter, documents[each] ?? {}))
      expect(selected.toSorted(), name).toEqual(selects.toSorted())
    }
  })

  it.each(Object.entries(EXPRESSION_CASES))('computes the same: %s', (_, cases) => {
    for (const { expression, document, name } of cases) {
      const here = parseFilter({ $expr: expression }) as ExprNode
      const there = sentExpression(expression)
      expect(evaluate(there.expression, document), name).toEqual(evaluate(here.expression, document))
    }
  })

  it.each([...expressionFailureCases, ...expressionCostCases])('fails in the same words: %s', (_, expression) => {
    const document = { text: 'x', list: [1], zero: 0 }
    const here = parseFilter({ $expr: expression }) as ExprNode
    const there = sentExpression(expression)
    expect(errorOf(() => evaluate(there.expression, document))).toEqual(
      errorOf(() => evaluate(here.expression, document)),
    )
  })

  it('carries the same fields', () => {
    for (const { document, fields, gives, filter = {}, name } of fieldsCases) {
      const plan = sent(filter, { fields })
      expect(plan.fields === null ? document : fieldsOf(plan, document), name).toEqual(gives)
    }
    for (const { document, fields, filter, code } of fieldsFailureCases) {
      expect(errorOf(() => fieldsOf(sent(filter, { fields }), document)).code).toBe(code)
    }
  })

  it('gives the same order', () => {
    for (const { documents, sort: asked, order, name } of sortCases) {
      const { sort } = sent({}, { sort: asked })
      const keyed = Object.entries(documents).map(([each, document]) => ({ each, key: sortKeyOf(document, sort) }))
      const sorted = keyed.toSorted((a, b) => compareSortKeys(a.key, b.key, sort))
      expect(
        sorted.map(({ each }) => each),
        name,
      ).toEqual(order)
    }
  })

  it('keeps its scope and its page', () => {
    const asked = parseProjection({ sort: { a: -1 }, limit: 4, skip: 3 }, DEFAULT_QUERY_BOUNDS, 'projection')
    expect(sent({ name: { $regex: '^Si' } }, { sort: { a: -1 }, limit: 4, skip: 3 })).toMatchObject({
      ...asked,
      collection: 'c',
      scope: { kind: 'account', accountId: 'owner' },
    })
  })
})
