import type { Collection } from '../work/deps.ts'
import { inSlices, MOST_CHARACTERS } from './bulk-selection.ts'
import {
  type BulkTask,
  erasePart,
  type MadeVersion,
  MOST_TOLD,
  type RefusedRecord,
  readPart,
  readTask,
  replacePart,
  replaceTask,
  type TaskAddress,
} from './bulk-tasks.ts'
import { WRITE_ATTEMPTS, writeConflict } from './change.ts'
import { advanced, isAsRead, noteTaken } from './task-portion.ts'
import { type StepBack, stepBack, undoNotFound } from './undo.ts'
import { commit } from './write-record.ts'

/** Puts back the records of the part that is next, going backwards, and commits that with how far the undo is then. */
export async function backPortion(collection: Collection, { accountId }: TaskAddress, task: BulkTask): Promise<void> {
  const { deps, kind } = collection
  const { told, work } = task
  const of = told.of ?? ''
  const undone = await readTask(deps, accountId, of)
  if (undone === null) throw undoNotFound(of)
  const part = await readPart(deps, { accountId, id: of }, work.next)
  const taken = new Set<string>()
  for (let attempt = 0; attempt < WRITE_ATTEMPTS; attempt++) {
    const { done, steps, refusals } = await stepsBack(collection, undone, part.made, taken)
    const made = part.made.slice(0, part.made.length - done)
    const progress = advanced(deps.clock(), told, { count: done, changed: steps.length, refused: refusals.length })
    const beside = [
      made.length === 0 ? erasePart(part) : replacePart(part, part.left, made),
      replaceTask(task, progress, {
        ...work,
        next: made.length === 0 ? work.next - 1 : work.next,
        refusals: [...work.refusals, ...refusals].slice(0, MOST_TOLD),
      }),
    ]
    const { isDone, results } = await commit(deps, { steps, beside, by: work.by })
    if (isDone || !(await isAsRead(collection, task))) return
    noteTaken(taken, steps, results)
  }
  throw writeConflict(kind)
}

interface StepsBack {
  /** Number of records that were looked at. */
  readonly done: number
  readonly steps: readonly StepBack[]
  readonly refusals: readonly RefusedRecord[]
}

/** Records that are put back together; their texts of before and after are in memory. */
const AT_ONCE = 100

/** Makes the steps that put back the last of some records: as many as may be in memory at once. */
async function stepsBack(
  collection: Collection,
  { told: { _id, action } }: BulkTask,
  made: readonly MadeVersion[],
  taken: ReadonlySet<string>,
): Promise<StepsBack> {
  const steps: StepBack[] = []
  const refusals: RefusedRecord[] = []
  let [done, characters] = [0, 0]
  while (done < made.length && characters < MOST_CHARACTERS) {
    const some = made.slice(Math.max(0, made.length - done - AT_ONCE), made.length - done).reverse()
    const found = await inSlices(some, async (one) =>
      taken.has(one[0]) ? ('taken' as const) : stepBack(collection, { isRemoval: action === 'remove', undo: _id }, one),
    )
    for (const [index, step] of found.entries()) {
      if (typeof step === 'string') refusals.push({ _id: some[index]?.[0] ?? '', reason: step })
      else {
        steps.push(step)
        characters += 'text' in step.change ? step.change.text.length : 0
      }
    }
    done += some.length
  }
  return { done, steps, refusals }
}
