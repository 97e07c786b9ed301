import type { Log } from '../../kernel/log.ts'
import type { Reading } from '../../kernel/metrics.ts'
import { StoredAccounts } from '../accounts/stored-accounts.ts'
import type { Sign } from '../changes/audit-entries.ts'
import { closedError, noting } from '../errors.ts'
import { STORE_METRICS } from '../metrics.ts'
import type { AccountStore } from '../port/account-store.ts'
import { ANSWERS_KEPT_MS, type AnswerStore, type KeptAnswer, type Once } from '../port/answers.ts'
import type { AuditStore } from '../port/audit.ts'
import type { RecordStore } from '../port/record-store.ts'
import type { Store } from '../port/store.ts'
import type { ColumnCache } from '../segments/column-cache.ts'
import type { SegmentSizes } from '../segments/segment-sizes.ts'
import { readingMetrics } from '../threads/long-reads.ts'
import { accountReads } from './account-reads.ts'
import { disconnect, isKept, patiently, type Sql, transact } from './base/database.ts'
import { readFault, writeFault } from './base/faults.ts'
import { checkShelves } from './care/check-shelves.ts'
import { PostgresAudit } from './postgres-audit.ts'
import type { PostgresRecords } from './postgres-records.ts'
import type { Homes } from './read/homes.ts'
import type { PostgresReaders } from './read/read-job.ts'
import type { Tending } from './tending.ts'
import { writeAccount } from './write/account-writer.ts'
import type { AuditAge } from './write/audit-lines.ts'
import { KeptAnswers } from './write/kept-answers.ts'
import { lockHomes } from './write/load-records.ts'
import { mergeShelf } from './write/merge.ts'
import type { RecordWrites } from './write/record-writes.ts'
import { remakeSegments } from './write/remake-segments.ts'

export class PostgresAnswers implements AnswerStore {
  readonly #sql: Sql
  readonly #writing: Sql

  constructor(sql: Sql, writing: Sql) {
    this.#sql = sql
    this.#writing = writing
  }

  async find(accountId: string, key: string, now: number): Promise<KeptAnswer | null> {
    if (!isKept(accountId) || !isKept(key)) return null
    const [found] = await this.#sql<KeptAnswer[]>`
      SELECT asked, answer, serial FROM answer WHERE home = ${accountId} AND key = ${key} AND at > ${now - ANSWERS_KEPT_MS}`
    return found ?? null
  }

  async keep(once: Once): Promise<void> {
    await transact(this.#writing, async (sql) => {
      await lockHomes(sql, [once.accountId])
      const answers = await KeptAnswers.load(sql, [once])
      if (answers.has(once)) return
      answers.add(once, null)
      await answers.write(sql)
    })
  }
}

export interface StoreParts {
  /** Connections for questions, and others for writes: neither waits for the other. */
  readonly sql: Sql
  readonly writing: Sql
  readonly replica: Sql | null
  readonly homes: Homes
  readonly readers: PostgresReaders
  readonly records: PostgresRecords
  readonly writes: RecordWrites
  readonly tending: Tending
  readonly auditAge: AuditAge | null
  readonly columns: ColumnCache
  readonly sizes: SegmentSizes
  readonly sign: Sign
  readonly writeBackup: Store['backup']
  readonly log: Log
  readonly timeBudgetMs: number
  readonly writeTimeoutMs: number
}

const WAITS_BY_ITSELF: ReadonlySet<string> = new Set(['apply', 'applyEach', 'find', 'count', 'survey', 'namedFiles'])

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
    const { sql, writing, homes, records, sign, log, timeBudgetMs, writeTimeoutMs } = parts
    const note = (error: unknown) => (this.#isClosed ? closedError() : readFault(error, timeBudgetMs))
    const accounts = new StoredAccounts(
      accountReads(sql, homes),
      {
        write: (write, by) =>
          patiently(writing, writeAccount(writing, write, sign(by)), writeTimeoutMs).catch((error) =>
            Promise.reject(writeFault(error)),
          ),
        async note(entry, by) {
          await new PostgresAudit(writing, sign).note(entry, by)
        },
      },
      log,
    )
    const { replica } = parts
    // Writes, and what may be done on another thread, have a patience of their own.
    const wait = <Result>(result: Promise<Result>, method: string): Promise<Result> => {
      if (WAITS_BY_ITSELF.has(method)) return result
      const read = replica === null ? result : patiently(replica, result, timeBudgetMs)
      return patiently(sql, read, timeBudgetMs)
    }
    this.records = noting<RecordStore>(records, note, wait)
    this.accounts = noting<AccountStore>(accounts, note, wait)
    this.audit = noting<AuditStore>(new PostgresAudit(sql, sign), note, wait)
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
    return this.#use('sql', (sql) => checkShelves(sql, progress), null)
  }

  async reindex(progress: (done: number, total: number) => void): Promise<void> {
    const { sizes } = this.#parts
    await this.#use(
      'writing',
      (sql) =>
        remakeSegments(sql, {
          commit: (work) => transact(sql, work),
          together: sizes.takenOver,
          progress,
          onShelf: (shelf) => mergeShelf(sql, shelf, sizes, true),
        }),
      null,
    )
  }

  async backup(file: string, progress: (done: number, total: number) => void): Promise<void> {
    if (this.#isClosed) throw closedError()
    await this.#parts.writeBackup(file, progress)
  }

  metrics(): readonly Reading[] {
    const { records, readers, columns, writes } = this.#parts
    const { waiting, asked, failed } = writes.metrics
    return [
      ...readingMetrics(records.counts, readers.metrics, columns),
      [STORE_METRICS.writerWaiting, waiting],
      [STORE_METRICS.writes, asked],
      [STORE_METRICS.writesFailed, failed],
    ]
  }

  async warmUp(): Promise<void> {
    await Promise.all([this.#parts.readers.start(), this.ping()])
  }

  async ping(): Promise<void> {
    await this.#read((sql) => sql`SELECT 1`)
  }

  async close(): Promise<void> {
    this.#isClosed = true
    await this.#parts.writes.close()
    await this.#parts.tending.close()
    await this.#parts.readers.close()
    await this.#parts.auditAge?.close()
    const { sql, writing, replica } = this.#parts
    await Promise.all([sql, writing, ...(replica === null ? [] : [replica])].map(disconnect))
  }

  #read<T>(read: (sql: Sql) => PromiseLike<T>): Promise<T> {
    return this.#use('sql', read, this.#parts.timeBudgetMs)
  }

  #write<T>(write: (sql: Sql) => PromiseLike<T>): Promise<T> {
    return this.#use('writing', write, this.#parts.writeTimeoutMs)
  }

  /** Does work on some connections; null: on all that there is, which takes as long as it takes. */
  async #use<T>(pool: 'sql' | 'writing', work: (sql: Sql) => PromiseLike<T>, patienceMs: number | null): Promise<T> {
    if (this.#isClosed) throw closedError()
    const sql = this.#parts[pool]
    try {
      if (patienceMs === null) return await work(sql)
      return await patiently(sql, Promise.resolve(work(sql)), patienceMs)
    } catch (error) {
      throw pool === 'sql' ? readFault(error, this.#parts.timeBudgetMs) : writeFault(error)
    }
  }
}
