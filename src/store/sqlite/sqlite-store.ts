import { resolve } from 'node:path'
import type { Clock } from '../../kernel/clock.ts'
import { AppError } from '../../kernel/errors.ts'
import type { Reading } from '../../kernel/figures.ts'
import type { Log } from '../../kernel/log.ts'
import type { Shares } from '../../kernel/shares.ts'
import type { Spending } from '../../kernel/spending.ts'
import { STORE_ERRORS } from '../errors.ts'
import { STORE_EVENTS } from '../events.ts'
import type { AccountStore } from '../port/account-store.ts'
import type { Actor, AuditStore } from '../port/audit.ts'
import type { RecordStore } from '../port/record-store.ts'
import type { Store } from '../port/store.ts'
import { slowQueryTeller } from '../slow-queries.ts'
import { settleLog } from './care/settle-log.ts'
import { assertOpen } from './closed.ts'
import { CompoundDemand } from './compound/compound-demand.ts'
import type { Connection } from './database.ts'
import { noting } from './health/noting.ts'
import type { StorageHealth } from './health/storage-health.ts'
import { type ChangeMark, changeMark } from './read/change-mark.ts'
import { NO_COMPOUNDS } from './read/compound/ready-compounds.ts'
import { CurrentState } from './read/current-state.ts'
import { createReader } from './read/reader.ts'
import { ReaderPool } from './read/reader-pool.ts'
import { RowIndex } from './read/rows/row-index.ts'
import { figureReader } from './read-figures.ts'
import { signer } from './sign.ts'
import { SqliteAccounts } from './sqlite-accounts.ts'
import { SqliteAudit } from './sqlite-audit.ts'
import { SqliteRecords } from './sqlite-records.ts'
import type { WriteQueue } from './write/write-queue.ts'

/** How long other writers wait while indexes are made anew. */
const REINDEX_SLICE_MS = 100
/** How long they wait while rows of an older version get their checksums. */
const SEALING_SLICE_MS = 10

/** A write that takes longer than this has been lost, or the disk does not answer. */
const LONGEST_WRITE_MS = 30_000
const TRY_AGAIN_MS = 5000

/** How much a store may spend on reading. */
export interface ReadingSettings {
  readonly readerThreads: number
  readonly timeBudgetMs: number
  readonly pageCacheMb: number
  readonly compoundIndexes: number
  readonly tendsIndexes: boolean
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
  readonly #file: string
  readonly #health: StorageHealth
  readonly #log: Log
  readonly #connection: Connection
  readonly #pool: ReaderPool
  readonly #writes: WriteQueue
  readonly #findMark
  readonly #readFigures: () => readonly Reading[]
  readonly #mark: ChangeMark
  readonly #state: CurrentState
  #triedAgain = Number.NEGATIVE_INFINITY

  constructor(file: string, connection: Connection, writes: WriteQueue, reading: ReadingSettings) {
    const { health } = reading
    this.#file = file
    this.#health = health
    this.#connection = connection
    this.#writes = writes
    const { compoundIndexes: most, timeBudgetMs, tendsIndexes, clock, bytes, log } = reading
    this.#log = log
    const sign = signer(reading.self, clock)
    this.#pool = new ReaderPool({ file, usesCompounds: most > 0 }, reading.readerThreads, log)
    this.#pool.onSpent = reading.spending.note
    const lists = this.#rowIndex(reading.pageCacheMb, log)
    const reader = createReader(connection, lists, most > 0 ? undefined : NO_COMPOUNDS)
    this.#mark = changeMark(connection, file)
    this.#state = new CurrentState(connection, () => this.#mark.read())
    writes.onSettled = () => this.#state.end()
    const demand = tendsIndexes ? new CompoundDemand(reader, writes, most, clock, log) : null
    demand?.begin()
    if (tendsIndexes) void this.#sealOlderRows()
    const noteSlow = slowQueryTeller(log, reading.slowQueryMs)
    const records = new SqliteRecords(reader, this.#state, this.#pool, writes, {
      timeBudgetMs,
      demand,
      noteSlow,
      sign,
      bytes,
    })
    const note = (error: unknown) => health.noteRead(error)
    this.records = noting<RecordStore>(records, note)
    this.#readFigures = figureReader({ file, connection, records, pool: this.#pool, writes, lists, health })
    this.accounts = noting<AccountStore>(new SqliteAccounts(connection, this.#state, writes, sign, log), note)
    this.audit = noting<AuditStore>(new SqliteAudit(connection, this.#state, writes, sign), note)
    this.#findMark = connection.prepare<[string], string>('SELECT value FROM mark WHERE name = ?').pluck()
  }

  /** Lists are made on reader threads, and only once they are worth it. */
  #rowIndex(megabytes: number, log: Log): RowIndex {
    return new RowIndex(megabytes * 2 ** 20, (job) => this.#pool.run({ kind: 'list', of: job }), log)
  }

  /** What an older version wrote gets its checksums between the writes of others. */
  async #sealOlderRows(): Promise<void> {
    if (this.#connection.prepare('SELECT 1 FROM sealing').get() === undefined) return
    try {
      while ((await this.#writes.submit({ kind: 'seal', milliseconds: SEALING_SLICE_MS })) === 'more');
    } catch (error) {
      if (this.#connection.open) this.#log.tell(STORE_EVENTS.sealingFailed, {}, error)
    }
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

  figures(): readonly Reading[] {
    assertOpen(this.#connection)
    return this.#readFigures()
  }

  check(progress: (done: number, total: number) => void): Promise<readonly string[]> {
    return this.#pool.run({ kind: 'check' }, { progress })
  }

  async reindex(progress: (done: number, total: number) => void): Promise<void> {
    let step = await this.#writes.submit({ kind: 'reindex', step: 'begin' })
    while (!step.isOver) {
      progress(step.done, step.total)
      step = await this.#writes.submit({ kind: 'reindex', step: 'go-on' })
    }
    await this.#writes.submit({ kind: 'compound', work: { action: 'start-over' } })
    const work = { action: 'work', milliseconds: REINDEX_SLICE_MS } as const
    while ((await this.#writes.submit({ kind: 'compound', work })) === 'more');
  }

  async backup(file: string, progress: (done: number, total: number) => void): Promise<void> {
    await this.#pool.run({ kind: 'backup', target: resolve(file) }, { progress })
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
    await this.#writes.close()
    await this.#pool.close()
    if (!this.#connection.open) return
    this.#mark.close()
    this.#connection.close()
    const obstacle = this.#writes.readOnly ? null : settleLog(this.#file)
    if (obstacle !== null) this.#log.tell(STORE_EVENTS.logNotSettled, { reason: obstacle })
  }
}
