import type { LeafType, LeafValue } from '../../query/narrow/narrowing.ts'
import type { SqlDialect } from '../../query/sql/sql-dialect.ts'
import { sql } from '../../query/sql/sql-fragment.ts'

const TYPE_NUMBER: Readonly<Record<LeafType, number>> = { null: 0, number: 1, string: 2, boolean: 3 }
const TYPES_PER_PATH = 4

/** The first column of the leaf index: a path and a type in one number, types of a path in the order of BSON. */
export function pathTypeOf(path: number, type: LeafType): number {
  return path * TYPES_PER_PATH + TYPE_NUMBER[type]
}

/** The path of such a column. */
export function pathOfType(pathType: number): number {
  return Math.floor(pathType / TYPES_PER_PATH)
}

/** The first and the last key of a path, over all types. */
export function pathTypeRange(path: number): readonly [number, number] {
  return [path * TYPES_PER_PATH, path * TYPES_PER_PATH + TYPES_PER_PATH - 1]
}

/** The second column: SQLite has neither booleans nor a null that can be part of a key. */
export function storedLeafValue(value: LeafValue): number | string {
  if (value === null) return 0
  return typeof value === 'boolean' ? Number(value) : value
}

const VALUE = sql`value`

/** How SQLite keeps the leaf index. */
export const SQLITE_DIALECT: SqlDialect = {
  valueColumn: () => VALUE,
  storedValue: storedLeafValue,
  pathType: pathTypeOf,
  parameterLimit: 30_000,
  unionLimit: 200,
}
