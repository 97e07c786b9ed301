import { AppError } from '../../kernel/errors.ts'
import type { TaskEnded, TaskEnding } from '../../kernel/worker-pool.ts'
import { STORE_ERRORS } from '../../store/errors.ts'
import { RECORD_ERRORS } from '../errors.ts'

/** What a thread does with a record: it reads it, and computes what follows from it; or it looks for its symmetry. */
export type Stage = 'record' | 'symmetry'

/** The number of a part of a task, by the place of the record in its batch. */
export function partOf(index: number, stage: Stage): number {
  return 2 * index + (stage === 'record' ? 1 : 2)
}

/** Where a task was when it was ended; null before it had begun with a record. */
export function placeOf({ part }: TaskEnded): { readonly index: number; readonly stage: Stage } | null {
  return part === 0 ? null : { index: Math.floor((part - 1) / 2), stage: part % 2 === 1 ? 'record' : 'symmetry' }
}

/** Why a record has no symmetry whose search was ended; it stays with the record. */
export function reasonOf({ ending, message }: TaskEnded): string {
  return ending === 'lost' ? 'the symmetry finder cannot handle this structure' : message
}

const REFUSALS: Readonly<Record<Exclude<TaskEnding, 'lost'>, (ended: TaskEnded) => AppError>> = {
  'processor-time': ({ message }) =>
    new AppError(RECORD_ERRORS.tooMuchWork, `Reading this was given up: ${message} of processor time.`, {
      hint: 'Send less at a time: a smaller structure, or fewer values. The setting recordTimeMs is the limit.',
    }),
  memory: () =>
    new AppError(RECORD_ERRORS.tooMuchWork, 'Reading this was given up: it needs too much memory.', {
      hint: 'Send less at a time: a smaller structure, or fewer values.',
    }),
  closed: () => new AppError(STORE_ERRORS.closed, 'The server is stopping; nothing was stored.'),
}

/** What the ending of a task means for the only record that it was about; a thread that was lost is a fault of the program. */
export function endedRefusal(ended: TaskEnded): AppError | Error {
  return ended.ending === 'lost'
    ? new Error(`a thread that makes records was lost: ${ended.message}`)
    : REFUSALS[ended.ending](ended)
}
