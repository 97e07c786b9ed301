import type { Json } from '../../kernel/json.ts'
import type { TextPattern } from './text-pattern.ts'

/**
 * What an expression can compute: JSON, and the values that only exist while it runs. `undefined` is a missing field,
 * which expressions tell from null.
 */
export type ExpressionValue =
  | Json
  | Date
  | TextPattern
  | undefined
  | readonly ExpressionValue[]
  | { readonly [key: string]: ExpressionValue }

/** An aggregation expression after parsing. */
export type ExpressionNode =
  | { readonly kind: 'literal'; readonly value: ExpressionValue }
  /** `$a.b` (variable `CURRENT`), `$$ROOT.a`, `$$this.b`: the parts after the variable. */
  | { readonly kind: 'path'; readonly variable: string; readonly parts: readonly string[] }
  | { readonly kind: 'object'; readonly fields: readonly (readonly [string, ExpressionNode])[] }
  | { readonly kind: 'array'; readonly items: readonly ExpressionNode[] }
  /** A call: `evaluate` is bound when the query is parsed, so that running it looks nothing up. */
  | {
      readonly kind: 'call'
      readonly operator: string
      readonly evaluate: (environment: ExpressionEnvironment) => ExpressionValue
    }

/** The variables that an expression can see while it runs; `ROOT` and `CURRENT` are always there. */
export type ExpressionEnvironment = ReadonlyMap<string, ExpressionValue>
