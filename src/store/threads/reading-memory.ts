/** Bytes that a thread may keep of what it reads. */
export interface ThreadMemory {
  /** Columns at hand, beside what threads share of them. */
  readonly columns: number
  /** Shared chunks that a reader thread knows. */
  readonly chunks: number
  readonly documents: number
  /** Places of records, and records of tails. */
  readonly views: number
  readonly selections: number
}

export interface ReadingMemory {
  /** Columns that all threads see, and what was worked out from them. */
  readonly shared: number
  /** Memory of the request thread and each reader thread: mostly by turns, so that together they seldom have as much. */
  readonly ofThread: ThreadMemory
}

/** For a lab's server; enough for the columns that a million records are asked for. */
export const DEFAULT_MEMORY_MB = 256

export function memoryOf(megabytes: number): ReadingMemory {
  const share = (percent: number): number => Math.floor((megabytes * 2 ** 20 * percent) / 100)
  const ofThread = {
    columns: share(10),
    chunks: share(30),
    documents: share(20),
    views: share(15),
    selections: share(5),
  }
  return { shared: share(50), ofThread }
}
