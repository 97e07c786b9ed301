import type { Log } from '../../kernel/log.ts'
import { STORE_EVENTS } from '../events.ts'
import type { SegmentSizes } from '../segments/segment-sizes.ts'
import type { Connection } from './base/database.ts'
import type { CurrentState } from './read/current-state.ts'
import type { SqliteReaders } from './read/read-job.ts'
import type { WriteJob } from './write/write-job.ts'
import type { WriteQueue } from './write/write-queue.ts'

/** Wait after a write: more writes make more to merge. */
const AFTER_WRITE_MS = 200
/** So long after the last write, or after the start, which many first questions follow, it is quiet. */
const QUIET_MS = 3000
/** Interval between looks for what other processes have left to do. */
const LOOK_EVERY_MS = 10_000

export interface TendedStore {
  readonly connection: Connection
  readonly state: CurrentState
  /** Threads that have nothing else to do. */
  readonly pool: SqliteReaders
  readonly writes: WriteQueue
  readonly sizes: SegmentSizes
  readonly log: Log
  /** Tells how many milliseconds have passed, since whenever. */
  readonly now?: () => number
}

/** Keeps segments few and full beside all other work: goes on making them anew, merges small ones, lets dead rows go, seals tails in quiet. */
export class Tending {
  readonly #store: TendedStore
  readonly #now: () => number
  readonly #backlog
  #timer: NodeJS.Timeout | null = null
  #isWorking = false
  #isFirstLook = true
  #isDueSoon = false
  #lastWrite = Number.NEGATIVE_INFINITY
  /** The change mark of the state in which nothing was left to do, also in quiet: nobody has written since. */
  #settled: number | null = null
  #isOver = false

  constructor(store: TendedStore) {
    this.#store = store
    const { connection, now = () => performance.now() } = store
    this.#now = now
    this.#backlog = connection.prepare('SELECT 1 FROM backlog')
  }

  begin(): void {
    this.#lastWrite = this.#now()
    this.#isDueSoon = true
    this.#wait(0)
  }

  /** There may be more to do by now: it is not waited for the next look. What is written here disturbs no quiet. */
  noteWrite({ kind }: Pick<WriteJob, 'kind'>): void {
    if (kind === 'merge' || kind === 'seal') return
    this.#lastWrite = this.#now()
    if (this.#isWorking || this.#isDueSoon) return
    this.#isDueSoon = true
    this.#wait(AFTER_WRITE_MS)
  }

  end(): void {
    this.#isOver = true
    if (this.#timer !== null) clearTimeout(this.#timer)
  }

  #wait(milliseconds: number): void {
    if (this.#isOver) return
    if (this.#timer !== null) clearTimeout(this.#timer)
    this.#timer = setTimeout(() => void this.#work(), milliseconds).unref()
  }

  async #work(): Promise<void> {
    this.#timer = null
    this.#isDueSoon = false
    this.#isWorking = true
    try {
      await this.#takeOver()
      // The first questions after a start need the processors.
      if (!this.#isFirstLook) await this.#merge()
    } catch (error) {
      if (!this.#isOver) this.#store.log.tell(STORE_EVENTS.tendingFailed, {}, error)
    }
    this.#isWorking = false
    this.#isFirstLook = false
    this.#wait(this.#isQuiet() ? LOOK_EVERY_MS : QUIET_MS)
  }

  /** Goes on making segments anew, where that was interrupted. */
  async #takeOver(): Promise<void> {
    const { writes } = this.#store
    while (!this.#isOver && this.#has(this.#backlog)) await writes.submit({ kind: 'backlog' })
  }

  /** Finds each step on another thread, as it takes a look at all homes. */
  async #merge(): Promise<void> {
    const { pool, writes, sizes, state } = this.#store
    while (!this.#isOver) {
      const { mark } = state
      const inQuiet = this.#isQuiet()
      if (mark === this.#settled) return
      const step = await pool.run({ kind: 'tend', inQuiet, sizes })
      if (step === null && inQuiet) this.#settled = mark
      if (step === null || this.#isOver) return
      if ('seal' in step) await writes.submit({ kind: 'seal', shelves: step.seal })
      else await writes.submit({ kind: 'merge', merged: step.merged })
    }
  }

  #isQuiet(): boolean {
    return this.#now() - this.#lastWrite >= QUIET_MS
  }

  #has(statement: { get(): unknown }): boolean {
    // Reads the newest state, without holding it for those who ask later in this turn.
    this.#store.state.end()
    return statement.get() !== undefined
  }
}
