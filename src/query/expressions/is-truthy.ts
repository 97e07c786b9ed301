import type { ExpressionValue } from '../values/expression-value.ts'

/** Tells whether a value counts as true: all do but false, null, missing and 0. NaN, "" and [] are true, as in MongoDB. */
export function isTruthy(value: ExpressionValue): boolean {
  return value !== false && value !== null && value !== undefined && value !== 0
}
