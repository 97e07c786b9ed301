import type { Connection } from '../base/database.ts'
import type { NumberedJob, WriteJob, WriteRequest } from './write-job.ts'

/** Most jobs in one commit: waiting readers and other processes get their turn in between. */
const MOST_JOBS = 256
/** Records of bulk writes in one commit. The more, the less is written for each, and the longer others have to wait. */
const MOST_RECORDS = 4000
const MOST_RECORDS_BESIDE_OTHERS = 500
/** For how long after a write that somebody waits for another one is expected. */
const OTHERS_MS = 2000

/** The jobs of one commit, and the request after them if it was taken already. */
export interface GatheredBatch {
  readonly batch: readonly NumberedJob[]
  readonly next: WriteRequest | undefined
}

/** Decides what shares a commit: jobs that somebody waits for, or bulk writes: as many as come, unless somebody else has written lately. */
export function batchGatherer(
  clock: () => number = () => performance.now(),
): (first: NumberedJob, receive: () => WriteRequest | undefined) => GatheredBatch {
  let lastOther = Number.NEGATIVE_INFINITY
  return (first, receive) => {
    const isBulk = recordsOf(first.job) > 0
    if (isWaitedFor(first.job)) lastOther = clock()
    const mostRecords = clock() - lastOther > OTHERS_MS ? MOST_RECORDS : MOST_RECORDS_BESIDE_OTHERS
    const batch = [first]
    let records = recordsOf(first.job)
    while (batch.length < MOST_JOBS && records < mostRecords) {
      const next = receive()
      if (next === undefined) break
      if (next === 'close' || recordsOf(next.job) > 0 !== isBulk) return { batch, next }
      batch.push(next)
      records += recordsOf(next.job)
    }
    return { batch, next: undefined }
  }
}

/** Whether a client waits for a job by itself; what the store does on its own account, such as merging, waits for others as long as it takes. */
function isWaitedFor(job: WriteJob): boolean {
  return job.kind === 'apply' || (job.kind === 'account' && job.write.action !== 'touchToken')
}

/** Records that a bulk write writes; 0 for any other job. */
function recordsOf(job: WriteJob): number {
  return job.kind === 'applyEach' ? job.changes.length : 0
}

/** Time that a batch waits for the writes of other processes before it is given up. */
export const PATIENCE_MS = 15_000
const INTERVAL_MS = 1
/** A batch that took this long is followed by a gap, in which another process gets its turn. */
const LONG_BATCH_MS = 20
const GAP_MS = 2

const never = new Int32Array(new SharedArrayBuffer(4))

/** Prepares a connection that only writes. SQLite's waiting asks ever more seldom: beside a process that writes without end it found no gap. */
export function writeBeginner(connection: Connection, patienceMs = PATIENCE_MS): () => number {
  connection.pragma('busy_timeout = 0')
  const begin = connection.prepare('BEGIN IMMEDIATE')
  return () => {
    const deadline = performance.now() + patienceMs
    for (;;) {
      try {
        begin.run()
        return performance.now()
      } catch (error) {
        if (!isBusy(error) || performance.now() >= deadline) throw error
        pause(INTERVAL_MS)
      }
    }
  }
}

/** Lets the writers of other processes go first after a long batch. */
export function leaveGap(began: number): void {
  if (performance.now() - began >= LONG_BATCH_MS) pause(GAP_MS)
}

/** Tells whether another process was in the way. */
export function isBusy(error: unknown): boolean {
  return error instanceof Error && 'code' in error && /^SQLITE_(BUSY|LOCKED)/.test(String(error.code))
}

function pause(milliseconds: number): void {
  Atomics.wait(never, 0, 0, milliseconds)
}
