import type { Log } from '../../../kernel/log.ts'
import { workerEntry } from '../../../kernel/worker-entry.ts'
import { ReaderPool } from '../../threads/reader-pool.ts'
import type { PostgresReaders, ReadResults, ReadThreadData } from './read-job.ts'

/** Time after the limit, to find out whether the server is there: that is another error. */
const GRACE_MS = 1500

export function openReaders(data: ReadThreadData, size: number, log: Log): PostgresReaders {
  const entry = workerEntry('store/postgres/read/read-thread.ts')
  return new ReaderPool<ReadResults>({ entry, data, size, graceMs: GRACE_MS }, log)
}
