import { existsSync, mkdirSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { systemClock } from '../../kernel/clock.ts'
import { AppError } from '../../kernel/errors.ts'
import { explainFileFault, presenceOf } from '../../kernel/file-fault.ts'
import { SILENT_LOG } from '../../kernel/log.ts'
import { Shares, Spending } from '../../kernel/turns.ts'
import { DEFAULT_AUDIT_BOUNDS } from '../changes/audit-entries.ts'
import { DEFAULT_MOST_REVISIONS } from '../changes/record-tables.ts'
import { STORE_ERRORS } from '../errors.ts'
import { NO_STORAGE_LIMITS } from '../port/record-store.ts'
import type { Store } from '../port/store.ts'
import { DEFAULT_SEGMENT_SIZES } from '../segments/segment-sizes.ts'
import {
  BOUNDLESS,
  DEFAULT_READER_THREADS,
  DEFAULT_TIME_BUDGET_MS,
  memoryOf,
  NOBODY,
  type StoreOptions,
} from '../threads/store-options.ts'
import { type Connection, connect, isDamage, MAIN_CACHE_MB } from './base/database.ts'
import { readFault } from './care/check/findings.ts'
import { createDatabase } from './care/create-database.ts'
import { assertSoundContent, assertSoundFile, damagedFile } from './care/look-first.ts'
import { assertNotEmpty, assertReadable, migrate } from './schema/migrate.ts'
import { SqliteStore } from './sqlite-store.ts'
import { PATIENCE_MS } from './write/gather-batch.ts'
import { StorageHealth } from './write/storage-health.ts'
import { WriteQueue } from './write/write-queue.ts'

/** The database's name within the data directory. */
export const DATABASE_FILE = 'quarry.db'

export interface SqliteStoreOptions extends StoreOptions {
  /** Made if it does not exist. */
  readonly dataDirectory: string
  /** Refuses writes; the database must exist. */
  readonly readOnly?: boolean
  /** With less free space on its disk, what needs room is refused; 0 leaves that to the disk. */
  readonly leastFreeBytes?: number
  /** Time that a write waits for those of other processes before it is refused. */
  readonly patienceMs?: number
  /** Looks whether the content is sound, for some tenths of a second, before anything is written: what a server does. */
  readonly verifies?: boolean
}

/** Opens the database of a data directory, making it or bringing it up to date first. */
export async function openSqliteStore(options: SqliteStoreOptions): Promise<Store> {
  const directory = resolve(options.dataDirectory)
  const file = join(directory, DATABASE_FILE)
  const readOnly = options.readOnly ?? false
  if (!readOnly) prepareFile(directory, file, options)
  const connection = opening(file, () => connectToRead(file))
  const { mostRevisions = DEFAULT_MOST_REVISIONS, limits = NO_STORAGE_LIMITS, audit = DEFAULT_AUDIT_BOUNDS } = options
  const { segmentSizes = DEFAULT_SEGMENT_SIZES, patienceMs = PATIENCE_MS, tends = true, log = SILENT_LOG } = options
  const health = new StorageHealth(file, options.leastFreeBytes ?? 0, log)
  const writer = { file, mostRevisions, audit, limits, segmentSizes, patienceMs }
  const writes = new WriteQueue(writer, readOnly, health, log)
  return new SqliteStore(file, connection, writes, {
    health,
    readerThreads: options.readerThreads ?? DEFAULT_READER_THREADS,
    timeBudgetMs: options.timeBudgetMs ?? DEFAULT_TIME_BUDGET_MS,
    memory: memoryOf(options),
    tends: tends && !readOnly,
    segmentSizes,
    clock: options.clock ?? systemClock,
    slowQueryMs: options.slowQueryMs ?? 0,
    bytes: options.bytes ?? new Shares(BOUNDLESS),
    spending: options.spending ?? new Spending(),
    self: options.self ?? NOBODY,
    log,
  })
}

function prepareFile(directory: string, file: string, { verifies }: SqliteStoreOptions): void {
  opening(file, () => {
    mkdirSync(directory, { recursive: true, mode: 0o700 })
    if (!existsSync(file)) createDatabase(file, Date.now())
    assertNotEmpty(file)
    const state = assertSoundFile(file)
    if (verifies === true) reading(file, (connection) => assertSoundContent(connection, file, state))
    const connection = connect(file, 'write')
    try {
      assertReadable(connection, file)
      migrate(connection, Date.now())
    } finally {
      connection.close()
    }
  })
}

/** A connection that reads leaves the log as it is. */
function reading(file: string, read: (connection: Connection) => void): void {
  const connection = connect(file, 'read')
  try {
    assertReadable(connection, file)
    read(connection)
  } finally {
    connection.close()
  }
}

function connectToRead(file: string): Connection {
  if (presenceOf(file) === 'missing') {
    throw new AppError(STORE_ERRORS.cannotOpen, `There is no database at ${file}.`, {
      hint: 'Name the data directory of a server that has been started once.',
    })
  }
  assertNotEmpty(file)
  const connection = connect(file, 'read', MAIN_CACHE_MB)
  try {
    assertReadable(connection, file)
    return connection
  } catch (error) {
    connection.close()
    throw error
  }
}

/** Opens something of a file, and says in words what is in the way. */
export function opening<T>(file: string, open: () => T): T {
  try {
    return open()
  } catch (error) {
    if (error instanceof AppError) throw error
    if (isDamage(error) && presenceOf(file) === 'there')
      throw damagedFile(file, [`It cannot be read: ${readFault(error)}.`], error)
    const { reason, hint } = explainFileFault(error, file, 'write')
    throw new AppError(STORE_ERRORS.cannotOpen, `The database ${file} cannot be opened: ${reason}.`, { hint }, error)
  }
}
