import { closeSync, openSync, readlinkSync, readSync } from 'node:fs'
import { setImmediate } from 'node:timers/promises'

/** Tells the time as milliseconds since 1970-01-01T00:00Z; injected so that expiry can be tested without waiting. */
export type Clock = () => number

export const systemClock: Clock = () => Date.now()

/** Writes an instant the way records keep it: ISO 8601 with milliseconds and Z. */
export function isoInstant(milliseconds: number): string {
  return new Date(milliseconds).toISOString()
}

/** Number by which the operating system knows the calling thread, by `/proc/thread-self` of Linux; null where it does not tell. */
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

let own: ThreadClock | null = null

export function ownThreadClock(): ThreadClock {
  own ??= threadClock(threadNumber())
  return own
}

function openClock(thread: number): number | null {
  try {
    return openSync(`/proc/self/task/${thread}/schedstat`, 'r')
  } catch {
    return null
  }
}

/** Milliseconds of work after which others have their turn on the thread. */
const WORK_MS = 2

/** Lets others have their turn between the steps of work that is done without waiting for anything. */
export class Pauses {
  #began = performance.now()

  /** Waits for the rest of the turn of the event loop, when the work has lasted since the last pause. */
  async take(): Promise<void> {
    if (performance.now() - this.#began < WORK_MS) return
    await setImmediate()
    this.#began = performance.now()
  }
}
