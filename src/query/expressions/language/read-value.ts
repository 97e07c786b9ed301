import { setOwnField } from '../../../kernel/json.ts'
import { bsonTypeOf, compareArrays, compareBson, compareObjects, compareText } from '../../values/compare-bson.ts'
import { type ExpressionValue, isCompiledPattern } from '../../values/expression-value.ts'
import { readInstant } from '../../values/extended-json.ts'
import { type ExpressionEnvironment, spend, stepsForText } from './environment.ts'

/** An object as expressions see it: fields may hold what only exists while an expression runs. */
export type ObjectValue = { readonly [key: string]: ExpressionValue }

/** Tells an object with fields from arrays, dates, patterns and scalars. */
export function isPlainObject(value: ExpressionValue): value is ObjectValue {
  return (
    typeof value === 'object' &&
    value !== null &&
    !Array.isArray(value) &&
    !(value instanceof Date) &&
    !isCompiledPattern(value)
  )
}

export function isArrayValue(value: ExpressionValue): value is readonly ExpressionValue[] {
  return Array.isArray(value)
}

/** Tells whether a value is null or missing, which most operators pass on as null. */
export function isNullish(value: ExpressionValue): value is null | undefined {
  return value === null || value === undefined
}

/** Reads a field that the object itself has. */
export function fieldOf(object: ObjectValue, key: string): ExpressionValue {
  return Object.hasOwn(object, key) ? object[key] : undefined
}

/** Makes an object of fields; of two with the same name the later value stands in the earlier place. */
export function objectOf<Value extends ExpressionValue>(
  fields: Iterable<readonly [string, Value]>,
): { readonly [key: string]: Value } {
  const object: Record<string, Value> = {}
  for (const [key, value] of fields) {
    // Expression values are stored like JSON; only the type is wider.
    setOwnField(object as Parameters<typeof setOwnField>[0], key, value as Parameters<typeof setOwnField>[2])
  }
  return object
}

/** Names the type of a value as MongoDB's `$type` does. */
export function typeName(value: ExpressionValue): string {
  return bsonTypeOf(value) ?? 'missing'
}

/** Tells whether a value counts as true: all do but false, null, missing and 0. NaN, "" and [] are true, as in MongoDB. */
export function isTruthy(value: ExpressionValue): boolean {
  return value !== false && value !== null && value !== undefined && value !== 0
}

/** Reads a date, or the text of an instant exactly as records keep it (ISO 8601 with milliseconds and Z); null for all else. */
export function recordInstant(value: ExpressionValue): Date | null {
  if (value instanceof Date) return value
  return typeof value === 'string' && value.length === 24 && readInstant(value) === value ? new Date(value) : null
}

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
