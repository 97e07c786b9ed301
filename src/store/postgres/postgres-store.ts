import type { Reading } from '../../kernel/figures.ts'
import type { Log } from '../../kernel/log.ts'
import { StoredAccounts } from '../accounts/stored-accounts.ts'
import { closedError } from '../errors.ts'
import { STORE_FIGURES } from '../figures.ts'
import { noting } from '../noting.ts'
import type { AccountStore } from '../port/account-store.ts'
import type { AnswerStore } from '../port/answers.ts'
import type { AuditStore } from '../port/audit.ts'
import type { RecordStore } from '../port/record-store.ts'
import type { Store } from '../port/store.ts'
import type { SharedChunks } from '../segments/column-cache.ts'
import type { SegmentSizes } from '../segments/segment-sizes.ts'
import type { Sign } from '../sign.ts'
import { accountReads } from './account-reads.ts'
import { disconnect, type Sql } from './base/database.ts'
import { readFault, writeFault } from './base/faults.ts'
import { transact } from './base/transact.ts'
import { checkShelves } from './care/check-shelves.ts'
import { PostgresAnswers } from './postgres-answers.ts'
import { PostgresAudit } from './postgres-audit.ts'
import type { PostgresRecords } from './postgres-records.ts'
import type { Homes } from './read/homes.ts'
import { writeAccount } from './write/account-writer.ts'
import type { AuditAge } from './write/audit-age.ts'
import { mergeShelf } from './write/merge.ts'
import type { RecordWrites } from './write/record-writes.ts'
import { remakeSegments } from './write/remake-segments.ts'
import type { Tending } from './write/tending.ts'

/** What a store is made of. */
export interface StoreParts {
  /** Connections for questions, and others for writes: neither waits for the other. */
  readonly sql: Sql
  readonly writing: Sql
  /** Connections to a replica, where there is one. */
  readonly replica: Sql | null
  readonly homes: Homes
  readonly records: PostgresRecords
  readonly writes: RecordWrites
  readonly tending: Tending
  readonly auditAge: AuditAge | null
  readonly chunks: SharedChunks
  readonly sizes: SegmentSizes
  readonly sign: Sign
  readonly writeBackup: Store['backup']
  readonly log: Log
  readonly timeBudgetMs: number
}

/** A PostgreSQL database; any number of processes have it open. */
export class PostgresStore implements Store {
  readonly records: RecordStore
  readonly accounts: AccountStore
  readonly audit: AuditStore
  readonly answers: AnswerStore
  readonly #parts: StoreParts
  #isClosed = false

  constructor(parts: StoreParts) {
    this.#parts = parts
    const { sql, writing, homes, records, sign, log, timeBudgetMs } = parts
    const note = (error: unknown) => (this.#isClosed ? closedError() : readFault(error, timeBudgetMs))
    const accounts = new StoredAccounts(
      accountReads(sql, homes),
      {
        write: (write, by) =>
          writeAccount(writing, write, sign(by)).catch((error) => Promise.reject(writeFault(error))),
        async note(entry, by) {
          await new PostgresAudit(writing, sign).note(entry, by)
        },
      },
      log,
    )
    this.records = noting<RecordStore>(records, note)
    this.accounts = noting<AccountStore>(accounts, note)
    this.audit = noting<AuditStore>(new PostgresAudit(sql, sign), note)
    this.answers = noting<AnswerStore>(new PostgresAnswers(sql, writing), note)
  }

  async readMark(name: string): Promise<string | null> {
    const [row] = await this.#read((sql) => sql<{ value: string }[]>`SELECT value FROM mark WHERE name = ${name}`)
    return row?.value ?? null
  }

  async writeMark(name: string, value: string): Promise<void> {
    await this.#write(
      (sql) => sql`
        INSERT INTO mark (name, value) VALUES (${name}, ${value}) ON CONFLICT (name) DO UPDATE SET value = excluded.value`,
    )
  }

  async moveMark(name: string, from: string | null, to: string): Promise<boolean> {
    const { count } = await this.#write((sql) =>
      from === null
        ? sql`INSERT INTO mark (name, value) VALUES (${name}, ${to}) ON CONFLICT (name) DO NOTHING`
        : sql`UPDATE mark SET value = ${to} WHERE name = ${name} AND value = ${from}`,
    )
    return count > 0
  }

  check(progress: (done: number, total: number) => void): Promise<readonly string[]> {
    return this.#read((sql) => checkShelves(sql, progress))
  }

  async reindex(progress: (done: number, total: number) => void): Promise<void> {
    const { sizes } = this.#parts
    await this.#write((sql) =>
      remakeSegments(sql, {
        commit: (work) => transact(sql, work),
        together: sizes.takenOver,
        progress,
        onShelf: (shelf) => mergeShelf(sql, shelf, sizes, true),
      }),
    )
  }

  async backup(file: string, progress: (done: number, total: number) => void): Promise<void> {
    if (this.#isClosed) throw closedError()
    await this.#parts.writeBackup(file, progress)
  }

  figures(): readonly Reading[] {
    const { counts } = this.#parts.records
    const { waiting, asked, failed } = this.#parts.writes.figures
    return [
      [STORE_FIGURES.pages, [['request', counts.pages]]],
      [STORE_FIGURES.columns, counts.columns],
      [STORE_FIGURES.columnsLoaded, counts.loaded],
      [STORE_FIGURES.documentsRead, counts.byDocument],
      [STORE_FIGURES.columnBytes, this.#parts.chunks.bytes],
      [STORE_FIGURES.timeOuts, counts.timeOuts],
      [STORE_FIGURES.writerWaiting, waiting],
      [STORE_FIGURES.writes, asked],
      [STORE_FIGURES.writesFailed, failed],
    ]
  }

  async ping(): Promise<void> {
    await this.#read((sql) => sql`SELECT 1`)
  }

  async close(): Promise<void> {
    this.#isClosed = true
    await this.#parts.writes.close()
    await this.#parts.tending.close()
    await this.#parts.auditAge?.close()
    const { sql, writing, replica } = this.#parts
    await Promise.all([sql, writing, ...(replica === null ? [] : [replica])].map(disconnect))
  }

  async #read<T>(read: (sql: Sql) => PromiseLike<T>): Promise<T> {
    if (this.#isClosed) throw closedError()
    try {
      return await read(this.#parts.sql)
    } catch (error) {
      throw readFault(error, this.#parts.timeBudgetMs)
    }
  }

  async #write<T>(write: (sql: Sql) => PromiseLike<T>): Promise<T> {
    if (this.#isClosed) throw closedError()
    try {
      return await write(this.#parts.writing)
    } catch (error) {
      throw writeFault(error)
    }
  }
}
