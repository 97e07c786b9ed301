import { readdirSync } from 'node:fs'
import { getPriority, setPriority } from 'node:os'

/**
 * Niceness of a thread behind the one that answers requests, as in setpriority(2), which Linux applies to one thread. Beside one that
 * is busy, what stores and reads gets two fifths of a processor, what makes records and finds their symmetry three tenths: with less, there would
 * be next to nothing left of it beside other programs, which come before it, too.
 */
const NICENESS = { store: 2, work: 4 } as const

/** Has the calling thread step back: where two processors have three threads to run, the one that answers requests comes first. */
export function stepBack(does: keyof typeof NICENESS): void {
  setNiceness([0], NICENESS[does])
}

/** Has all threads but the calling one step back: V8's, there from the start, compile and collect mostly for those that step back. */
export function stepAhead(): void {
  if (process.platform !== 'linux') return
  const others = readdirSync('/proc/self/task').filter((thread) => Number(thread) !== process.pid)
  setNiceness(others.map(Number), NICENESS.store)
}

/** 0 is the calling thread. A thread of a process that has stepped back further, as an import does, stays where it is. */
function setNiceness(threads: readonly number[], niceness: number): void {
  if (process.platform !== 'linux') return
  for (const thread of threads) {
    try {
      if (getPriority(thread) < niceness) setPriority(thread, niceness)
    } catch {
      // The thread has ended, or this is not allowed: it works on as an equal.
    }
  }
}
