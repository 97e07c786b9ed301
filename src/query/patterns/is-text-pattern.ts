import type { TextPattern } from '../ast/text-pattern.ts'

/** Marks the objects that are patterns; a symbol, so that no JSON document can pretend to be one. */
export const TEXT_PATTERN: unique symbol = Symbol('text pattern')

/** Tells a regular expression from the other values that an expression can hold. */
export function isTextPattern(value: unknown): value is TextPattern {
  return typeof value === 'object' && value !== null && TEXT_PATTERN in value
}
