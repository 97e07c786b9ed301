import { statSync } from 'node:fs'
import type { Reading } from '../../kernel/figures.ts'
import { STORE_FIGURES } from '../figures.ts'
import type { SharedChunks } from '../segments/column-cache.ts'
import { readingFigures } from '../threads/long-reads.ts'
import type { Connection } from './base/database.ts'
import type { SqliteReaders } from './read/read-job.ts'
import type { SqliteRecords } from './sqlite-records.ts'
import { freeBytesBeside, type StorageHealth } from './write/storage-health.ts'
import type { WriteQueue } from './write/write-queue.ts'

export interface StoreParts {
  readonly file: string
  readonly connection: Connection
  readonly records: SqliteRecords
  readonly pool: SqliteReaders
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
    const written = writes.figures
    return [
      ...readingFigures(records.counts, pool.figures, chunks),
      [STORE_FIGURES.segments, segments.get() ?? 0],
      [STORE_FIGURES.tail, tail.get() ?? 0],
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
