import type { Connection } from '../database.ts'

/** How long a batch waits for the writes of other processes before it is given up. */
const PATIENCE_MS = 15_000
const INTERVAL_MS = 1
/** A batch that took this long is followed by a gap, in which another process gets its turn. */
const LONG_BATCH_MS = 20
const GAP_MS = 2

const never = new Int32Array(new SharedArrayBuffer(4))

/** Begins a write as soon as no other process is at it; gives the moment. */
export type BeginWrite = () => number

/**
 * Prepares a connection that does nothing but write. SQLite's own waiting asks ever more seldom, up to ten times a second: beside a process
 * that writes without end it would hardly ever come to a gap. So the connection does not wait by itself any more.
 */
export function writeBeginner(connection: Connection): BeginWrite {
  connection.pragma('busy_timeout = 0')
  const begin = connection.prepare('BEGIN IMMEDIATE')
  return () => {
    const deadline = performance.now() + PATIENCE_MS
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
