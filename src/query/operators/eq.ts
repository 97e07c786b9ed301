import type { Json } from '../../kernel/json.ts'
import { parseLiteral } from '../parse/parse-literal.ts'
import type { ValueTest } from '../paths/path-walk.ts'
import { compareBson } from '../values/compare-bson.ts'
import type { Operator } from './operator.ts'

/** Equal to the operand; null also finds missing fields. */
export const eq: Operator<'$eq'> = {
  parse: (operand, context) => ({ operator: '$eq', value: parseLiteral(operand, context) }),
  compile: ({ value }, spot) => spot.elements(equalTest(value)),
}

/** Tests equality with a fixed value; scalars, which are nearly all there is, without the general comparison. */
export function equalTest(operand: Json): ValueTest {
  if (operand === null) return (value) => value === null || value === undefined
  if (typeof operand === 'object') {
    return (value) => typeof value === 'object' && value !== null && compareBson(value, operand) === 0
  }
  // NaN equals itself, but no JSON document holds one.
  return (value) => value === operand
}
