import type { Json, JsonObject } from '../../kernel/json.ts'
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
  | { readonly kind: 'path'; readonly variable: string; readonly parts: readonly string[]; readonly place: string }
  | {
      readonly kind: 'object'
      readonly fields: readonly (readonly [string, ExpressionNode])[]
      readonly place: string
    }
  | { readonly kind: 'array'; readonly items: readonly ExpressionNode[]; readonly place: string }
  /** A call: `evaluate` is bound when the query is parsed, so that running it looks nothing up. */
  | { readonly kind: 'call'; readonly operator: string; readonly evaluate: ExpressionEvaluator }

/** An operator with its arguments, ready to run. */
export type ExpressionEvaluator = (environment: ExpressionEnvironment) => ExpressionValue

/** What an expression can see and use up while it runs over one document. */
export interface ExpressionEnvironment {
  readonly root: JsonObject
  /** The innermost variable in scope; null where there are only the document's own, `ROOT` and `CURRENT`. */
  readonly variables: ExpressionVariable | null
  /** Work done so far over this document; shared by all scopes. */
  readonly meter: { spent: number }
}

/** One variable, and the scope around it. */
export interface ExpressionVariable {
  readonly name: string
  readonly value: ExpressionValue
  readonly outer: ExpressionVariable | null
}
