import { statSync } from 'node:fs'
import { resolve } from 'node:path'
import type { Clock } from '../../kernel/clock.ts'
import { AppError } from '../../kernel/errors.ts'
import type { Log } from '../../kernel/log.ts'
import type { Reading } from '../../kernel/metrics.ts'
import type { Shares, Spending } from '../../kernel/turns.ts'
import { type AccountWrites, StoredAccounts } from '../accounts/stored-accounts.ts'
import { type Sign, signer } from '../changes/audit-entries.ts'
import { noting, STORE_ERRORS } from '../errors.ts'
import { STORE_EVENTS } from '../events.ts'
import { STORE_METRICS } from '../metrics.ts'
import type { AccountStore } from '../port/account-store.ts'
import { ANSWERS_KEPT_MS, type AnswerStore, type KeptAnswer, type Once } from '../port/answers.ts'
import type { Actor, AuditStore } from '../port/audit.ts'
import type { RecordStore } from '../port/record-store.ts'
import type { Store } from '../port/store.ts'
import type { SegmentSizes } from '../segments/segment-sizes.ts'
import { type ReadCounts, readingMetrics, slowQueryTeller } from '../threads/long-reads.ts'
import type { ReadingMemory } from '../threads/store-options.ts'
import { assertOpen, type Connection } from './base/database.ts'
import { settleLog } from './care/look-first.ts'
import { ColumnsOfBefore } from './read/columns-of-before.ts'
import { CurrentState, changeMark } from './read/current-state.ts'
import { openReaders, type SqliteReaders } from './read/read-job.ts'
import { createReader, type Reader } from './read/reader.ts'
import { accountReads } from './sqlite-accounts.ts'
import { SqliteAudit } from './sqlite-audit.ts'
import { SqliteRecords } from './sqlite-records.ts'
import { Tending } from './tending.ts'
import { freeBytesBeside, type StorageHealth } from './write/storage-health.ts'
import type { WriteQueue } from './write/write-queue.ts'

/** Answers to requests that are carried out once, in the SQLite file. */
export class SqliteAnswers implements AnswerStore {
  readonly #connection: Connection
  readonly #state: CurrentState
  readonly #writes: WriteQueue
  readonly #find

  constructor(connection: Connection, state: CurrentState, writes: WriteQueue) {
    this.#connection = connection
    this.#state = state
    this.#writes = writes
    this.#find = connection.prepare<[string, string, number], KeptAnswer>(
      'SELECT asked, answer, serial FROM answer WHERE account = ? AND key = ? AND at > ?',
    )
  }

  async find(accountId: string, key: string, now: number): Promise<KeptAnswer | null> {
    assertOpen(this.#connection)
    this.#state.hold()
    return this.#find.get(accountId, key, now - ANSWERS_KEPT_MS) ?? null
  }

  async keep(once: Once): Promise<void> {
    await this.#writes.submit({ kind: 'answer', once })
  }
}

/** A write that takes longer than this has been lost, or the disk does not answer. */
const LONGEST_WRITE_MS = 30_000
const TRY_AGAIN_MS = 5000
/**
 * The thread that merges ends when it has had nothing to do for so long: what it has read takes room, and the next merge may be hours away. Beside an
 * import it is minutes at the most, and each new thread leaves memory of its own behind.
 */
const MERGING_IDLE_MS = 30_000

export interface ReadingSettings {
  readonly readerThreads: number
  readonly timeBudgetMs: number
  readonly memory: ReadingMemory
  /** Merges segments, and goes on making them anew where that was interrupted. */
  readonly tends: boolean
  readonly segmentSizes: SegmentSizes
  readonly clock: Clock
  readonly slowQueryMs: number
  readonly bytes: Shares
  readonly spending: Spending
  readonly self: Actor
  readonly health: StorageHealth
  readonly log: Log
}

/** One SQLite file, and the threads that serve it. */
export class SqliteStore implements Store {
  readonly records: RecordStore
  readonly accounts: AccountStore
  readonly audit: AuditStore
  readonly answers: AnswerStore
  readonly #file: string
  readonly #health: StorageHealth
  readonly #log: Log
  readonly #connection: Connection
  readonly #pool: SqliteReaders
  readonly #merging: SqliteReaders
  readonly #tending: Tending | null
  readonly #writes: WriteQueue
  readonly #findMark
  readonly #counts: ReadCounts
  readonly #reader: Reader
  readonly #countSegments
  readonly #countTail
  readonly #state: CurrentState
  readonly #usual: ColumnsOfBefore
  #isWarm = false
  #triedAgain = Number.NEGATIVE_INFINITY

