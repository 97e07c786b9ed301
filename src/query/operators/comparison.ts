import type { Json } from '../../kernel/json.ts'
import type { ComparisonNode, ComparisonOperator, PredicateOf } from '../ast/filter.ts'
import { parseLiteral } from '../parse/parse-literal.ts'
import type { ValueTest } from '../paths/path-walk.ts'
import { typeRank } from '../values/bson-type.ts'
import { compareBson } from '../values/compare-bson.ts'
import type { Operator } from './operator.ts'

/** Makes an operator of order. Only values of the operand's own type are compared; null bounds find missing fields too. */
export function comparison<O extends ComparisonOperator>(operator: O, holds: (order: number) => boolean): Operator<O> {
  return {
    parse: (operand, context) => ({ operator, value: parseLiteral(operand, context) }) as PredicateOf<O>,
    compile: (predicate, spot) => spot.elements(orderTest(operandOf(predicate), holds)),
  }
}

function orderTest(operand: Json, holds: (order: number) => boolean): ValueTest {
  // NaN is only equal to NaN, which no JSON document holds.
  if (Number.isNaN(operand)) return () => false
  if (typeof operand === 'number')
    return (value) => typeof value === 'number' && holds(value === operand ? 0 : value - operand)
  const rank = typeRank(operand)
  return (value) => typeRank(value) === rank && holds(compareBson(value, operand))
}

/** TypeScript does not see through `PredicateOf` of an operator that is still open. */
function operandOf(predicate: ComparisonNode): Json {
  return predicate.value
}
