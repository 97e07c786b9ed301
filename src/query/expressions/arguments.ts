import type { ExpressionValue } from '../values/expression-value.ts'
import type { CallSite } from './call-site.ts'
import { isArrayValue, isNullish, isPlainObject, type ObjectValue, typeName } from './read-value.ts'

/** Insists on a number. `what` names the argument in the message. */
export function numberFrom(value: ExpressionValue, site: CallSite, what = 'argument'): number {
  if (typeof value === 'number') return value
  throw site.fail(`needs a number as ${what}, given ${describe(value)}`)
}

/** Insists on a whole number that is held exactly. */
export function integerFrom(value: ExpressionValue, site: CallSite, what = 'argument'): number {
  if (Number.isSafeInteger(value)) return value as number
  throw site.fail(`needs an integer as ${what}, given ${describe(value)}`)
}

/** Insists on a whole number of at least `least`. */
export function countFrom(value: ExpressionValue, least: number, site: CallSite, what: string): number {
  const count = integerFrom(value, site, what)
  if (count >= least) return count
  throw site.fail(`needs an integer of at least ${least} as ${what}, given ${count}`)
}

/** Insists on a string. */
export function textFrom(value: ExpressionValue, site: CallSite, what = 'argument'): string {
  if (typeof value === 'string') return value
  throw site.fail(`needs a string as ${what}, given ${describe(value)}`)
}

/** Insists on an array. */
export function arrayFrom(value: ExpressionValue, site: CallSite, what = 'argument'): readonly ExpressionValue[] {
  if (isArrayValue(value)) return value
  throw site.fail(`needs an array as ${what}, given ${describe(value)}`)
}

/** Insists on an object. */
export function objectFrom(value: ExpressionValue, site: CallSite, what = 'argument'): ObjectValue {
  if (isPlainObject(value)) return value
  throw site.fail(`needs an object as ${what}, given ${describe(value)}`)
}

/**
 * Reads arguments in turn; null as soon as one is null or missing: what stands behind it is not even computed. What stands before
 * it must be right.
 */
export function readUntilNull<T>(
  values: Iterable<ExpressionValue>,
  read: (value: ExpressionValue) => T,
): readonly T[] | null {
  const all: T[] = []
  for (const value of values) {
    if (isNullish(value)) return null
    all.push(read(value))
  }
  return all
}

/** Says what a value is without quoting it: documents may be large. */
export function describe(value: ExpressionValue): string {
  if (value === undefined) return 'a missing field'
  if (typeof value === 'number') return `the number ${value}`
  const name = typeName(value)
  return name === 'null' ? 'null' : `a value of type ${name}`
}
