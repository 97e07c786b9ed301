import { AppError, isOf } from '../../../kernel/errors.ts'
import { closedError, STORE_ERRORS } from '../../errors.ts'
import type { ChangeResult } from '../../port/record-store.ts'
import type { Sql } from '../base/database.ts'
import { isUnreachable, writeFault } from '../base/faults.ts'
import { Commits } from './commits.ts'
import { type BatchTerms, homesOf, type JobOutcome, type RecordJob, runBatch } from './run-batch.ts'

interface Waiting {
  readonly job: RecordJob
  readonly resolve: (results: readonly ChangeResult[]) => void
  readonly reject: (error: unknown) => void
}

/** Most jobs that may wait; beyond it, writers are told to come back later. */
const WAITING_JOBS = 10_000
/** Changes that share a commit. */
const CHANGES_OF_A_BATCH = 2000

/** Carries out changes of records: what waits shares a commit, and is answered when that is on disk. */
export class RecordWrites {
  readonly #commits: Commits
  readonly #terms: BatchTerms
  #waiting: Waiting[] = []
  #running: Promise<void> | null = null
  #isClosed = false
  #asked = 0
  #failed = 0

  constructor(sql: Sql, terms: BatchTerms) {
    this.#commits = new Commits(sql)
    this.#terms = terms
  }

  get figures(): { readonly waiting: number; readonly asked: number; readonly failed: number } {
    return { waiting: this.#waiting.length, asked: this.#asked, failed: this.#failed }
  }

  submit(job: RecordJob): Promise<readonly ChangeResult[]> {
    if (this.#isClosed) return Promise.reject(closedError())
    if (this.#waiting.length >= WAITING_JOBS) return Promise.reject(overloaded())
    this.#asked += 1
    return new Promise((resolve, reject) => {
      this.#waiting.push({ job, resolve, reject })
      this.#running ??= this.#run()
    })
  }

  /** Finishes the jobs that were taken; later ones are refused. */
  async close(): Promise<void> {
    this.#isClosed = true
    await this.#running
  }

  async #run(): Promise<void> {
    // Whoever asks in the same turn shares the first commit.
    await new Promise((resolve) => setImmediate(resolve))
    while (this.#waiting.length > 0) await this.#carryOut(this.#take())
    this.#running = null
  }

  /** Bulk writes share a commit with bulk writes only. */
  #take(): readonly Waiting[] {
    const kind = this.#waiting[0]?.job.kind
    let count = 0
    let changes = 0
    for (const { job } of this.#waiting) {
      if (job.kind !== kind || (count > 0 && changes + job.changes.length > CHANGES_OF_A_BATCH)) break
      count += 1
      changes += job.changes.length
    }
    return this.#waiting.splice(0, count)
  }

  async #carryOut(batch: readonly Waiting[]): Promise<void> {
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
      this.#failed += batch.length
      for (const { reject } of batch) reject(writeFault(error))
    }
  }

  async #commit(jobs: readonly RecordJob[]): Promise<readonly JobOutcome[]> {
    const [home] = homesOf(jobs)
    if (home === undefined) return jobs.map(() => ({ results: [] }))
    return this.#commits.carryOut(home, (transaction) => runBatch(transaction, jobs, this.#terms))
  }
}

function overloaded(): AppError {
  return new AppError(STORE_ERRORS.overloaded, `${WAITING_JOBS} writes wait already; this one was not taken.`, {
    hint: 'Try again in a few seconds, with fewer writes at a time.',
  })
}
