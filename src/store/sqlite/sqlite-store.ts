import { resolve } from 'node:path'
import type { AccountStore } from '../port/account-store.ts'
import type { RecordStore } from '../port/record-store.ts'
import type { Store } from '../port/store.ts'
import { assertOpen } from './closed.ts'
import type { Connection } from './database.ts'
import { type ChangeMark, changeMark } from './read/change-mark.ts'
import { CurrentState } from './read/current-state.ts'
import { createReader } from './read/reader.ts'
import { ReaderPool } from './read/reader-pool.ts'
import { RowIndex } from './read/rows/row-index.ts'
import { SqliteAccounts } from './sqlite-accounts.ts'
import { SqliteRecords } from './sqlite-records.ts'
import type { WriteQueue } from './write/write-queue.ts'

/** How much a store may spend on reading. */
export interface ReadingSettings {
  readonly readerThreads: number
  readonly timeBudgetMs: number
  readonly pageCacheMb: number
}

/** One SQLite file, and the threads that serve it. */
export class SqliteStore implements Store {
  readonly records: RecordStore
  readonly accounts: AccountStore
  readonly #connection: Connection
  readonly #pool: ReaderPool
  readonly #writes: WriteQueue
  readonly #findMark
  readonly #mark: ChangeMark
  readonly #state: CurrentState

  constructor(file: string, connection: Connection, writes: WriteQueue, reading: ReadingSettings) {
    this.#connection = connection
    this.#writes = writes
    this.#pool = new ReaderPool(file, reading.readerThreads)
    const reader = createReader(connection, this.#rowIndex(reading.pageCacheMb))
    this.#mark = changeMark(connection, file)
    this.#state = new CurrentState(connection, () => this.#mark.read())
    writes.onSettled = () => this.#state.end()
    this.records = new SqliteRecords(reader, this.#state, this.#pool, writes, reading.timeBudgetMs)
    this.accounts = new SqliteAccounts(connection, writes)
    this.#findMark = connection.prepare<[string], string>('SELECT value FROM mark WHERE name = ?').pluck()
  }

  /** Lists are made on reader threads, and only once they are worth it. */
  #rowIndex(megabytes: number): RowIndex {
    return new RowIndex(megabytes * 2 ** 20, (job) => this.#pool.run({ kind: 'list', of: job }))
  }

  async readMark(name: string): Promise<string | null> {
    assertOpen(this.#connection)
    return this.#findMark.get(name) ?? null
  }

  async writeMark(name: string, value: string): Promise<void> {
    await this.#writes.submit({ kind: 'mark', name, value })
  }

  check(progress: (done: number, total: number) => void): Promise<readonly string[]> {
    return this.#pool.run({ kind: 'check' }, progress)
  }

  async reindex(progress: (done: number, total: number) => void): Promise<void> {
    await this.#writes.submit({ kind: 'reindex' }, progress)
  }

  async backup(file: string, progress: (done: number, total: number) => void): Promise<void> {
    await this.#pool.run({ kind: 'backup', target: resolve(file) }, progress)
  }

  changeMark(): number {
    assertOpen(this.#connection)
    return this.#state.mark
  }

  async ping(): Promise<void> {
    assertOpen(this.#connection)
    this.#connection.prepare('SELECT count(*) FROM collection').get()
  }

  async close(): Promise<void> {
    await this.#writes.close()
    await this.#pool.close()
    if (this.#connection.open) this.#mark.close()
    this.#connection.close()
  }
}
