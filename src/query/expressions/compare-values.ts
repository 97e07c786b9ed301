import type { ExpressionEnvironment, ExpressionValue } from '../ast/expression.ts'
import { typeRank } from '../values/bson-type.ts'
import { compareBson } from '../values/compare-bson.ts'
import { compareText } from '../values/compare-text.ts'
import { isArrayValue, isPlainObject, type ObjectValue } from './read-value.ts'
import { recordInstant } from './record-instant.ts'
import { spend, stepsForText } from './work-meter.ts'

/** Compares two values within the work limit of an expression. */
export type CompareValues = (a: ExpressionValue, b: ExpressionValue) => number

/**
 * Makes the comparison of expressions: BSON order, in which missing is less than null. A date and the text of an instant as
 * records keep it compare as instants, because that text is how a JSON document has dates.
 */
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

function compareArrays(a: readonly ExpressionValue[], b: readonly ExpressionValue[], compare: CompareValues): number {
  const shared = Math.min(a.length, b.length)
  for (let index = 0; index < shared; index++) {
    const order = compare(a[index], b[index])
    if (order !== 0) return order
  }
  return a.length - b.length
}

/** Field by field: the type of the value, then the name, then the value. */
function compareObjects(a: ObjectValue, b: ObjectValue, compare: CompareValues): number {
  const keysA = Object.keys(a)
  const keysB = Object.keys(b)
  const shared = Math.min(keysA.length, keysB.length)
  for (let index = 0; index < shared; index++) {
    const keyA = keysA[index] as string
    const keyB = keysB[index] as string
    const order = typeRank(a[keyA]) - typeRank(b[keyB]) || compareText(keyA, keyB) || compare(a[keyA], b[keyB])
    if (order !== 0) return order
  }
  return keysA.length - keysB.length
}

function compareInstants(a: ExpressionValue, b: ExpressionValue): number | null {
  if (a instanceof Date === b instanceof Date) return null
  const [instantA, instantB] = [recordInstant(a), recordInstant(b)]
  return instantA === null || instantB === null ? null : instantA.getTime() - instantB.getTime()
}
