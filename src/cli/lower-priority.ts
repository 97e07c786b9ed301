import { setPriority } from 'node:os'

/** A third of the share of a process that has none, which is enough for one thread of a server to have a core of its own. */
const NICENESS = 5

/** Lets other processes go first, a server over the same data above all, for as long as this one lasts. */
export function lowerPriority(): void {
  try {
    setPriority(NICENESS)
  } catch {
    // Where the system does not allow it, the work is done all the same.
  }
}
