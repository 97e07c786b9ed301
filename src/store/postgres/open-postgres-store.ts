import { systemClock } from '../../kernel/clock.ts'
import { type Log, SILENT_LOG } from '../../kernel/log.ts'
import { Shares, Spending, type Turns } from '../../kernel/turns.ts'
import type { Progress } from '../../kernel/worker-channel.ts'
import { type AuditBounds, signer } from '../changes/audit-entries.ts'
import { DEFAULT_MOST_REVISIONS } from '../changes/record-tables.ts'
import { STORE_EVENTS } from '../events.ts'
import { NumberCipher } from '../number-cipher.ts'
import { NO_STORAGE_LIMITS } from '../port/record-store.ts'
import type { RowSource } from '../port/rows.ts'
import type { Store } from '../port/store.ts'
import { DEFAULT_SEGMENT_SIZES } from '../segments/segment-sizes.ts'
import { slowQueryTeller } from '../threads/long-reads.ts'
import {
  BOUNDLESS,
  DEFAULT_READER_THREADS,
  DEFAULT_TIME_BUDGET_MS,
  memoryOf,
  NOBODY,
  type StoreOptions,
} from '../threads/store-options.ts'
import { connect, disconnect } from './base/database.ts'
import { openFault } from './base/faults.ts'
import { PostgresRecords } from './postgres-records.ts'
import { PostgresStore } from './postgres-store.ts'
import { openReader } from './read/open-reader.ts'
import { openReaders, type ReadThreadData } from './read/read-job.ts'
import { openPostgresSnapshot } from './rows/open-rows.ts'
import { assertMoved, MIGRATIONS, migrate, programOf, readNumberKey } from './schema/migrate.ts'
import { assertIsReplica, weaknessesOf } from './schema/server-check.ts'
import { areHomesSpread } from './schema/spread.ts'
import { Tending } from './tending.ts'
import { AuditAge } from './write/audit-lines.ts'
import { RecordWrites } from './write/record-writes.ts'

export interface PostgresStoreOptions extends StoreOptions {
  /** `postgres://…`, as in the documentation of libpq. */
  readonly url: string
  /** A replica of the server, which what does not change is read from. */
  readonly replicaUrl?: string
  /** Whether a database without tables gets them; else it is refused. */
  readonly creates?: boolean
  /** Time that a write may wait and take before it is given up. */
  readonly writeTimeoutMs?: number
  /** Whether each home is asked for by itself, as where they are spread over machines; for tests. */
  readonly areSpread?: boolean
  /** Limits of the audit; without them, all of it is kept, and nobody looks. */
  readonly audit?: AuditBounds
  /** Turns of users on the request thread; without it, nobody waits for one. */
  readonly turns?: Turns
  /** Hears of each statement that is sent; for tests. */
  readonly onStatement?: (text: string) => void
  /** Writes rows to a file of another store, for backups: the app knows one. */
  readonly writeBackup?: (source: RowSource, file: string, progress: Progress) => Promise<void>
}

/** Connections of the request thread for questions, and for writes; a reader thread has one, and so has the thread that merges. */
const READING = 4
const WRITING = 3
const DEFAULT_WRITE_TIMEOUT_MS = 30_000

/** Opens a database, bringing it up to date first. */
export async function openPostgresStore(options: PostgresStoreOptions): Promise<Store> {
  const {
    url,
    timeBudgetMs = DEFAULT_TIME_BUDGET_MS,
    writeTimeoutMs = DEFAULT_WRITE_TIMEOUT_MS,
    log = SILENT_LOG,
    self = NOBODY,
    onStatement,
  } = options
  const of = { url, program: programOf(MIGRATIONS), onStatement }
  const writing = connect({ ...of, connections: WRITING, statementTimeoutMs: writeTimeoutMs })
  const sql = connect({ ...of, connections: READING, statementTimeoutMs: timeBudgetMs })
  const replica =
    options.replicaUrl === undefined
      ? null
      : connect({ ...of, url: options.replicaUrl, connections: READING, statementTimeoutMs: timeBudgetMs })
  try {
    const weaknesses = await weaknessesOf(url, sql, writing)
    // Commands are told nothing that the servers say.
    if (self.via === 'server') for (const reason of weaknesses) log.tell(STORE_EVENTS.databaseWeak, { reason })
    await migrate(writing, options.creates ?? true)
    await assertMoved(sql)
    const areSpread = options.areSpread ?? (await areHomesSpread(sql))
    const key = await readNumberKey(sql)
    if (replica !== null) await assertIsReplica(replica, key)
    const cipher = new NumberCipher(key)
    const memory = memoryOf(options)
    const reader = openReader({ sql, replica, cipher, areSpread, memory: memory.ofRequests })
    const { clock = systemClock } = options
    const sizes = options.segmentSizes ?? DEFAULT_SEGMENT_SIZES
    const threads = {
      url,
      replicaUrl: options.replicaUrl,
      program: of.program,
      timeBudgetMs,
      writeTimeoutMs,
      areSpread,
      numberKey: key,
      memory: memory.ofReader,
      sizes,
    }
    const { readers, tending } = startThreads(threads, options, log)
    readers.onChunks = reader.columns.putAll
    const writes = new RecordWrites(
      writing,
      {
        cipher,
        mostRevisions: options.mostRevisions ?? DEFAULT_MOST_REVISIONS,
        limits: options.limits ?? NO_STORAGE_LIMITS,
        sizes,
        onSealed: (shelf) => tending.noteWritten(shelf),
      },
      writeTimeoutMs,
    )
    const auditAge = options.audit === undefined ? null : new AuditAge(writing, { bounds: options.audit, clock, log })
    const sign = signer(self, clock)
    const noteSlow = slowQueryTeller(log, options.slowQueryMs ?? 0)
    const bytes = options.bytes ?? new Shares(BOUNDLESS)
    const records = new PostgresRecords(reader, writes, {
      readers,
      turns: options.turns ?? null,
      timeBudgetMs,
      noteSlow,
      sign,
      bytes,
    })
    return new PostgresStore({
      sql,
      writing,
      replica,
      writeTimeoutMs,
      homes: reader.homes,
      readers,
      records,
      writes,
      tending,
      auditAge,
      columns: reader.columns,
      sizes,
      writeBackup: backupWriter(options),
      sign,
      log,
      timeBudgetMs,
    })
  } catch (error) {
    await Promise.all([sql, writing, ...(replica === null ? [] : [replica])].map(disconnect))
    throw openFault(error)
  }
}

/** Those that read what takes long, and one that merges; each begins when there is something for it. */
function startThreads(data: ReadThreadData, options: PostgresStoreOptions, log: Log) {
  const { readerThreads = DEFAULT_READER_THREADS, spending = new Spending(), tends = true } = options
  const readers = openReaders(data, readerThreads, log)
  readers.onSpent = spending.note
  return { readers, tending: new Tending(openReaders(data, 1, log), { log, tends }) }
}

/** Backs up one state of the database, in a connection of its own. */
function backupWriter({ url, writeBackup }: PostgresStoreOptions): Store['backup'] {
  return async (file, progress) => {
    if (writeBackup === undefined) throw new Error('The store was opened without what writes a backup.')
    const source = await openPostgresSnapshot(url)
    try {
      await writeBackup(source, file, progress)
    } finally {
      await source.close()
    }
  }
}
