import { actorOf, assertMayWrite, type Session } from '../../accounts/session.ts'
import { isoInstant } from '../../kernel/clock.ts'
import { AppError, isOf } from '../../kernel/errors.ts'
import { newId } from '../../kernel/names.ts'
import type { Warning } from '../../kernel/warnings.ts'
import { remedied } from '../../page/remedies.ts'
import type { Once } from '../../store/port/answers.ts'
import { RECORD_ERRORS } from '../errors.ts'
import type { Collection } from '../work/deps.ts'
import { type BulkAnswer, type BulkRequest, changeTogether, queryWarnings, tryChange } from './bulk-change.ts'
import { assertAsMany, MOST_IN_PORTIONS, selectIds } from './bulk-selection.ts'
import { readChange } from './bulk-steps.ts'
import {
  insertParts,
  insertTask,
  isUnderWay,
  partsOfIds,
  readTask,
  replaceTask,
  type TaskTold,
  type TaskWork,
} from './bulk-tasks.ts'
import { WRITE_ATTEMPTS, writeConflict } from './change.ts'
import { actionOf } from './change-of-each.ts'
import { tasksOf } from './noted-tasks.ts'
import { listBulkChanges } from './undo-entries.ts'
import { commit } from './write-record.ts'

/** A change that has begun, as it is told, and what whoever asked should know. */
export interface BegunTask {
  readonly task: TaskTold
  readonly warnings: readonly Warning[]
}

/** A change that was made, or one that has begun. */
export type ManyAnswer = BulkAnswer | BegunTask

/** Most changes of an account that are under way. */
const MOST_UNDER_WAY = 10

/** Changes or removes many records of the session's account: at once as far as one transaction takes them, else in portions. */
export async function changeMany(
  collection: Collection,
  request: BulkRequest,
  tell?: (answer: ManyAnswer) => Once,
): Promise<ManyAnswer> {
  try {
    return await changeTogether(collection, request, tell)
  } catch (error) {
    // Told by their number, before one of them is read, or by their size.
    if (!isOf(RECORD_ERRORS.tooManyTogether, error)) throw error
    return request.dryRun ? tryChange(collection, request) : beginTask(collection, request, tell)
  }
}

async function beginTask(
  collection: Collection,
  request: BulkRequest,
  tell?: (answer: BegunTask) => Once,
): Promise<BegunTask> {
  const { deps, kind, session } = collection
  const { change, meant, expectedCount, strict = false } = request
  readChange(change)
  await assertMayBegin(collection)
  const ids = await selectIds(collection, meant, MOST_IN_PORTIONS)
  const warnings = await queryWarnings(collection, request, ids.length === 0)
  assertAsMany(ids.length, expectedCount)
  const task = newTask(collection, { collection: kind.collection, action: actionOf(change), matched: ids.length })
  const work = { ...newWork(session, partsOfIds(task)), change, strict }
  const address = { accountId: session.account.id, id: task._id }
  const changes = [insertTask(session.account.id, task, work), ...insertParts(address, ids)]
  const answer = { task, warnings }
  const { isDone } = await commit(deps, { steps: [], beside: changes, by: actorOf(session), once: tell?.(answer) })
  if (!isDone) throw writeConflict(kind)
  tasksOf(deps.store).note()
  return answer
}

/** Refuses another one where enough are under way. */
export async function assertMayBegin(collections: Pick<Collection, 'deps' | 'session'>): Promise<void> {
  const underWay = (await listBulkChanges(collections)).filter(isUnderWay)
  if (underWay.length < MOST_UNDER_WAY) return
  const message = `${MOST_UNDER_WAY} changes of many records of your account are under way, which is the most. Nothing was changed.`
  throw new AppError(RECORD_ERRORS.tooManyUnderWay, message, {
    ...remedied('endTask'),
    limit: MOST_UNDER_WAY,
  })
}

/** Something that has not begun yet, as it is told. */
export function newTask(
  { deps, session: { user } }: Pick<Collection, 'deps' | 'session'>,
  told: Pick<TaskTold, 'collection' | 'action' | 'of' | 'matched'>,
): TaskTold {
  return {
    _id: newId(deps.random),
    ...told,
    state: 'waiting',
    done: 0,
    count: 0,
    unchanged: 0,
    refused: 0,
    at: isoInstant(deps.clock()),
    began: null,
    ended: null,
    by: { _id: user.id, slug: user.slug },
    undo: null,
  }
}

/** The same, as it is carried out. */
export function newWork(session: Session, parts: number): TaskWork {
  const nothing = { isCancelled: false, undone: 0, refusals: [], warnings: [], error: null }
  return { change: null, strict: false, by: actorOf(session), parts, next: 0, ...nothing }
}

/** Begins to put back what a change has done that was carried out in portions; null where it was not, or is none. */
export async function beginUndo(
  collections: Pick<Collection, 'deps' | 'session'>,
  id: string,
  tell?: (answer: BegunTask) => Once,
): Promise<BegunTask | null> {
  const { deps, session } = collections
  assertMayWrite(session)
  for (let attempt = 0; attempt < WRITE_ATTEMPTS; attempt++) {
    const undone = await readTask(deps, session.account.id, id)
    if (undone === null) return null
    const { told, work } = undone
    if (isUnderWay(told)) throw underWay(id)
    if (told.undo === null) return null
    await assertMayBegin(collections)
    const task = newTask(collections, {
      collection: told.collection,
      action: 'undo',
      of: id,
      matched: told.count - work.undone,
    })
    const undoing = { ...newWork(session, work.parts), next: work.parts - 1 }
    const changes = [insertTask(session.account.id, task, undoing), replaceTask(undone, { ...told, undo: null }, work)]
    const answer = { task, warnings: [] }
    const { isDone } = await commit(deps, { steps: [], beside: changes, by: actorOf(session), once: tell?.(answer) })
    if (!isDone) continue
    tasksOf(deps.store).note()
    return answer
  }
  throw writeConflict({ name: 'change' })
}

function underWay(id: string): AppError {
  const message = `The change ${id} is still under way.`
  return new AppError(RECORD_ERRORS.underWay, message, { path: '_id', ...remedied('cancelTask', { id }) })
}
