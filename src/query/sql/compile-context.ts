import type { Selection } from './selection.ts'
import type { SqlDialect } from './sql-dialect.ts'
import type { SqlFragment } from './sql-fragment.ts'

/** How the leaf index holds one path of a collection. */
export interface IndexedPath {
  readonly number: number
  /** True when some document has values at the path that the index leaves out. */
  readonly partial: boolean
  /** True when some document has its values at the path in an array, perhaps several of them. */
  readonly several: boolean
}

/** What compiling needs to know of the store at hand. */
export interface CompileContext {
  readonly dialect: SqlDialect
  /** The numbers of the scopes that the asker sees; null: all. */
  readonly scopes: readonly number[] | null
  /** Every record of the collection that the asker sees. */
  readonly everything: Selection
  /** How the index holds a path of the collection; null when no document has a leaf there. */
  findPath(path: string): IndexedPath | null
  /** Counting the rows of a selection stops here: that many are broad. */
  readonly probeLimit: number
  /** Counts rows up to `probeLimit`. */
  countRows(rows: SqlFragment): number
}
