import { AppError } from '../../../kernel/errors.ts'
import { PendingChanges } from '../../changes/apply-change.ts'
import { STORE_ERRORS } from '../../errors.ts'
import { MOVE_MARK, type Row, type RowKindName, type RowSource, type RowTarget } from '../../port/rows.ts'
import { DEFAULT_SEGMENT_SIZES } from '../../segments/segment-sizes.ts'
import type { Connection } from '../base/database.ts'
import { changeWriter } from '../write/run-batch.ts'
import { type BacklogStep, backlogWorker } from '../write/work-off-backlog.ts'
import { type RowWriters, rowWriters } from './row-writers.ts'
import { SqliteRows } from './rows-out.ts'

/** Nobody waits while segments are made. */
const SIZES = { ...DEFAULT_SEGMENT_SIZES, takenOver: 16_384 }

/** A file that rows are put into; the connection holds it. */
export class SqliteTarget implements RowTarget {
  readonly name: string
  readonly #connection: Connection
  readonly #writers: RowWriters

  constructor(connection: Connection, name: string) {
    this.#connection = connection
    this.#writers = rowWriters(connection)
    this.name = name
  }

  async begun(): Promise<string | null> {
    const mark = this.#connection
      .prepare<[string], string>('SELECT value FROM mark WHERE name = ?')
      .pluck()
      .get(MOVE_MARK)
    if (mark !== undefined) return mark
    const tables = ['record', 'removed', 'account', 'user', 'audit']
    const rows = tables.map((table) => `SELECT 1 FROM ${table}`).join(' UNION ALL ')
    if (this.#connection.prepare(rows).get() === undefined) return null
    throw new AppError(STORE_ERRORS.inUse, `${this.name} has data already; nothing was changed.`, {
      hint: 'Name a data directory that does not exist yet.',
    })
  }

  async mark(from: string | null, to: string): Promise<void> {
    this.#connection.transaction(() => {
      if (from === null) {
        this.#connection.exec('DELETE FROM mark')
        this.#connection.prepare('INSERT INTO mark (name, value) VALUES (?, ?)').run(MOVE_MARK, to)
      } else this.#moveMark(from, to)
    })()
  }

  async put(kind: RowKindName, rows: readonly Row[], { from, to }: { from: string; to: string }): Promise<void> {
    this.#connection.transaction(() => {
      this.#moveMark(from, to)
      for (const row of rows) this.#writers[kind](row)
    })()
  }

  async derive(progress: (done: number, total: number) => void): Promise<void> {
    const worker = backlogWorker(this.#connection, SIZES)
    const count = changeWriter(this.#connection)
    const begin = this.#connection.transaction((): BacklogStep => {
      const changes = new PendingChanges()
      const step = worker.begin(changes)
      count(changes)
      return step
    })
    const goOn = this.#connection.transaction(() => worker.goOn())
    const { left } = begin()
    for (let step = goOn(); !step.isOver; step = goOn()) progress(left - step.left, left)
  }

  async read(): Promise<RowSource> {
    return new SqliteRows(this.#connection, this.name, () => {})
  }

  async finish(mark: string, others: readonly Row[]): Promise<void> {
    const put = this.#connection.prepare('INSERT OR REPLACE INTO mark (name, value) VALUES (?, ?)')
    this.#connection.transaction(() => {
      for (const [name, value] of others) put.run(name, value)
      this.#connection.prepare('DELETE FROM mark WHERE name = ? AND value = ?').run(MOVE_MARK, mark)
    })()
  }

  async close(): Promise<void> {
    this.#connection.close()
  }

  #moveMark(from: string, to: string): void {
    this.#connection.prepare('UPDATE mark SET value = ? WHERE name = ? AND value = ?').run(to, MOVE_MARK, from)
  }
}
