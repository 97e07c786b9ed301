import { setPriority } from 'node:os'

/** A tenth of the share of a process that has none: reads of a server beside an import keep most of their rate. */
const NICENESS = 10

/** Lets other processes go first, a server over the same data above all, for as long as this one lasts. */
export function lowerPriority(): void {
  try {
    setPriority(NICENESS)
  } catch {
    // Where the system does not allow it, the work is done all the same.
  }
}
