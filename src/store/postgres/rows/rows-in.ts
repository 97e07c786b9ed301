import { AppError } from '../../../kernel/errors.ts'
import { STORE_ERRORS } from '../../errors.ts'
import { MOVE_MARK, ROW_KINDS, type Row, type RowKindName, type RowSource, type RowTarget } from '../../port/rows.ts'
import { DEFAULT_SEGMENT_SIZES } from '../../segments/segment-sizes.ts'
import { isKept, PUBLIC_HOME, type Sql, type Statements, type Transaction } from '../base/database.ts'
import { writeFault } from '../base/faults.ts'
import { mergeShelf } from '../write/merge.ts'
import { type Commit, remakeSegments } from '../write/remake-segments.ts'
import { putRows, REPLACED } from './put-rows.ts'

/** Nobody waits while segments are made. */
const TOGETHER = 16_384

/** Ways to keep rows: each part of them by itself, or all of them at the end. */
export interface Keeping {
  readonly sql: Sql
  readonly reading: Statements
  readonly commit: Commit
  /** Whether rows are there that have to go first. */
  readonly replaces: boolean
  /** Hint where rows are there that must not go. */
  readonly remedy: string
  read(name: string): Promise<RowSource>
  finish(): Promise<void>
  close(): Promise<void>
}

export class PostgresTarget implements RowTarget {
  readonly name: string
  readonly #keeping: Keeping

  constructor(name: string, keeping: Keeping) {
    this.name = name
    this.#keeping = keeping
  }

  async begun(): Promise<string | null> {
    const { reading, replaces, remedy } = this.#keeping
    if (replaces) return null
    const [mark] = await reading<{ value: string }[]>`SELECT value FROM mark WHERE name = ${MOVE_MARK}`
    if (mark !== undefined) return mark.value
    const tables = ['record', 'removed', 'account', 'app_user', 'audit']
    const found = await Promise.all(tables.map((table) => reading.unsafe(`SELECT 1 FROM ${table} LIMIT 1`)))
    if (found.every((rows) => rows.length === 0)) return null
    throw new AppError(STORE_ERRORS.inUse, `The database ${this.name} has data already; nothing was changed.`, {
      hint: remedy,
    })
  }

  async mark(from: string | null, to: string): Promise<void> {
    const { replaces } = this.#keeping
    await this.#commit(async (sql) => {
      if (from !== null) return this.#moveMark(sql, from, to)
      if (replaces) await sql.unsafe(`TRUNCATE ${REPLACED.join(', ')}`)
      await sql`DELETE FROM mark`
      await sql`INSERT INTO mark (name, value) VALUES (${MOVE_MARK}, ${to})`
      await sql`DELETE FROM home WHERE home <> ${PUBLIC_HOME}`
      await sql`UPDATE accounts_version SET version = version + 1`
      await sql`UPDATE home SET changes = changes + 1, layout = layout + 1, records = 0, bytes = 0`
    })
  }

  async put(kind: RowKindName, rows: readonly Row[], { from, to }: { from: string; to: string }): Promise<void> {
    this.#assertKept(kind, rows)
    await this.#commit(async (sql) => {
      await this.#moveMark(sql, from, to)
      await putRows(sql, kind, rows)
    })
  }

  async derive(progress: (done: number, total: number) => void): Promise<void> {
    const { reading, commit } = this.#keeping
    await remakeSegments(reading, { commit, together: TOGETHER, progress })
  }

  read(): Promise<RowSource> {
    return this.#keeping.read(this.name)
  }

  async finish(mark: string, others: readonly Row[]): Promise<void> {
    const { sql, finish } = this.#keeping
    await this.#commit(async (transaction) => {
      for (const [name, value] of others) {
        await transaction`
          INSERT INTO mark (name, value) VALUES (${String(name)}, ${String(value)}) ON CONFLICT (name) DO UPDATE SET value = excluded.value`
      }
      await transaction`DELETE FROM mark WHERE name = ${MOVE_MARK} AND value = ${mark}`
    })
    await finish()
    // Servers merge what an interruption leaves, where they write.
    const shelves = await sql<{ home: string; collection: string }[]>`SELECT DISTINCT home, collection FROM segment`
    for (const shelf of shelves) await mergeShelf(sql, shelf, DEFAULT_SEGMENT_SIZES, true)
    await sql`ANALYZE`
  }

  close(): Promise<void> {
    return this.#keeping.close()
  }

  async #commit<Result>(work: (sql: Transaction) => Promise<Result>): Promise<void> {
    try {
      await this.#keeping.commit(work)
    } catch (error) {
      throw writeFault(error)
    }
  }

  async #moveMark(sql: Transaction, from: string, to: string): Promise<void> {
    const { count } = await sql`UPDATE mark SET value = ${to} WHERE name = ${MOVE_MARK} AND value = ${from}`
    if (count > 0) return
    throw new AppError(STORE_ERRORS.inUse, `Another command moves rows to ${this.name}; this one has stopped.`, {
      hint: 'Wait until the other one has ended.',
    })
  }

  #assertKept(kind: RowKindName, rows: readonly Row[]): void {
    for (const row of rows) {
      const at = row.findIndex((value) => typeof value === 'string' && !isKept(value))
      if (at < 0) continue
      const { columns, ordered } = ROW_KINDS[kind]
      const which = JSON.stringify(row.slice(0, ordered))
      throw new AppError(
        STORE_ERRORS.notKept,
        `The ${columns[at]} of the ${kind} ${which} has the character U+0000, which PostgreSQL keeps in no text; ${this.name} has only a part of the data.`,
        { hint: 'Change it where it is, and begin anew with an empty database.' },
      )
    }
  }
}
