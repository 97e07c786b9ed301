import { isOf } from '../../../kernel/errors.ts'
import { closedError, MOST_WAITING_WRITES, STORE_ERRORS, tooManyWrites } from '../../errors.ts'
import type { ChangeResult } from '../../port/record-store.ts'
import type { Sql } from '../base/database.ts'
import { isOutOfReach, isUnreachable, writeFault } from '../base/faults.ts'
import { Commits } from './commits.ts'
import { type BatchTerms, homesOf, homesOfJob, type JobOutcome, type RecordJob, runBatch } from './run-batch.ts'

interface WaitingJob {
  readonly job: RecordJob
  readonly resolve: (results: readonly ChangeResult[]) => void
  readonly reject: (error: unknown) => void
}

/** Changes that share a commit. */
const CHANGES_OF_A_BATCH = 2000
/** Jobs that are looked at behind the first of a batch for others that may come along. */
const LOOKED_AT = 2000

/** Carries out changes of records: those that wait for one home share a commit, and its commits come one after the other. */
export class RecordWrites {
  readonly #commits: Commits
  readonly #terms: BatchTerms
  /** As many batches as there are connections. */
  readonly #most: number
  readonly #busy = new Set<string>()
  readonly #running = new Set<Promise<void>>()
  #waiting: WaitingJob[] = []
  #turn: Promise<void> | null = null
  #isClosed = false
  #asked = 0
  #failed = 0

  /** `patienceMs`: how long a transaction may take. */
  constructor(sql: Sql, terms: BatchTerms, patienceMs: number) {
    this.#commits = new Commits(sql, patienceMs)
    this.#terms = terms
    this.#most = sql.options.max
  }

  get metrics(): { readonly waiting: number; readonly asked: number; readonly failed: number } {
    return { waiting: this.#waiting.length, asked: this.#asked, failed: this.#failed }
  }

  submit(job: RecordJob): Promise<readonly ChangeResult[]> {
    if (this.#isClosed) return Promise.reject(closedError())
    if (this.#waiting.length >= MOST_WAITING_WRITES) return Promise.reject(tooManyWrites())
    this.#asked += 1
    return new Promise((resolve, reject) => {
      this.#waiting.push({ job, resolve, reject })
      // Jobs of the same turn share the first commit.
      this.#turn ??= new Promise((done) => {
        setImmediate(() => {
          this.#turn = null
          this.#start()
          done()
        })
      })
    })
  }

  /** Finishes the jobs that were taken; later ones are refused. */
  async close(): Promise<void> {
    this.#isClosed = true
    await this.#turn
    while (this.#running.size > 0) await Promise.all(this.#running)
  }

  #start(): void {
    while (this.#running.size < this.#most) {
      const batch = this.#take()
      if (batch.length === 0) return
      const homes = homesOf(batch.map(({ job }) => job))
      for (const home of homes) this.#busy.add(home)
      const running = this.#carryOut(batch).then(() => {
        for (const home of homes) this.#busy.delete(home)
        this.#running.delete(running)
        this.#start()
      })
      this.#running.add(running)
    }
  }

  /** Takes the first job with free homes, and others of the same homes that overtake nothing. Bulk writes share a commit with each other only. */
  #take(): readonly WaitingJob[] {
    const batch: WaitingJob[] = []
    const rest: WaitingJob[] = []
    const taken = new Set<string>()
    const notFree = new Set(this.#busy)
    let changes = 0
    let looked = 0
    const fits = ({ kind, changes: more }: RecordJob, homes: readonly string[]) =>
      batch.length === 0 ||
      (kind === batch[0]?.job.kind &&
        changes + more.length <= CHANGES_OF_A_BATCH &&
        homes.every((home) => taken.has(home)))
    for (const waiting of this.#waiting) {
      looked += 1
      const { job } = waiting
      const homes = homesOfJob(job)
      if (homes.every((home) => !notFree.has(home)) && fits(job, homes)) {
        batch.push(waiting)
        changes += job.changes.length
        for (const home of homes) taken.add(home)
      } else {
        rest.push(waiting)
        for (const home of homes) notFree.add(home)
      }
      if (batch.length > 0 && (looked >= LOOKED_AT || changes >= CHANGES_OF_A_BATCH)) break
    }
    this.#waiting = [...rest, ...this.#waiting.slice(looked)]
    return batch
  }

  async #carryOut(batch: readonly WaitingJob[]): Promise<void> {
    try {
      const outcomes = await this.#commit(batch.map(({ job }) => job))
      for (const [at, { resolve, reject }] of batch.entries()) {
        const outcome = outcomes[at] as JobOutcome
        if ('failure' in outcome) reject(outcome.failure)
        else resolve(outcome.results)
      }
    } catch (error) {
      // One of them may be to blame, unless it is the way to the database.
      if (batch.length > 1 && !isUnreachable(error) && !isOf(STORE_ERRORS.outcomeUnknown, error)) {
        for (const each of batch) await this.#carryOut([each])
        return
      }
      // Waiting jobs would fail alike, one after the other.
      const failed = isOutOfReach(error) ? [...batch, ...this.#waiting.splice(0)] : batch
      this.#failed += failed.length
      for (const { reject } of failed) reject(writeFault(error))
    }
  }

  async #commit(jobs: readonly RecordJob[]): Promise<readonly JobOutcome[]> {
    const [home] = homesOf(jobs)
    if (home === undefined) return jobs.map(() => ({ results: [] }))
    return this.#commits.carryOut(home, (transaction) => runBatch(transaction, jobs, this.#terms))
  }
}
