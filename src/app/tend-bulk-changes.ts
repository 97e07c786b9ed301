import { AppError } from '../kernel/errors.ts'
import { RECORD_ERRORS } from '../records/errors.ts'
import { RECORD_EVENTS } from '../records/events.ts'
import { carryOn, endAsFailed } from '../records/tasks/carry-out-task.ts'
import { findUnderWay, type TaskAddress } from '../records/use-cases/bulk-tasks.ts'
import { tasksOf } from '../records/use-cases/noted-tasks.ts'
import type { Services } from './open-services.ts'
import { WorkTurn } from './turn.ts'

const MARK = 'bulk-changes'

/** Times at which a server looks for changes that are to be carried out in portions, in milliseconds. */
export interface BulkTimes {
  /** After the start: what a killed process has left. */
  readonly firstMs: number
  /** Again, where none was noted. */
  readonly againMs: number
  /** After a failure. */
  readonly pauseMs: number
  /** Time for which a process that does not go on keeps its turn. */
  readonly turnMs: number
}

const TIMES: BulkTimes = { firstMs: 1_000, againMs: 60_000, pauseMs: 5_000, turnMs: 15_000 }

/** Turn of this process at carrying out changes of many records. */
export function bulkTurn(services: Services, { turnMs }: Pick<BulkTimes, 'turnMs'> = TIMES): WorkTurn {
  return new WorkTurn(services, MARK, turnMs)
}

/** Faults of the program in a row, without a portion in between, after which a change is given up. */
const MOST_FAULTS = 5

/** Carries out changes of many records, a portion of each account in turn. Gives the way to end, which waits for the portion under way. */
export function tendBulkChanges(services: Services, times: BulkTimes = TIMES): () => Promise<void> {
  const ending = new AbortController()
  const tending = new BulkChangeTender(services, times, ending.signal).tend()
  return () => {
    ending.abort()
    return tending
  }
}

class BulkChangeTender {
  readonly #services: Services
  readonly #times: BulkTimes
  readonly #signal: AbortSignal
  readonly #turn: WorkTurn
  /** By the id of a change. */
  readonly #faults = new Map<string, number>()

  constructor(services: Services, times: BulkTimes, signal: AbortSignal) {
    this.#services = services
    this.#times = times
    this.#signal = signal
    this.#turn = bulkTurn(services, times)
  }

  async tend(): Promise<void> {
    const noted = tasksOf(this.#services.records.store)
    for (let waitMs = this.#times.firstMs; ; ) {
      await noted.wait(waitMs, this.#signal)
      if (this.#signal.aborted) return
      try {
        waitMs = await this.#carryOutAll()
      } catch (error) {
        if (!this.#signal.aborted) this.#services.log.tell(RECORD_EVENTS.bulkChangeStopped, { record: 'all' }, error)
        waitMs = this.#times.pauseMs
      }
    }
  }

  /** Carries out all that there are, as long as it is this process's turn; gives after what time to look again. */
  async #carryOutAll(): Promise<number> {
    const { againMs, pauseMs } = this.#times
    for (;;) {
      const underWay = firstOfEach(await findUnderWay(this.#services.records))
      if (underWay.length === 0) break
      let isStopped = true
      for (const one of underWay) {
        if (this.#signal.aborted) break
        if (!(await this.#turn.isOurs())) return this.#turn.pauseOf(againMs)
        isStopped = !(await this.#carryOn(one)) && isStopped
      }
      if (this.#signal.aborted) break
      if (isStopped) return pauseMs
    }
    await this.#turn.end()
    return againMs
  }

  /** Carries out a portion; tells whether it went on. A failure is of one change alone. */
  async #carryOn(address: TaskAddress): Promise<boolean> {
    const { records, kinds, log } = this.#services
    const { id: record } = address
    try {
      const isUnderWay = await this.#turn.during(() => carryOn(records, kinds, address))
      if (!isUnderWay) log.tell(RECORD_EVENTS.bulkChangeEnded, { record })
      this.#faults.delete(record)
      return true
    } catch (error) {
      if (this.#signal.aborted) return false
      log.tell(RECORD_EVENTS.bulkChangeStopped, { record }, error)
      if (error instanceof AppError) return false
      const faults = (this.#faults.get(record) ?? 0) + 1
      this.#faults.set(record, faults)
      if (faults >= MOST_FAULTS) {
        this.#faults.delete(record)
        await endAsFailed(
          records,
          address,
          new AppError(RECORD_ERRORS.fault, 'The server has a fault; its log has it.'),
        )
      }
      return false
    }
  }
}

/** The oldest change of each account. */
function firstOfEach(underWay: readonly TaskAddress[]): readonly TaskAddress[] {
  const first = new Map<string, TaskAddress>()
  for (const one of underWay) if (!first.has(one.accountId)) first.set(one.accountId, one)
  return [...first.values()]
}
