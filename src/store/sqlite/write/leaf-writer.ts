import type { Connection } from '../database.ts'
import type { LeafEntry } from './document-leaves.ts'

interface LeafRow extends LeafEntry {
  readonly scope: number
  readonly n: number
}

/** Writes the rows of the leaf index. */
export interface LeafWriter {
  add(entry: LeafEntry, scope: number, n: number): void
  remove(entry: LeafEntry, scope: number, n: number): void
  /** Writes what was added; what is read after a job, or rolled back with it, must be there. */
  flush(): void
  /** Drops what was added and not written: its job failed. */
  forget(): void
}

/**
 * Prepares the statements. Rows of many documents are written in the order of the index, so that neighbours in the index
 * are written one after the other, not once a document.
 */
export function leafWriter(connection: Connection): LeafWriter {
  const insert = connection.prepare('INSERT INTO leaf (path_type, value, scope, n) VALUES (?, ?, ?, ?)')
  const remove = connection.prepare('DELETE FROM leaf WHERE path_type = ? AND value = ? AND scope = ? AND n = ?')
  let added: LeafRow[] = []
  const flush = (): void => {
    const rows = added.sort(compareRows)
    added = []
    for (const { pathType, value, scope, n } of rows) insert.run(pathType, value, scope, n)
  }
  return {
    add({ pathType, value }, scope, n) {
      added.push({ pathType, value, scope, n })
    },
    remove({ pathType, value }, scope, n) {
      if (added.length > 0) flush()
      remove.run(pathType, value, scope, n)
    },
    flush,
    forget() {
      added = []
    },
  }
}

/** Values of one key have one type. Where JavaScript orders texts otherwise than the index does, only time is lost. */
function compareRows(a: LeafRow, b: LeafRow): number {
  if (a.pathType !== b.pathType) return a.pathType - b.pathType
  if (a.value !== b.value) return a.value < b.value ? -1 : 1
  return a.scope - b.scope || a.n - b.n
}
