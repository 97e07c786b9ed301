import type { Json } from '../../kernel/json.ts'
import type { CompiledPattern } from '../patterns/compiled-pattern.ts'

/**
 * What an expression can compute: JSON, and the values that only exist while it runs. `undefined` is a missing field,
 * which expressions tell from null.
 */
export type ExpressionValue =
  | Json
  | Date
  | CompiledPattern
  | undefined
  | readonly ExpressionValue[]
  | { readonly [key: string]: ExpressionValue }
