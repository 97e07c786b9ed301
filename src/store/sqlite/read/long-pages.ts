import { AppError } from '../../../kernel/errors.ts'
import type { Shares } from '../../../kernel/shares.ts'
import type { QueryPlan } from '../../../query/plan.ts'
import { STORE_ERRORS } from '../../errors.ts'
import { takeBytes } from '../../held-bytes.ts'
import type { ChunkHandle } from '../../segments/column-cache.ts'
import type { ReadJob, ReadPageResult, ReadResults } from './read-job.ts'
import type { ReaderPool } from './reader-pool.ts'

/** Pages up to this size are made without asking for room: as many as there are threads at a time. */
const UNASKED_BYTES = 4 * 1024 * 1024
/** Between the two looks at it, a page may grow by so much. */
const GROWTH = 1.1

/** What a reader thread is asked. */
export interface LongTask {
  readonly plan: QueryPlan
  readonly budgetMs: number
  readonly chunks: readonly ChunkHandle[]
}

/** Finds pages on reader threads. For a large one room is taken before it is made, and given back when it is there. */
export class LongPages {
  readonly #pool: ReaderPool
  readonly #bytes: Shares

  constructor(pool: ReaderPool, bytes: Shares) {
    this.#pool = pool
    this.#bytes = bytes
  }

  /** `task`: the plan, with the columns that are at hand. */
  async find(task: LongTask, user: string): Promise<ReadPageResult> {
    let taken = 0
    try {
      for (;;) {
        const mostBytes = Math.max(UNASKED_BYTES, taken)
        const found = await this.#pool.run({ kind: 'page', ...task, mostBytes }, { user })
        if (!('tooLarge' in found)) return found
        const wanted = Math.ceil(GROWTH * found.tooLarge)
        if (wanted > this.#bytes.limits.perUser) throw pageTooLarge(found.tooLarge, this.#bytes.limits.perUser)
        this.#bytes.give(user, taken)
        taken = 0
        takeBytes(this.#bytes, user, wanted)
        taken = wanted
      }
    } finally {
      if (taken > 0) this.#bytes.give(user, taken)
    }
  }
}

function pageTooLarge(bytes: number, limit: number): AppError {
  return new AppError(
    STORE_ERRORS.pageTooLarge,
    `The page would have some ${bytes} bytes; one user may have ${limit} bytes of answers at a time.`,
    {
      path: 'projection.limit',
      limit,
      hint: 'Ask for fewer with limit, for less of each with fields, or for all of them as an export.',
    },
  )
}

/** Runs a job on a reader thread, whichever is free. */
export type RunJob = <Job extends ReadJob>(job: Job) => Promise<ReadResults[Job['kind']]>

/** Most numbers that a slice is given: more than it gets through would be copied in vain. */
const NUMBERS_OF_A_SLICE = 4096

/**
 * Reads all that a plan matches as chunks of NDJSON lines, a slice at a time. Between slices nothing is held but numbers: neither a
 * thread, nor a state of the database, which would keep the log from being shortened for as long as somebody reads slowly. `hold` hears
 * how many bytes the numbers take, and refuses by throwing.
 */
export async function* exportStream(
  run: RunJob,
  plan: QueryPlan,
  hold: (bytes: number) => void,
): AsyncGenerator<Uint8Array, void> {
  const { numbers, changes } = await run({ kind: 'export-begin', plan })
  hold(numbers.byteLength)
  for (let at = 0; at < numbers.length; ) {
    const from = { numbers: numbers.slice(at, at + NUMBERS_OF_A_SLICE), changes }
    const slice: ReadResults['export-slice'] = await run({ kind: 'export-slice', plan, from })
    if (slice.bytes.length > 0) yield slice.bytes
    at += slice.done
  }
}
