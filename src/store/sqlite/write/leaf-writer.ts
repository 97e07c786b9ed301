import type { Connection } from '../database.ts'
import type { LeafEntry } from './document-leaves.ts'

/** Writes the rows of the leaf index. */
export interface LeafWriter {
  add(entry: LeafEntry, scope: number, n: number): void
  remove(entry: LeafEntry, scope: number, n: number): void
  /** Writes what was added; what is read after a job, or rolled back with it, must be there. */
  flush(): void
  /** Drops what was added and not written: its job failed. */
  forget(): void
}

/** Rows that one statement inserts: most of the time of a single row is its own statement. */
const ROWS_AT_ONCE = [64, 8, 1]
const COLUMNS = 4

/**
 * Prepares the statements. Rows of many documents are written in the order of the index, so that each of its pages is
 * written once for them all, not once a document.
 */
export function leafWriter(connection: Connection): LeafWriter {
  // OR IGNORE spares a copy of every page, which is kept to take back a statement that fails half way.
  const inserts = ROWS_AT_ONCE.map((rows) => ({
    rows,
    statement: connection.prepare<[(number | string)[]]>(
      `INSERT OR IGNORE INTO leaf (path_type, value, scope, n) VALUES ${Array(rows).fill('(?, ?, ?, ?)').join(', ')}`,
    ),
  }))
  const remove = connection.prepare('DELETE FROM leaf WHERE path_type = ? AND value = ? AND scope = ? AND n = ?')
  let added = new Map<number, LeafRows>()

  function flush(): void {
    if (added.size === 0) return
    const fields: (number | string)[] = []
    for (const pathType of [...added.keys()].sort((a, b) => a - b)) added.get(pathType)?.appendTo(fields, pathType)
    added = new Map()
    let written = 0
    for (const { rows, statement } of inserts) {
      const length = rows * COLUMNS
      for (; written + length <= fields.length; written += length)
        statement.run(fields.slice(written, written + length))
    }
  }

  return {
    add({ pathType, value }, scope, n) {
      const rows = added.get(pathType) ?? new LeafRows()
      added.set(pathType, rows)
      rows.add(value, scope, n)
    },
    remove({ pathType, value }, scope, n) {
      flush()
      remove.run(pathType, value, scope, n)
    },
    flush,
    forget() {
      added = new Map()
    },
  }
}

/** Rows of one path and type, by columns: there may be a million rows in all, and none needs an object. */
class LeafRows {
  readonly #values: (number | string)[] = []
  readonly #scopes: number[] = []
  readonly #numbers: number[] = []

  add(value: number | string, scope: number, n: number): void {
    this.#values.push(value)
    this.#scopes.push(scope)
    this.#numbers.push(n)
  }

  /** Appends the rows in the order of the index. Where JavaScript orders texts otherwise, only time is lost. */
  appendTo(fields: (number | string)[], pathType: number): void {
    const [values, scopes, numbers] = [this.#values, this.#scopes, this.#numbers]
    const order = values
      .map((_, row) => row)
      .sort((a, b) => {
        const [one, other] = [values[a] as number, values[b] as number]
        if (one !== other) return one < other ? -1 : 1
        return (scopes[a] as number) - (scopes[b] as number) || (numbers[a] as number) - (numbers[b] as number)
      })
    for (const row of order) {
      fields.push(pathType, values[row] as number | string, scopes[row] as number, numbers[row] as number)
    }
  }
}
