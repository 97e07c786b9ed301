import type { Log } from '../../../../kernel/log.ts'
import { STORE_EVENTS } from '../../../events.ts'
import { type BuiltList, bytesOf, type ListJob, type RowOrder, type RowSet } from './row-lists.ts'

/** A list is made when it was missed this often in one state of the database. */
const MISSES_BEFORE_BUILDING = 3
/** A list that a change made useless is made again after this many times as long as making it took. */
const REST = 20
/** Keys that are longer cost more to remember than they save. */
const LONGEST_KEY = 4096
const REMEMBERED_MISSES = 1000

/** Makes a list somewhere else; null when the index does not hold it. */
export type BuildList = (job: ListJob) => Promise<BuiltList | null>

interface Entry extends BuiltList {
  readonly bytes: number
}

interface Misses {
  changes: number
  count: number
  /** While a list is being made, and for as long as making it again would not pay. */
  restUntil: number
}

/**
 * Keeps orders and selections as row numbers in memory, so that a page of a broad query is found by counting instead of
 * by thousands of look-ups. A list is true for one value of its scope's change counter; it is made on a reader thread once it has
 * been missed a few times. The least recently used lists go when there are too many bytes.
 */
export class RowIndex {
  readonly #mostBytes: number
  readonly #build: BuildList
  readonly #log: Log
  readonly #lists = new Map<string, Entry>()
  readonly #misses = new Map<string, Misses>()
  #bytes = 0
  #found = 0
  #missed = 0

  constructor(mostBytes: number, build: BuildList, log: Log) {
    this.#mostBytes = mostBytes
    this.#build = build
    this.#log = log
  }

  get figures(): { readonly bytes: number; readonly found: number; readonly missed: number } {
    return { bytes: this.#bytes, found: this.#found, missed: this.#missed }
  }

  /** The list of a job in the state of the database that has this change counter; null when it is not there yet. */
  find(job: Extract<ListJob, { kind: 'order' }>, changes: number): RowOrder | null
  find(job: Extract<ListJob, { kind: 'set' }>, changes: number): RowSet | null
  find(job: ListJob, changes: number): RowOrder | RowSet | null {
    const key = JSON.stringify(job)
    const found = this.#lists.get(key)
    if (found?.changes === changes) {
      this.#lists.delete(key)
      this.#lists.set(key, found)
      this.#found += 1
      return found.list
    }
    this.#missed += 1
    if (this.#mostBytes > 0 && key.length <= LONGEST_KEY) this.#miss(key, job, changes)
    return null
  }

  #miss(key: string, job: ListJob, changes: number): void {
    const misses = this.#misses.get(key) ?? { changes, count: 0, restUntil: 0 }
    if (this.#misses.size >= REMEMBERED_MISSES) this.#misses.clear()
    this.#misses.set(key, misses)
    if (misses.changes !== changes) misses.count = 0
    misses.changes = changes
    misses.count += 1
    const now = performance.now()
    if (misses.count < MISSES_BEFORE_BUILDING || now < misses.restUntil) return
    misses.restUntil = Number.POSITIVE_INFINITY
    const rest = (): void => {
      const ended = performance.now()
      misses.restUntil = ended + REST * (ended - now)
    }
    this.#build(job)
      .then((built) => {
        if (built !== null) this.#keep(key, built)
      })
      // A list that could not be made is no fault of the request that missed it: it was answered without.
      .catch((error: unknown) => this.#log.tell(STORE_EVENTS.rowListFailed, {}, error))
      .finally(rest)
  }

  #keep(key: string, built: BuiltList): void {
    this.#drop(key)
    const bytes = bytesOf(built.list) + 2 * key.length
    if (bytes > this.#mostBytes) return
    this.#lists.set(key, { ...built, bytes })
    this.#bytes += bytes
    for (const oldest of this.#lists.keys()) {
      if (this.#bytes <= this.#mostBytes) break
      this.#drop(oldest)
    }
  }

  #drop(key: string): void {
    this.#bytes -= this.#lists.get(key)?.bytes ?? 0
    this.#lists.delete(key)
  }
}
