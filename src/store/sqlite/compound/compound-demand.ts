import type { Clock } from '../../../kernel/clock.ts'
import type { Log } from '../../../kernel/log.ts'
import { equalityConditions } from '../../../query/narrow/equality-conditions.ts'
import type { QueryPlan } from '../../../query/plan/query-plan.ts'
import { STORE_EVENTS } from '../../events.ts'
import { inSnapshot } from '../database.ts'
import { targetOf } from '../read/compile-target.ts'
import { compareWalks, walkCost } from '../read/compound/choose-compound.ts'
import { compoundWalk } from '../read/compound/compound-walk.ts'
import { shortEffort } from '../read/effort.ts'
import type { ReadPage } from '../read/read-page.ts'
import type { Reader } from '../read/reader.ts'
import type { CompoundWork } from '../write/write-job.ts'
import type { WriteQueue } from '../write/write-queue.ts'
import { type CompoundIndex, sortText } from './compound-index.ts'

/** Lists that find their page faster than this are fast enough, however often they are asked. */
const FAST_ENOUGH_MS = 0.1
/** An index is asked for when lists of one shape have taken so long in all, */
const COST_MS = 200
/** and were asked so often, */
const RUNS = 10
/** or less often, but for so long. */
const LONG_MS = 2000
/** An index must promise to be so many times faster. */
const GAIN = 2
const REMEMBERED_SHAPES = 1000
const DAY_MS = 86_400_000

interface Spent {
  runs: number
  milliseconds: number
}

/** Watches what lists cost, and has indexes made for shapes of lists that cost much again and again. */
export class CompoundDemand {
  readonly #reader: Reader
  readonly #writes: Pick<WriteQueue, 'submit'>
  readonly #most: number
  readonly #clock: Clock
  readonly #log: Log
  readonly #spent = new Map<string, Spent>()
  /** The day on which the use of an index was noted. */
  readonly #noted = new Map<number, number>()

  constructor(reader: Reader, writes: Pick<WriteQueue, 'submit'>, most: number, clock: Clock, log: Log) {
    this.#reader = reader
    this.#writes = writes
    this.#most = most
    this.#clock = clock
    this.#log = log
  }

  /** Goes on with what an earlier process left unfinished, and gives up what is more than allowed. */
  begin(): void {
    const unfinished = this.#reader.connection
      .prepare<[number], number>(
        `SELECT EXISTS (SELECT 1 FROM compound WHERE state <> 'ready')
           OR EXISTS (SELECT 1 FROM compound GROUP BY collection HAVING count(*) > ?)`,
      )
      .pluck()
    if (unfinished.get(this.#most) === 0) return
    this.#submit({ action: 'keep-at-most', most: this.#most })
  }

  /** Takes note of a page that was read. */
  noteRun(plan: QueryPlan, { page, compound }: ReadPage): void {
    if (compound !== null) this.#noteUse(compound)
    this.#noteCost(plan, page.report.stations.choose, compound)
  }

  /** Takes note of a page that was not found in its time. */
  noteTimeOut(plan: QueryPlan, milliseconds: number): void {
    this.#noteCost(plan, milliseconds, null)
  }

  #noteCost(plan: QueryPlan, milliseconds: number, used: CompoundIndex | null): void {
    if (milliseconds < FAST_ENOUGH_MS || plan.sort.length === 0 || this.#most === 0) return
    const key = shapeOf(plan)
    const spent = this.#spent.get(key) ?? { runs: 0, milliseconds: 0 }
    if (this.#spent.size >= REMEMBERED_SHAPES) this.#spent.clear()
    this.#spent.set(key, spent)
    spent.runs += 1
    spent.milliseconds += milliseconds
    if (spent.milliseconds < COST_MS || (spent.runs < RUNS && spent.milliseconds < LONG_MS)) return
    this.#spent.delete(key)
    const path = this.#pathThatHelps(plan, spent.milliseconds / spent.runs)
    if (path === null || path === used?.path) return
    const { collection, sort } = plan
    this.#submit({ action: 'order', order: { collection, path, sort, day: this.#today(), most: this.#most } })
  }

  /** The condition of the index that would find such pages with the fewest steps; null when none would be much faster. */
  #pathThatHelps(plan: QueryPlan, meanMs: number): string | null {
    const { probeLimit } = shortEffort()
    return inSnapshot(this.#reader.connection, () => {
      const target = targetOf(this.#reader, plan, shortEffort())
      if (target === null) return null
      const [best] = ['', ...equalityConditions(plan.narrowing).map(({ path }) => path)]
        .map((path) => compoundWalk(this.#reader, plan, target, path, probeLimit))
        .filter((walk) => walk !== null)
        .sort((a, b) => compareWalks(this.#reader, plan, target, a, b))
      if (best === undefined) return null
      return GAIN * walkCost(this.#reader, plan, target, best) < 1000 * meanMs ? best.path : null
    })
  }

  #noteUse({ number, usedOn }: CompoundIndex): void {
    const day = this.#today()
    if (usedOn >= day || this.#noted.get(number) === day) return
    this.#noted.set(number, day)
    this.#submit({ action: 'note-use', numbers: [number], day })
  }

  #today(): number {
    return Math.floor(this.#clock() / DAY_MS)
  }

  /** What cannot be written now is no fault of the list that was answered; it comes up again. */
  #submit(work: CompoundWork): void {
    this.#writes.submit({ kind: 'compound', work }).catch((error: unknown) => {
      this.#log.tell(STORE_EVENTS.indexWorkFailed, { task: work.action }, error)
    })
  }
}

/** Equal for lists that one index would serve. */
function shapeOf({ collection, narrowing, sort }: QueryPlan): string {
  const paths = equalityConditions(narrowing).map(({ path }) => path)
  return JSON.stringify([collection, paths.sort(), sortText(sort)])
}
