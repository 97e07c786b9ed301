import type Database from 'better-sqlite3'
import { FORMAT_ERRORS, refusal } from '../../structure/errors.ts'
import { shorten } from '../../structure/formats/common/text.ts'
import type { StoredOutput } from '../calculation.ts'
import { asRefusal, openUntrusted } from './untrusted-database.ts'

/** A value as SQLite has it; null as well where it is larger than was asked for, which `size` tells. */
export interface SentValue {
  readonly value: string | number | Buffer | null
  /** In bytes; null where there is no value. */
  readonly size: number | null
}

/** Cells of a row by the names of their columns. */
export type SentRow = ReadonlyMap<string, SentValue>

/** Bytes of a value that are read, by the name of its column. */
export type MostBytes = (column: string) => number

/** Opens a database that somebody sent, for reading only. */
export async function openSent(output: StoredOutput): Promise<SentDatabase> {
  const connection = await openUntrusted(output)
  return asRefusal(() => new SentDatabase(connection))
}

/** Tables that are looked at, and columns of one of them. */
const MOST_TABLES = 1000
const MOST_COLUMNS = 100

/** Database of unknown origin: only tables are read, no views, no virtual tables, and no columns that are computed. */
export class SentDatabase {
  /** Names of its tables. */
  readonly tables: readonly string[]
  readonly #connection: Database.Database

  constructor(connection: Database.Database) {
    this.#connection = connection
    try {
      const found = this.#connection
        .prepare<[number], { name: string; start: string }>(
          "SELECT name, substr(sql, 1, 40) AS start FROM sqlite_schema WHERE type = 'table' LIMIT ?",
        )
        .all(MOST_TABLES)
      this.tables = found.filter(({ start }) => !/^\s*create\s+virtual/i.test(start)).map(({ name }) => name)
    } catch (error) {
      this.close()
      throw error
    }
  }

  close(): void {
    this.#connection.close()
  }

  /** Columns of a table that hold what was written into them. */
  columnsOf(table: string): readonly string[] {
    return asRefusal(() =>
      this.#connection
        .prepare<[string, number], { name: string }>('SELECT name FROM pragma_table_xinfo(?) WHERE hidden = 0 LIMIT ?')
        .all(table, MOST_COLUMNS)
        .map(({ name }) => name),
    )
  }

  /** Number of the columns of a table that are not read: those that are computed, and those behind too many others. */
  unreadColumnsOf(table: string): number {
    const all = asRefusal(() =>
      this.#connection
        .prepare<[string], { count: number }>('SELECT count(*) AS count FROM pragma_table_xinfo(?)')
        .get(table),
    )
    return (all?.count ?? 0) - this.columnsOf(table).length
  }

  /** Rows of a table in the order of their numbers, one at a time. */
  *rows(table: string, mostBytes: MostBytes): Generator<SentRow> {
    const columns = this.columnsOf(table)
    if (columns.some((name) => /^(?:rowid|_rowid_|oid)$/i.test(name)) || columns.length === 0) throw notOrdered(table)
    const values = columns.map((name) => {
      const column = quoted(name)
      return `octet_length(${column}), CASE WHEN octet_length(${column}) <= ${mostBytes(name)} THEN ${column} END`
    })
    const next = asRefusal(() =>
      this.#connection
        .prepare<[string], readonly (string | number | Buffer | null)[]>(
          `SELECT CAST(_rowid_ AS TEXT), ${values.join(', ')} FROM ${quoted(table)} WHERE _rowid_ > CAST(? AS INTEGER) ORDER BY _rowid_ LIMIT 1`,
        )
        .raw(),
    )
    let number = String(FIRST_NUMBER)
    for (;;) {
      const cells = asRefusal(() => next.get(number))
      if (cells === undefined) return
      number = String(cells[0])
      yield new Map(
        columns.map((name, index) => {
          const size = cells[2 * index + 1]
          return [name, { size: typeof size === 'number' ? size : null, value: cells[2 * index + 2] ?? null }] as const
        }),
      )
    }
  }
}

/** Before the number that any row can have, but for one. */
const FIRST_NUMBER = -(2n ** 63n)

function quoted(name: string): string {
  return `"${name.replaceAll('"', '""')}"`
}

function notOrdered(table: string): Error {
  return refusal(FORMAT_ERRORS.malformed, `The rows of the table ${shorten(table)} have no numbers of their own.`)
}
