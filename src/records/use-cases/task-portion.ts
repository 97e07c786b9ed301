import { isoInstant } from '../../kernel/clock.ts'
import { AppError } from '../../kernel/errors.ts'
import type { Change, ChangeResult, StoredRecord } from '../../store/port/record-store.ts'
import { RECORD_ERRORS } from '../errors.ts'
import { eachOnce } from '../warnings/field-guide.ts'
import type { Collection } from '../work/deps.ts'
import { inSlices, MOST_CHARACTERS, readEach } from './bulk-selection.ts'
import { type BulkStep, readChange, recomputeShared, stepMaker } from './bulk-steps.ts'
import {
  type BulkTask,
  type ChangePart,
  type MadeVersion,
  MOST_TOLD,
  type RefusedRecord,
  readPart,
  readTask,
  replacePart,
  replaceTask,
  type TaskAddress,
  type TaskTold,
} from './bulk-tasks.ts'
import { WRITE_ATTEMPTS, writeConflict } from './change.ts'
import { isUndoable } from './change-of-each.ts'
import { commit } from './write-record.ts'

/** Outcome of one record. */
type Done = { readonly step: BulkStep | null } | RefusedRecord

/** Makes the steps of the next portion of a change, and commits them with how far it is then. */
export async function portion(collection: Collection, address: TaskAddress, task: BulkTask): Promise<void> {
  const { deps, kind } = collection
  const part = await readPart(deps, address, task.work.next)
  const taken = new Set<string>()
  for (let attempt = 0; attempt < WRITE_ATTEMPTS; attempt++) {
    const { ids, records } = await readSome(collection, part.left)
    const { done, beside } = await makeSteps(collection, task, ids, { records, taken })
    const steps = done.flatMap((one) => ('step' in one && one.step !== null ? [one.step] : []))
    await recomputeShared(collection, task.work.change, steps)
    const progress = progressOf(collection, task, part, { count: ids.length, done, steps })
    const write = { steps, beside: [...(steps.length === 0 ? [] : beside), ...progress], by: task.work.by }
    const { isDone, results } = await commit(deps, write)
    if (isDone || !(await isAsRead(collection, task))) return
    noteTaken(taken, steps, results)
  }
  throw writeConflict(kind)
}

/** Whether nobody has changed it meanwhile: carried it on, or cancelled it. */
export async function isAsRead({ deps }: Pick<Collection, 'deps'>, { stored }: BulkTask): Promise<boolean> {
  const now = await readTask(deps, stored.accountId, stored.id)
  return now?.stored.version === stored.version
}

/** Notes the records that another one with the same id keeps from being published, or from coming back. */
export function noteTaken(
  taken: Set<string>,
  steps: readonly { readonly change: Change }[],
  results: readonly ChangeResult[],
): void {
  for (const [index, { change }] of steps.entries()) if (results[index]?.outcome === 'exists') taken.add(change.id)
}

/** Reads as many of some records as may be in memory at once; `ids` were looked at, those that are gone included. */
async function readSome(
  collection: Collection,
  left: readonly string[],
): Promise<{ readonly ids: readonly string[]; readonly records: readonly StoredRecord[] }> {
  const records: StoredRecord[] = []
  let characters = 0
  for await (const record of readEach(collection, left)) {
    if (records.length > 0 && characters + record.text.length > MOST_CHARACTERS) {
      return { ids: left.slice(0, left.indexOf(record.id)), records }
    }
    characters += record.text.length
    records.push(record)
  }
  return { ids: left, records }
}

interface Found {
  readonly records: readonly StoredRecord[]
  /** Ids that are refused, since they are another record's by now. */
  readonly taken: ReadonlySet<string>
}

async function makeSteps(
  collection: Collection,
  { told, work }: BulkTask,
  ids: readonly string[],
  { records, taken }: Found,
): Promise<{ readonly done: readonly Done[]; readonly beside: readonly Change[] }> {
  const edit = { split: readChange(work.change), undo: told._id, strict: work.strict }
  const { make, beside } = await stepMaker(collection, records, edit)
  const byId = new Map(records.map((record) => [record.id, record]))
  const done = await inSlices(ids, async (_id): Promise<Done> => {
    const record = byId.get(_id)
    if (record === undefined) return { _id, reason: 'It is gone.' }
    if (taken.has(_id)) return { _id, reason: 'There is a public one with this _id.', code: RECORD_ERRORS.idTaken.code }
    return make(record).then(
      (step) => ({ step }),
      (error) => refusalOf(_id, error),
    )
  })
  return { done, beside }
}

/** A refusal is of its record alone; what the store or a thread could not do is no refusal. */
function refusalOf(_id: string, error: unknown): RefusedRecord {
  if (!(error instanceof AppError) || error.status >= 500) throw error
  return { _id, reason: error.message, code: error.code }
}

interface PortionDone {
  /** Number of records that were looked at. */
  readonly count: number
  readonly done: readonly Done[]
  readonly steps: readonly BulkStep[]
}

/** The part and the entry as they are after a portion. */
function progressOf(
  { deps }: Collection,
  task: BulkTask,
  part: ChangePart,
  { count, done, steps }: PortionDone,
): readonly Change[] {
  const { told, work } = task
  const left = part.left.slice(count)
  const toPutBack = isUndoable(told.action) ? steps : []
  const made = [...part.made, ...toPutBack.map(({ change, version }): MadeVersion => [change.id, version])]
  const refusals = done.filter((one) => 'reason' in one)
  const warnings = eachOnce([...work.warnings, ...steps.flatMap((step) => step.warnings)]).slice(0, MOST_TOLD)
  const counted = { ...told, unchanged: told.unchanged + count - steps.length - refusals.length }
  const next = left.length === 0 ? work.next + 1 : work.next
  return [
    replacePart(part, left, made),
    replaceTask(task, advanced(deps.clock(), counted, { count, changed: steps.length, refused: refusals.length }), {
      ...work,
      next,
      warnings,
      refusals: [...work.refusals, ...refusals].slice(0, MOST_TOLD),
    }),
  ]
}

interface Advance {
  readonly count: number
  readonly changed: number
  readonly refused: number
}

/** Counts what a portion has done. */
export function advanced(now: number, told: TaskTold, { count, changed, refused }: Advance): TaskTold {
  return {
    ...told,
    state: 'running',
    began: told.began ?? isoInstant(now),
    done: told.done + count,
    count: told.count + changed,
    refused: told.refused + refused,
  }
}
