import { afterEach, beforeAll } from 'vitest'
import { LONGEST_TURN_MS, type LongTurn, watchTurns } from '../../src/http/server/long-turns.ts'
import { RunningProfiler } from './running-profiler.ts'
import { stacksOf } from './turn-profile.ts'

/**
 * Makes a test fail in which a turn of the event loop was too long by what the program did in it, and says what that was. What the test itself does
 * does not count, and neither does time in which the thread had no processor.
 */
const turns: LongTurn[] = []
/** To write 9 MiB to a socket takes 5 ms on one machine and 100 on another; what is looked for grows with what comes, and takes more on any. */
const MOST_MS = 4 * LONGEST_TURN_MS
let endWatch = () => {}

/** What the profiler needs to stop and to start is no turn of the program's. */
function watchAnew(): void {
  endWatch()
  turns.length = 0
  endWatch = watchTurns((turn) => turns.push(turn))
}

beforeAll(() => {
  const profiler = RunningProfiler.ofThisProcess()
  profiler.begin()
  watchAnew()
  return () => {
    endWatch()
    profiler.end()
  }
})

afterEach(() => {
  const long = turns.splice(0)
  if (long.length === 0) return
  const profiler = RunningProfiler.ofThisProcess()
  const profile = profiler.end()
  profiler.begin()
  watchAnew()
  const faults = long
    .map((turn) => stacksOf(profile, turn))
    .filter(({ milliseconds }) => milliseconds > MOST_MS)
    .map(({ milliseconds, stacks }) => `${milliseconds.toFixed(0)} ms\n${stacks.join('\n')}`)
  if (faults.length > 0) throw new Error(`turns of the event loop were too long: ${faults.join('\n')}`)
})
