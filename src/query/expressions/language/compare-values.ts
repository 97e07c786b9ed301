import { compareArrays, compareBson, compareObjects, compareText } from '../../values/compare-bson.ts'
import type { ExpressionValue } from '../../values/expression-value.ts'
import { type ExpressionEnvironment, spend, stepsForText } from './environment.ts'
import { isArrayValue, isPlainObject, recordInstant } from './read-value.ts'

/** Compares two values within the work limit of an expression. */
export type CompareValues = (a: ExpressionValue, b: ExpressionValue) => number

/** Makes the comparison of expressions: BSON order, missing below null; dates and instants as records write them compare as instants. */
export function comparing(environment: ExpressionEnvironment, place: string): CompareValues {
  const compare: CompareValues = (a, b) => {
    spend(environment, 1, place)
    if (a === b) return 0
    if (a === undefined || b === undefined) return a === undefined ? -1 : 1
    if (isArrayValue(a) && isArrayValue(b)) return compareArrays(a, b, compare)
    if (isPlainObject(a) && isPlainObject(b)) return compareObjects(a, b, compare)
    if (typeof a === 'string' && typeof b === 'string') {
      spend(environment, stepsForText(Math.min(a.length, b.length)), place)
      return compareText(a, b)
    }
    return compareInstants(a, b) ?? compareBson(a, b)
  }
  return compare
}

function compareInstants(a: ExpressionValue, b: ExpressionValue): number | null {
  if (a instanceof Date === b instanceof Date) return null
  const [instantA, instantB] = [recordInstant(a), recordInstant(b)]
  return instantA === null || instantB === null ? null : instantA.getTime() - instantB.getTime()
}
