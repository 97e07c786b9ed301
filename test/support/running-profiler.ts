import { console as inspected, Session } from 'node:inspector'
import type { TurnProfile } from './turn-profile.ts'

const SAMPLED_EVERY_MICROS = 2000

/** One for each process: it outlives the files of tests that share it. */
const shared = globalThis as { runningProfiler?: RunningProfiler }

/**
 * The profiler of this process, which runs until the process ends. To start it, V8 walks the whole heap; what is begun while it runs costs nothing
 * of that kind, and has a profile of its own.
 */
export class RunningProfiler {
  readonly #session = new Session()
  readonly #finished: TurnProfile[] = []

  static ofThisProcess(): RunningProfiler {
    shared.runningProfiler ??= new RunningProfiler()
    return shared.runningProfiler
  }

  constructor() {
    this.#session.connect()
    this.#session.on('Profiler.consoleProfileFinished', ({ params }) =>
      this.#finished.push(params.profile as TurnProfile),
    )
    this.#session.post('Profiler.enable')
    this.#session.post('Profiler.setSamplingInterval', { interval: SAMPLED_EVERY_MICROS })
    this.#session.post('Profiler.start')
  }

  begin(): void {
    inspected.profile()
  }

  /** What was done since `begin`. */
  end(): TurnProfile {
    inspected.profileEnd()
    const profile = this.#finished.pop()
    if (profile === undefined) throw new Error('the profiler has ended')
    return profile
  }
}
