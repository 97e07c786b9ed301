import { AppError, type PackedError, packError } from '../../kernel/errors.ts'
import { TaskEnded, type TaskEnding } from '../../kernel/worker-pool.ts'
import { BUSY_RETRY_SECONDS, STORE_ERRORS } from '../../store/errors.ts'
import { SERVER_TOO_BUSY } from '../../structure/symmetry/symmetry-report.ts'
import { RECORD_ERRORS } from '../errors.ts'

/** Work of a thread on a record: reading it and computing what follows from it, or looking for its symmetry. */
export type Stage = 'record' | 'symmetry'

/** The number of a part of a task, by the place of the record in its batch. */
export function partOf(index: number, stage: Stage): number {
  return 2 * index + (stage === 'record' ? 1 : 2)
}

/** Place where a task was ended; null before it had begun with a record. */
export function placeOf({ part }: TaskEnded): { readonly index: number; readonly stage: Stage } | null {
  return part === 0 ? null : { index: Math.floor((part - 1) / 2), stage: part % 2 === 1 ? 'record' : 'symmetry' }
}

/** Reason why the search for a symmetry was ended; it stays with the record. */
export function reasonOf({ ending, message }: TaskEnded): string {
  if (ending === 'late') return SERVER_TOO_BUSY
  return ending === 'lost' ? 'the symmetry finder cannot handle this structure' : message
}

const REFUSALS: Readonly<Record<Exclude<TaskEnding, 'lost'>, (ended: TaskEnded) => AppError>> = {
  'processor-time': ({ message }) =>
    new AppError(RECORD_ERRORS.tooMuchWork, `Reading this was given up: ${message} of processor time.`, {
      hint: 'Send less at a time: a smaller structure, or fewer values. The setting recordTimeMs is the limit.',
    }),
  late: () =>
    new AppError(STORE_ERRORS.busy, 'The server is busy: it did not come to read this in time.', {
      retryAfterSeconds: BUSY_RETRY_SECONDS,
      hint: 'Try again in a few seconds.',
    }),
  memory: () =>
    new AppError(RECORD_ERRORS.tooMuchWork, 'Reading this was given up: it needs too much memory.', {
      hint: 'Send less at a time: a smaller structure, or fewer values.',
    }),
  closed: () => new AppError(STORE_ERRORS.closed, 'The server is stopping; nothing was stored.'),
}

/** Error for the only record of a task that was ended; a thread that was lost is a fault of the program. */
export function endedRefusal(ended: TaskEnded): AppError | Error {
  return ended.ending === 'lost'
    ? new Error(`a thread that makes records was lost: ${ended.message}`)
    : REFUSALS[ended.ending](ended)
}

/** Something of a batch that could not be done: by its own fault, or by one of the program, of which a log should tell. */
export type Failure = { readonly refusal: PackedError } | { readonly fault: string }

interface Retried {
  /** Reason for not seeking its symmetry. */
  readonly noSymmetry?: string
}

/** Does one task of a batch, from its start as far as the turn goes. */
type RunTasks<Input, Outcome> = (inputs: readonly Input[]) => Promise<readonly Outcome[]>

/**
 * Does a batch to its end, in as many turns as it takes. When a task is ended, the record at fault is done by itself, in another way if
 * there is one, and the others as they were. Rejects only when nobody is left to do it.
 */
export async function runBatch<Input extends Retried, Outcome>(
  inputs: readonly Input[],
  run: RunTasks<Input, Outcome>,
  tell: (ended: TaskEnded) => void,
): Promise<readonly (Outcome | Failure)[]> {
  if (inputs.length === 0) return []
  try {
    const outcomes = await run(inputs)
    return [...outcomes, ...(await runBatch(inputs.slice(outcomes.length), run, tell))]
  } catch (error) {
    if (!(error instanceof TaskEnded)) throw error
    tell(error)
    const place = placeOf(error)
    const culprit = place === null ? undefined : inputs[place.index]
    if (place === null || culprit === undefined || error.ending === 'closed') throw endedRefusal(error)
    const parts = [
      runBatch(inputs.slice(0, place.index), run, tell),
      runCulprit(culprit, { isAlone: inputs.length === 1, isSymmetry: place.stage === 'symmetry', error }, run, tell),
      runBatch(inputs.slice(place.index + 1), run, tell),
    ]
    return (await Promise.all(parts)).flat()
  }
}

async function runCulprit<Input extends Retried, Outcome>(
  culprit: Input,
  { isAlone, isSymmetry, error }: { isAlone: boolean; isSymmetry: boolean; error: TaskEnded },
  run: RunTasks<Input, Outcome>,
  tell: (ended: TaskEnded) => void,
): Promise<readonly (Outcome | Failure)[]> {
  if (isSymmetry) return runBatch([{ ...culprit, noSymmetry: reasonOf(error) }], run, tell)
  return isAlone ? [failureOf(error)] : runBatch([culprit], run, tell)
}

function failureOf(ended: TaskEnded): Failure {
  const refusal = endedRefusal(ended)
  return refusal instanceof AppError ? { refusal: packError(refusal) } : { fault: refusal.message }
}
