import { statSync } from 'node:fs'
import type { Reading } from '../../kernel/figures.ts'
import { STORE_FIGURES } from '../figures.ts'
import type { SharedChunks } from '../segments/column-cache.ts'
import type { Connection } from './base/database.ts'
import type { ReaderPool } from './read/reader-pool.ts'
import type { SqliteRecords } from './sqlite-records.ts'
import { freeBytesBeside, type StorageHealth } from './write/storage-health.ts'
import type { WriteQueue } from './write/write-queue.ts'

/** Whatever has figures in the embedded store. */
export interface StoreParts {
  readonly file: string
  readonly connection: Connection
  readonly records: SqliteRecords
  readonly pool: ReaderPool
  readonly writes: WriteQueue
  readonly chunks: SharedChunks
  readonly health: StorageHealth
}

/** Prepares the reading of the store's figures, which looks at nothing large. */
export function figureReader({
  file,
  connection,
  records,
  pool,
  writes,
  chunks,
  health,
}: StoreParts): () => readonly Reading[] {
  const segments = connection.prepare<[], number>('SELECT count(*) FROM segment').pluck()
  const tail = connection.prepare<[], number>('SELECT count(*) FROM tail').pluck()
  return () => {
    const { pages, columns, loaded, byDocument, long, timeOuts } = records.counts
    const { threads, busy, waiting } = pool.figures
    const written = writes.figures
    return [
      [STORE_FIGURES.pages, Object.entries(pages)],
      [STORE_FIGURES.columns, columns],
      [STORE_FIGURES.columnsLoaded, loaded],
      [STORE_FIGURES.documentsRead, byDocument],
      [STORE_FIGURES.columnBytes, chunks.bytes],
      [STORE_FIGURES.segments, segments.get() ?? 0],
      [STORE_FIGURES.tail, tail.get() ?? 0],
      [STORE_FIGURES.longReads, long],
      [STORE_FIGURES.timeOuts, timeOuts],
      [STORE_FIGURES.readerThreads, threads],
      [STORE_FIGURES.readersBusy, busy],
      [STORE_FIGURES.readersWaiting, waiting],
      [STORE_FIGURES.writerWaiting, written.waiting],
      [STORE_FIGURES.writes, written.asked],
      [STORE_FIGURES.writesFailed, written.failed],
      [STORE_FIGURES.databaseBytes, sizeOf(file)],
      [STORE_FIGURES.logBytes, sizeOf(`${file}-wal`)],
      [STORE_FIGURES.freeBytes, freeBytesBeside(file)],
      [STORE_FIGURES.writable, Number(health.complaint() === null)],
    ]
  }
}

/** The log is not there while nobody has written. */
function sizeOf(file: string): number {
  return statSync(file, { throwIfNoEntry: false })?.size ?? 0
}
