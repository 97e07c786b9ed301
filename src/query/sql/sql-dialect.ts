import type { LeafType, LeafValue } from '../narrow/narrowing.ts'
import type { SqlFragment, SqlValue } from './sql-fragment.ts'

/**
 * Where databases differ in what `compileNarrowing` writes. Both keep the leaf index as
 * `leaf(path_type, value, scope, n)`; placeholders are `?`, which a store that numbers them rewrites at the end.
 */
export interface SqlDialect {
  /** The column that holds values of the type. */
  valueColumn(type: LeafType): SqlFragment
  /** A value as the index stores it. */
  storedValue(value: LeafValue): SqlValue
  /** The key of a path's leaves of one type; ascending in the order of BSON types. */
  pathType(path: number, type: LeafType): number
  /** The most values that one statement can bind. */
  readonly parameterLimit: number
  /** The most selects that one UNION can join. */
  readonly unionLimit: number
}
