import { setTimeout as sleep } from 'node:timers/promises'
import { startCpuClock } from './process-figures.ts'

const LOOK_MS = 300
const IDLE_SHARE = 0.03
const PATIENCE_MS = 300_000

/**
 * Waits until the processes of a server have nothing left to do by itself: segments that it merges, and what it computes beside answers. What a server
 * takes that does not come to rest would be measured with it. Gives the milliseconds until it had nothing more to do.
 */
export async function settle(pids: readonly number[]): Promise<number> {
  const started = performance.now()
  let rest = started
  const end = performance.now() + PATIENCE_MS
  for (let quiet = 0; quiet < 2; ) {
    if (performance.now() > end) throw new Error(`a server is not idle after ${PATIENCE_MS / 1000} s`)
    const cpu = startCpuClock(pids)
    await sleep(LOOK_MS)
    quiet = cpu() / 1000 < LOOK_MS * IDLE_SHARE ? quiet + 1 : 0
    if (quiet === 0) rest = performance.now()
  }
  return rest - started
}
