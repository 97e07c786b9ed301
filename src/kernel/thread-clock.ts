import { closeSync, openSync, readlinkSync, readSync } from 'node:fs'

/**
 * The number by which the operating system knows the calling thread; null where it does not tell. Linux: proc(5), `/proc/thread-self`.
 */
export function threadNumber(): number | null {
  try {
    const number = Number(readlinkSync('/proc/thread-self').split('/').at(-1))
    return Number.isSafeInteger(number) ? number : null
  } catch {
    return null
  }
}

/** Tells what a thread of this process has spent on a processor. */
export interface ThreadClock {
  /** Milliseconds; null where the system does not tell, or the thread has ended. */
  readonly spentMs: number | null
  close(): void
}

/** Room for the three numbers that the system tells. */
const ANSWER_BYTES = 96

/** Keeps open where the system tells it: it is asked after every task. */
export function threadClock(thread: number | null): ThreadClock {
  let file = thread === null ? null : openClock(thread)
  const answer = Buffer.alloc(ANSWER_BYTES)
  return {
    get spentMs() {
      if (file === null) return null
      try {
        // The first of three numbers is nanoseconds on a processor (kernel documentation, scheduler/sched-stats).
        const length = readSync(file, answer, 0, ANSWER_BYTES, 0)
        const nanoseconds = Number.parseInt(answer.toString('latin1', 0, length), 10)
        return Number.isFinite(nanoseconds) ? nanoseconds / 1e6 : null
      } catch {
        return null
      }
    },
    close() {
      if (file !== null) closeSync(file)
      file = null
    },
  }
}

function openClock(thread: number): number | null {
  try {
    return openSync(`/proc/self/task/${thread}/schedstat`, 'r')
  } catch {
    return null
  }
}
