import { Session } from 'node:inspector'
import { afterEach, beforeAll } from 'vitest'
import { LONGEST_TURN_MS, type LongTurn, watchTurns } from '../../src/http/server/long-turns.ts'
import { stacksOf, type TurnProfile } from './turn-profile.ts'

/**
 * Makes a test fail in which a turn of the event loop was too long by what the program did in it, and says what that was. What the test itself does
 * does not count, and neither does time in which the thread had no processor.
 */
const SAMPLED_EVERY_MICROS = 2000

const turns: LongTurn[] = []
let session = new Session()
let endWatch = () => {}

/** What the profiler needs to stop and to start is no turn of the program's. */
function watchAnew(): void {
  endWatch()
  turns.length = 0
  endWatch = watchTurns((turn) => turns.push(turn))
}

function post<Result>(method: string, parameters: object = {}): Result | undefined {
  let answer: Result | undefined
  session.post(method, parameters, (error, result) => {
    if (error !== null) throw error
    answer = result as Result
  })
  return answer
}

beforeAll(() => {
  session = new Session()
  session.connect()
  post('Profiler.enable')
  post('Profiler.setSamplingInterval', { interval: SAMPLED_EVERY_MICROS })
  post('Profiler.start')
  watchAnew()
  return () => {
    endWatch()
    post('Profiler.stop')
    session.disconnect()
  }
})

afterEach(() => {
  const long = turns.splice(0)
  if (long.length === 0) return
  const profile = post<{ readonly profile: TurnProfile }>('Profiler.stop')?.profile
  post('Profiler.start')
  watchAnew()
  if (profile === undefined) throw new Error('the profiler has ended')
  const faults = long
    .map((turn) => stacksOf(profile, turn))
    .filter(({ milliseconds }) => milliseconds > LONGEST_TURN_MS)
    .map(({ milliseconds, stacks }) => `${milliseconds.toFixed(0)} ms\n${stacks.join('\n')}`)
  if (faults.length > 0) throw new Error(`turns of the event loop were too long: ${faults.join('\n')}`)
})
