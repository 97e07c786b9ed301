import { setImmediate } from 'node:timers/promises'

/** Milliseconds of work after which others have their turn on the thread. */
const WORK_MS = 2

/** Lets others have their turn between the steps of work that is done without waiting for anything. */
export class Pauses {
  #began = performance.now()

  /** Waits for the rest of the turn of the event loop, when the work has lasted since the last pause. */
  async take(): Promise<void> {
    if (performance.now() - this.#began < WORK_MS) return
    await setImmediate()
    this.#began = performance.now()
  }
}
