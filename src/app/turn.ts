import { newId } from '../kernel/names.ts'
import type { Services } from './open-services.ts'

/** Time for which one of several processes over the same data keeps its turn after its last step. */
const TURN_MS = 60_000

/** Turn of this process at some work, of several over the same data. Two at a time would only do the same work twice. */
export class WorkTurn {
  readonly #services: Services
  readonly #mark: string
  readonly #self: string
  readonly #turnMs: number
  #othersUntil = 0

  constructor(services: Services, mark: string, turnMs = TURN_MS) {
    this.#services = services
    this.#mark = mark
    this.#self = newId(services.records.random)
    this.#turnMs = turnMs
  }

  /** Says whether it is, and keeps it a while longer. */
  async isOurs(): Promise<boolean> {
    const { store, records } = this.#services
    const now = records.clock()
    const held = await store.readMark(this.#mark)
    const [holder = '', until = '0'] = (held ?? '').split(' ')
    const isHeld = Number(until) > now + (holder === this.#self ? this.#turnMs / 2 : 0)
    this.#othersUntil = isHeld && holder !== this.#self ? Number(until) : 0
    if (isHeld) return holder === this.#self
    return store.moveMark(this.#mark, held, `${this.#self} ${now + this.#turnMs}`)
  }

  /** Keeps it while something is done that may last longer than it. What keeps it from being kept shows when it is asked for again. */
  async during<Result>(work: () => Promise<Result>): Promise<Result> {
    let keeping: Promise<unknown> = Promise.resolve()
    const keep = () => {
      keeping = keeping.then(() => this.isOurs()).catch(() => {})
    }
    const timer = setInterval(keep, this.#turnMs / 4).unref()
    try {
      return await work()
    } finally {
      clearInterval(timer)
      // Two that keep it at a time would keep each other from it.
      await keeping
    }
  }

  /** Lets another process have it at once. */
  async end(): Promise<void> {
    const { store } = this.#services
    const held = await store.readMark(this.#mark)
    if (held?.startsWith(`${this.#self} `) === true) await store.moveMark(this.#mark, held, '')
  }

  /** Milliseconds until the work is looked at again: sooner where another process has the turn, which may have been killed. */
  pauseOf(againMs: number): number {
    if (this.#othersUntil === 0) return againMs
    return Math.min(againMs, Math.max(1, this.#othersUntil - this.#services.records.clock()))
  }
}