  constructor(file: string, connection: Connection, writes: WriteQueue, reading: ReadingSettings) {
    const { health, memory, timeBudgetMs, tends, segmentSizes, clock, bytes, log } = reading
    this.#file = file
    this.#health = health
    this.#connection = connection
    this.#writes = writes
    this.#log = log
    const sign = signer(reading.self, clock)
    const threads = { file, memory: memory.ofReader }
    this.#pool = openReaders(threads, reading.readerThreads, log)
    this.#pool.onSpent = reading.spending.note
    const state = new CurrentState(connection, changeMark(connection, file))
    this.#state = state
    const reader = createReader(connection, { isPatient: false, memory: memory.ofRequests, state })
    this.#reader = reader
    this.#pool.onChunks = reader.columns.putAll
    this.#usual = new ColumnsOfBefore({ reader, pool: this.#pool, marks: this, log })
    this.#merging = openReaders(threads, 1, log, MERGING_IDLE_MS)
    this.#tending = tends
      ? new Tending({ connection, state, pool: this.#merging, writes, sizes: segmentSizes, log })
      : null
    writes.onSettled = (job) => {
      state.end()
      this.#tending?.noteWrite(job)
    }
    this.#tending?.begin()
    const noteSlow = slowQueryTeller(log, reading.slowQueryMs)
    const terms = { pool: this.#pool, timeBudgetMs, noteSlow, sign, bytes }
    const records = new SqliteRecords(reader, state, writes, terms)
    this.#counts = records.counts
    const note = (error: unknown) => health.noteRead(error)
    this.records = noting<RecordStore>(records, note)
    const accounts = new StoredAccounts(accountReads(connection, state), accountWrites(writes, sign), log)
    this.accounts = noting<AccountStore>(accounts, note)
    this.audit = noting<AuditStore>(new SqliteAudit(connection, state, writes, sign), note)
    this.answers = noting<AnswerStore>(new SqliteAnswers(connection, state, writes), note)
    this.#findMark = connection.prepare<[string], string>('SELECT value FROM mark WHERE name = ?').pluck()
    this.#countSegments = connection.prepare<[], number>('SELECT count(*) FROM segment').pluck()
    this.#countTail = connection.prepare<[], number>('SELECT count(*) FROM tail').pluck()
  }

  async readMark(name: string): Promise<string | null> {
    assertOpen(this.#connection)
    this.#state.hold()
    return this.#findMark.get(name) ?? null
  }

  async writeMark(name: string, value: string): Promise<void> {
    await this.#writes.submit({ kind: 'mark', name, value })
  }

  async moveMark(name: string, from: string | null, to: string): Promise<boolean> {
    return (await this.#writes.submit({ kind: 'mark', name, value: to, from })) === 'done'
  }

  metrics(): readonly Reading[] {
    assertOpen(this.#connection)
    const { waiting, asked, failed } = this.#writes.metrics
    return [
      ...readingMetrics(this.#counts, this.#pool.metrics, this.#reader.columns),
      [STORE_METRICS.segments, this.#countSegments.get() ?? 0],
      [STORE_METRICS.tail, this.#countTail.get() ?? 0],
      [STORE_METRICS.writerWaiting, waiting],
      [STORE_METRICS.writes, asked],
      [STORE_METRICS.writesFailed, failed],
      [STORE_METRICS.databaseBytes, sizeOf(this.#file)],
      [STORE_METRICS.logBytes, sizeOf(`${this.#file}-wal`)],
      [STORE_METRICS.freeBytes, freeBytesBeside(this.#file)],
      [STORE_METRICS.writable, Number(this.#health.complaint() === null)],
    ]
  }

  check(progress: (done: number, total: number) => void): Promise<readonly string[]> {
    return this.#pool.run({ kind: 'check' }, { progress })
  }

  async reindex(progress: (done: number, total: number) => void): Promise<void> {
    const first = await this.#writes.submit({ kind: 'reindex' })
    for (let step = first; !step.isOver; step = await this.#writes.submit({ kind: 'backlog' })) {
      progress(first.left - step.left, first.left)
    }
  }

  async backup(file: string, progress: (done: number, total: number) => void): Promise<void> {
    await this.#pool.run({ kind: 'backup', target: resolve(file) }, { progress })
  }

  async warmUp(): Promise<void> {
    this.#isWarm = true
    this.#writes.start()
    await this.#pool.start()
    await this.#usual.bringIn()
  }

  async ping(): Promise<void> {
    assertOpen(this.#connection)
    try {
      this.#connection.prepare('SELECT count(*) FROM collection').get()
    } catch (error) {
      throw this.#health.noteRead(error)
    }
    if (this.#writes.readOnly) return
    await this.#tryAgain()
    const isStuck = this.#writes.longestWaitMs > LONGEST_WRITE_MS
    const complaint = isStuck ? 'A write does not come to its end.' : this.#health.complaint()
    if (complaint !== null) throw new AppError(STORE_ERRORS.notReady, complaint)
  }

  /** Whether a failed write was the last one is found out by another, now and then. */
  async #tryAgain(): Promise<void> {
    if (!this.#health.hasFailed || performance.now() - this.#triedAgain < TRY_AGAIN_MS) return
    this.#triedAgain = performance.now()
    await this.#writes.submit({ kind: 'mark', name: 'tried-again', value: '' }).catch(() => {})
  }

  async close(): Promise<void> {
    this.#health.end()
    this.#tending?.end()
    if (this.#isWarm && !this.#writes.readOnly) await this.#usual.note()
    await this.#writes.close()
    await Promise.all([this.#pool.close(), this.#merging.close()])
    if (!this.#connection.open) return
    this.#connection.close()
    const obstacle = this.#writes.readOnly ? null : settleLog(this.#file)
    if (obstacle !== null) this.#log.tell(STORE_EVENTS.logNotSettled, { reason: obstacle })
  }
}

/** The log is not there while nobody has written. */
function sizeOf(file: string): number {
  return statSync(file, { throwIfNoEntry: false })?.size ?? 0
}

/** Writes to users, accounts and tokens, signed. */
function accountWrites(writes: WriteQueue, sign: Sign): AccountWrites {
  return {
    write: (write, by) => writes.submit({ kind: 'account', write, deed: sign(by) }),
    async note(entry, by) {
      await writes.submit({ kind: 'audit', entry, deed: sign(by) })
    },
  }
}
