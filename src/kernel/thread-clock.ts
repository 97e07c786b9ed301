import { readFileSync, readlinkSync } from 'node:fs'

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

/** Milliseconds that a thread of this process has spent on a processor; null where the system does not tell, or it has ended. */
export function processorMs(thread: number | null): number | null {
  if (thread === null) return null
  try {
    // The first of three numbers is nanoseconds on a processor (kernel documentation, scheduler/sched-stats).
    const nanoseconds = Number(readFileSync(`/proc/self/task/${thread}/schedstat`, 'utf8').split(' ')[0])
    return Number.isFinite(nanoseconds) ? nanoseconds / 1e6 : null
  } catch {
    return null
  }
}
