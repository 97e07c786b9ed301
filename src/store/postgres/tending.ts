import type { Log } from '../../kernel/log.ts'
import { STORE_EVENTS } from '../events.ts'
import type { Shelf } from '../shelf.ts'
import type { PostgresReaders } from './read/read-job.ts'

/** Wait after a write: more writes make more to merge. */
const AFTER_WRITE_MS = 200
/** So long after the last write it is quiet: then there is time to have fewer segments. */
const QUIET_MS = 3000

interface TendingTerms {
  readonly log: Log
  /** Whether it does anything. */
  readonly tends: boolean
}

/** Keeps segments of the shelves that this process writes to few and full. Of processes that merge one shelf, the first with its lock wins. */
export class Tending {
  readonly #threads: PostgresReaders
  readonly #terms: TendingTerms
  readonly #shelves = new Map<string, Shelf<string>>()
  #timer: NodeJS.Timeout | null = null
  #working: Promise<void> | null = null
  #isOver = false

  /** `threads` have nothing else to do. */
  constructor(threads: PostgresReaders, terms: TendingTerms) {
    this.#threads = threads
    this.#terms = terms
  }

  /** Notes a shelf that has got a segment. */
  noteWritten({ home, collection }: Shelf<string>): void {
    if (!this.#terms.tends) return
    this.#shelves.set(JSON.stringify([home, collection]), { home, collection })
    this.#wait(AFTER_WRITE_MS, false)
  }

  async close(): Promise<void> {
    this.#isOver = true
    if (this.#timer !== null) clearTimeout(this.#timer)
    await this.#threads.close()
    await this.#working
  }

  #wait(milliseconds: number, inQuiet: boolean): void {
    if (this.#isOver || this.#timer !== null || this.#working !== null) return
    this.#timer = setTimeout(() => {
      this.#timer = null
      this.#working = this.#work(inQuiet).finally(() => {
        this.#working = null
        if (this.#shelves.size > 0) this.#wait(QUIET_MS, true)
      })
    }, milliseconds).unref()
  }

  async #work(inQuiet: boolean): Promise<void> {
    try {
      for (const [name, shelf] of [...this.#shelves]) {
        if (this.#isOver) return
        if (inQuiet) this.#shelves.delete(name)
        await this.#threads.run({ kind: 'merge', shelf, inQuiet })
      }
    } catch (error) {
      if (!this.#isOver) this.#terms.log.tell(STORE_EVENTS.tendingFailed, {}, error)
    }
  }
}
