import { describe, expect, it } from 'vitest'
import type { Json } from '../../src/kernel/json.ts'
import { type ExpressionNode, pathsRead } from '../../src/query/ast/expression.ts'
import { rootContext } from '../../src/query/context.ts'
import { evaluate } from '../../src/query/expressions/evaluate.ts'
import { parseExpression } from '../../src/query/expressions/parse-expression.ts'
import { DEFAULT_QUERY_BOUNDS } from '../../src/query/plan.ts'
import { EXPRESSION_CASES } from '../cases/expression-cases.ts'

function parsed(expression: Json): ExpressionNode {
  return parseExpression(expression, rootContext(DEFAULT_QUERY_BOUNDS, 'query.$expr'))
}

describe('the paths that an expression reads', () => {
  it.each<[Json, readonly string[] | null]>([
    ['$a.b', ['a.b']],
    ['$$ROOT.a.b', ['a.b']],
    ['$$CURRENT.a', ['a']],
    [{ $add: ['$a', { $multiply: ['$b', '$a'] }, 1] }, ['a', 'b']],
    [{ x: ['$a', { y: '$b' }] }, ['a', 'b']],
    [{ $literal: ['$a', { $eq: '$b' }] }, []],
    [{ $map: { input: '$list', in: { $add: ['$$this.x', '$y'] } } }, ['list', 'y']],
    [{ $let: { vars: { a: '$b' }, in: '$$a.c' } }, ['b']],
    [{ $getField: { field: 'x', input: '$a' } }, ['a']],
    [{ $getField: 'x' }, null],
    [{ $eq: ['$a', '$$ROOT'] }, null],
    [{ $setField: { field: 'x', input: '$$CURRENT', value: 1 } }, null],
    [{ $regexMatch: { input: '$a', regex: '$b' } }, ['a', 'b']],
    [{ $cond: ['$a', '$b', '$c'] }, ['a', 'b', 'c']],
  ])('of %j are %j', (expression, paths) => {
    expect(pathsRead(parsed(expression))?.map((parts) => parts.join('.')) ?? null).toEqual(paths)
  })

  it('are all that its answer depends on', () => {
    let told = 0
    for (const { name, expression, document } of Object.values(EXPRESSION_CASES).flat()) {
      const node = parsed(expression)
      const paths = pathsRead(node)
      if (paths === null) continue
      const names = new Set(paths.map(([first]) => first))
      const seen = Object.fromEntries(Object.entries(document).filter(([field]) => names.has(field)))
      expect(evaluate(node, seen), name).toEqual(evaluate(node, document))
      told += 1
    }
    expect(told).toBeGreaterThan(250)
  })
})
