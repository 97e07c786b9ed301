import type { Log } from '../../../kernel/log.ts'
import { workerEntry } from '../../../kernel/worker-entry.ts'
import { ReaderPool } from '../../threads/reader-pool.ts'
import type { ReadResults, ReadThreadData, SqliteReaders } from './read-job.ts'

export function openReaders(data: ReadThreadData, size: number, log: Log, idleMs?: number): SqliteReaders {
  const entry = workerEntry('store/sqlite/read/read-thread.ts')
  return new ReaderPool<ReadResults>(
    { entry, data, size, alone: ['check', 'backup'], ...(idleMs === undefined ? {} : { idleMs }) },
    log,
  )
}
