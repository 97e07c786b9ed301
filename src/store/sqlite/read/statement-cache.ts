import type { Statement } from 'better-sqlite3'
import type { SqlFragment } from '../../../query/sql/sql-fragment.ts'
import type { Connection } from '../database.ts'

const REMEMBERED = 200
/** Statements with more values than this hardly come twice. */
const REMEMBERED_VALUES = 150

/** Prepares statements, and keeps the recent ones: preparing costs as much as a short query. */
export class StatementCache {
  readonly #connection: Connection
  readonly #recent = new Map<string, Statement>()

  constructor(connection: Connection) {
    this.#connection = connection
  }

  /** The first column of every row. */
  column(query: SqlFragment): unknown[] {
    return this.#prepare(query)
      .pluck(true)
      .all(...query.values)
  }

  /** Every row. */
  all(query: SqlFragment): unknown[] {
    return this.#prepare(query)
      .pluck(false)
      .all(...query.values)
  }

  /** The first column of the first row. */
  value(query: SqlFragment): unknown {
    return this.#prepare(query)
      .pluck(true)
      .get(...query.values)
  }

  /** A query of one row by one more value, as an array of its columns; to be asked many times. */
  prepared(query: SqlFragment): (value: number) => unknown[] | undefined {
    const statement = this.#prepare(query).raw(true)
    return (value) => statement.get(...query.values, value) as unknown[] | undefined
  }

  /** Rows one by one; ends the query when the loop is left. A query that is already being read is prepared anew. */
  rows(query: SqlFragment): IterableIterator<unknown> {
    const remembered = this.#recent.get(query.text)
    const statement = remembered?.busy === false ? remembered : this.#connection.prepare(query.text)
    return statement.pluck(false).iterate(...query.values)
  }

  #prepare(query: SqlFragment): Statement {
    const remembered = this.#recent.get(query.text)
    if (remembered !== undefined && !remembered.busy) {
      this.#recent.delete(query.text)
      this.#recent.set(query.text, remembered)
      return remembered
    }
    const statement = this.#connection.prepare(query.text)
    if (remembered === undefined && query.values.length <= REMEMBERED_VALUES) this.#remember(query.text, statement)
    return statement
  }

  #remember(text: string, statement: Statement): void {
    if (this.#recent.size >= REMEMBERED) {
      const [oldest] = this.#recent.keys()
      if (oldest !== undefined) this.#recent.delete(oldest)
    }
    this.#recent.set(text, statement)
  }
}
