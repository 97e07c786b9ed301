import type { ExpressionValue } from '../values/expression-value.ts'
import { describe } from './arguments.ts'
import type { CallSite } from './call-site.ts'
import { isNullish } from './read-value.ts'

/** Reads what the older string operators take for text: strings, numbers and dates; null and missing are empty. */
export function coerceToText(value: ExpressionValue, site: CallSite): string {
  if (isNullish(value)) return ''
  if (typeof value === 'string') return value
  if (typeof value === 'number') return String(value)
  if (value instanceof Date) return value.toISOString()
  throw site.fail(`needs a string, given ${describe(value)}`)
}
