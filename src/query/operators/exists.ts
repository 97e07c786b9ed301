import type { Json } from '../../kernel/json.ts'
import { plainValue } from '../values/extended-json.ts'
import type { Operator } from './operator.ts'

/** The path reaches a value, or (operand false) it reaches none. */
export const exists: Operator<'$exists'> = {
  parse(operand, context) {
    const plain = plainValue(operand, context)
    const predicate = { operator: '$exists', exists: isTrueInMongo(plain) } as const
    return typeof plain === 'string' ? { ...predicate, written: plain } : predicate
  },
  compile(predicate, spot) {
    const reaches = spot.elements((value) => value !== undefined)
    return predicate.exists ? reaches : (input) => !reaches(input)
  },
}

/** MongoDB's truth: all but false, null and zero; the empty string is true. */
function isTrueInMongo(operand: Json): boolean {
  return operand !== false && operand !== null && operand !== 0
}
