import { openSync, readSync } from 'node:fs'

/** Tells how many milliseconds of processor time a thread has had, since whenever. */
export type ThreadClock = () => number

/** Longer than what the kernel writes: three numbers of up to twenty digits. */
const LINE_BYTES = 64
const NANOSECONDS = 1e6

let own: ThreadClock | null = null

/**
 * The processor time of the calling thread, by what Linux tells of it; elsewhere the time that passes, which on a busy machine is more.
 * The file stays open for as long as the thread lives.
 */
export function threadClock(): ThreadClock {
  own ??= schedulerClock() ?? (() => performance.now())
  return own
}

/** Null where the system does not tell. */
function schedulerClock(): ThreadClock | null {
  try {
    const descriptor = openSync('/proc/thread-self/schedstat', 'r')
    const line = Buffer.alloc(LINE_BYTES)
    const read = () => Number.parseInt(line.toString('latin1', 0, readSync(descriptor, line, 0, LINE_BYTES, 0)), 10)
    return Number.isFinite(read()) ? () => read() / NANOSECONDS : null
  } catch {
    return null
  }
}
