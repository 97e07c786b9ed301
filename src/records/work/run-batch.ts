import { AppError, type PackedError, packError } from '../../kernel/errors.ts'
import { TaskEnded } from '../../kernel/worker-pool.ts'
import { endedRefusal, placeOf, reasonOf } from './task-endings.ts'

/** Something of a batch that could not be done: by its own fault, or by one of the program, of which a log should tell. */
export type Failure = { readonly refusal: PackedError } | { readonly fault: string }

interface Retried {
  /** Why its symmetry is not to be sought. */
  readonly noSymmetry?: string
}

/** Does one task of a batch, from its start as far as the turn goes. */
type Run<Input, Outcome> = (inputs: readonly Input[]) => Promise<readonly Outcome[]>

/**
 * Does a batch to its end, in as many turns as it takes. When a task is ended, the record at fault is done by itself, in another way if
 * there is one, and the others as they were. Rejects only when nobody is left to do it.
 */
export async function runBatch<Input extends Retried, Outcome>(
  inputs: readonly Input[],
  run: Run<Input, Outcome>,
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
  run: Run<Input, Outcome>,
  tell: (ended: TaskEnded) => void,
): Promise<readonly (Outcome | Failure)[]> {
  if (isSymmetry) return runBatch([{ ...culprit, noSymmetry: reasonOf(error) }], run, tell)
  return isAlone ? [failureOf(error)] : runBatch([culprit], run, tell)
}

function failureOf(ended: TaskEnded): Failure {
  const refusal = endedRefusal(ended)
  return refusal instanceof AppError ? { refusal: packError(refusal) } : { fault: refusal.message }
}
