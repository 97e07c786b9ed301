import { ownThreadClock, type ThreadClock } from '../../kernel/clock.ts'
import type { Log } from '../../kernel/log.ts'
import type { Reading } from '../../kernel/metrics.ts'
import { HTTP_EVENTS } from '../events.ts'
import { HTTP_METRICS } from '../metrics.ts'

/** A turn of the event loop that takes more processor time has kept everybody waiting. */
export const LONGEST_TURN_MS = 50
/** Between two looks: what is told of a turn is more than it took by at most this. */
const LOOK_EVERY_MS = 20

/** A turn that was too long, as `performance.now()` has its times. */
export interface LongTurn {
  readonly began: number
  readonly ended: number
  /** Processor time of the thread, in milliseconds. */
  readonly spent: number
}

export interface TurnClocks {
  readonly now: () => number
  readonly thread: Pick<ThreadClock, 'spentMs'>
}

/** Finds turns of the event loop that kept all waiting: a look is late by what a turn took; time without a processor does not count. */
export class TurnWatch {
  readonly #clocks: TurnClocks
  #looked: number
  #spent: number

  constructor(clocks: TurnClocks = { now: () => performance.now(), thread: ownThreadClock() }) {
    this.#clocks = clocks
    this.#looked = clocks.now()
    this.#spent = this.#spentByNow()
  }

  /** The long turn since the look before; null where there was none. */
  look(): LongTurn | null {
    const before = { looked: this.#looked, spent: this.#spent }
    this.#looked = this.#clocks.now()
    this.#spent = this.#spentByNow()
    const late = this.#looked - before.looked - LOOK_EVERY_MS
    const spent = Math.min(late, this.#spent - before.spent)
    return spent > LONGEST_TURN_MS ? { began: before.looked, ended: this.#looked, spent } : null
  }

  /** Takes elapsed time where the system does not tell: on a busy machine that is more. */
  #spentByNow(): number {
    return this.#clocks.thread.spentMs ?? this.#looked
  }
}

/** Watches the thread that it begins on; gives the way to end it. */
export function watchTurns(onLong: (turn: LongTurn) => void, clocks?: TurnClocks): () => void {
  const watch = new TurnWatch(clocks)
  const timer = setInterval(() => {
    const turn = watch.look()
    if (turn !== null) onLong(turn)
  }, LOOK_EVERY_MS).unref()
  return () => clearInterval(timer)
}

/** Tells the log of long turns of the request thread, and counts them. */
export class LongTurns {
  readonly #log: Log
  #count = 0
  #milliseconds = 0

  constructor(log: Log) {
    this.#log = log
  }

  readonly note = ({ spent }: LongTurn): void => {
    this.#count += 1
    this.#milliseconds += spent
    this.#log.tell(HTTP_EVENTS.turnTooLong, { milliseconds: Math.round(spent) })
  }

  get metrics(): readonly Reading[] {
    return [
      [HTTP_METRICS.longTurns, this.#count],
      [HTTP_METRICS.longTurnSeconds, this.#milliseconds / 1000],
    ]
  }
}
