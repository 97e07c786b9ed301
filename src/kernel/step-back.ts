import { setPriority } from 'node:os'

/**
 * How much a thread steps back behind the one that answers requests, as setpriority(2) has it, which Linux applies to one thread. Of a busy processor,
 * what stores and reads gets a quarter, what makes records and finds their symmetry a tenth.
 */
const NICENESS = { store: 5, work: 10 } as const

/** Has the calling thread step back: where two processors have three threads to run, the one that answers requests comes first. */
export function stepBack(does: keyof typeof NICENESS): void {
  try {
    if (process.platform === 'linux') setPriority(0, NICENESS[does])
  } catch {
    // Where that is not allowed, the thread works on as an equal.
  }
}
