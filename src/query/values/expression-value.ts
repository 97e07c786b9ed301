import type { Json } from '../../kernel/json.ts'
import type { TextPattern } from '../ast/expression.ts'

/** Value of an expression: JSON, and what only exists while it runs. `undefined` is a missing field, which is not null. */
export type ExpressionValue =
  | Json
  | Date
  | CompiledPattern
  | undefined
  | readonly ExpressionValue[]
  | { readonly [key: string]: ExpressionValue }

/** A pattern that is ready to run; equality of patterns is by source and flags. */
export interface CompiledPattern {
  readonly pattern: TextPattern
  /** Size, limited so that one query cannot bring too many large ones. */
  readonly size: number
  /** The literal text that every match starts with when the pattern is anchored and case-sensitive, else empty. */
  readonly literalPrefix: string
  /** True when the pattern is nothing but its literal prefix (`^abc`), so that a prefix range answers it exactly. */
  readonly isLiteralPrefix: boolean
  test(text: string): boolean
  /** Finds the first match that starts at `from` or later, counted in UTF-16 units; null when there is none. */
  find(text: string, from: number): TextMatch | null
}

export interface TextMatch {
  /** In UTF-16 units from the start of the text. */
  readonly index: number
  readonly text: string
  /** Text of each group, in order; null for a group that took no part. */
  readonly captures: readonly (string | null)[]
}

/** Marks the objects that are compiled patterns; a symbol, so that no JSON document can pretend to be one. */
export const COMPILED_PATTERN: unique symbol = Symbol('compiled pattern')

/** Tells a regular expression from the other values that an expression can hold. */
export function isCompiledPattern(value: unknown): value is CompiledPattern {
  return typeof value === 'object' && value !== null && COMPILED_PATTERN in value
}
