import type { Shares } from '../../../kernel/shares.ts'
import type { QueryPlan } from '../../../query/plan.ts'
import type { ChunkHandle } from '../../segments/column-cache.ts'
import { withRoom } from '../../segments/page-room.ts'
import type { ReadJob, ReadPageResult, ReadResults } from './read-job.ts'
import type { ReaderPool } from './reader-pool.ts'

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
  find(task: LongTask, user: string): Promise<ReadPageResult> {
    return withRoom<ReadPageResult>(this.#bytes, user, (mostBytes) =>
      this.#pool.run({ kind: 'page', ...task, mostBytes }, { user }),
    )
  }
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
