import type { Session } from '../../accounts/session.ts'
import { isoInstant } from '../../kernel/clock.ts'
import { AppError } from '../../kernel/errors.ts'
import { RECORD_ERRORS } from '../errors.ts'
import type { RecordKind } from '../record-kind.ts'
import {
  type BulkTask,
  dropParts,
  isUnderWay,
  partsOf,
  readTask,
  replaceTask,
  type TaskAddress,
  type TaskState,
  type TaskTold,
  type TaskWork,
} from '../use-cases/bulk-tasks.ts'
import { isUndoable } from '../use-cases/change-of-each.ts'
import { backPortion } from '../use-cases/task-back-portion.ts'
import { portion } from '../use-cases/task-portion.ts'
import { droppedEntry } from '../use-cases/undo-entries.ts'
import { commit } from '../use-cases/write-record.ts'
import type { Collection, RecordDeps } from '../work/deps.ts'
import { importPortion } from './import-portion.ts'

/**
 * Carries out the next portion of a change, in one commit with how far it is, or ends it where nothing is left to be done. Two that do so at a time do
 * it once: what the other has committed counts. Gives whether it is still under way.
 */
export async function carryOn(deps: RecordDeps, kinds: readonly RecordKind[], address: TaskAddress): Promise<boolean> {
  const task = await readTask(deps, address.accountId, address.id)
  if (task === null || !isUnderWay(task.told)) return false
  const { told, work } = task
  if (work.isCancelled) return end(deps, task, 'cancelled')
  const isOver = told.action === 'undo' ? work.next < 0 : work.next >= work.parts
  if (isOver) return end(deps, task, 'done')
  try {
    const collection = await collectionOf(deps, kinds, task)
    await PORTIONS[told.action](collection, address, task)
    return true
  } catch (error) {
    // Later the store can do what it cannot do now; a refusal stays one.
    if (!(error instanceof AppError) || error.status >= 500) throw error
    return endAsFailed(deps, address, error)
  }
}

type Portion = (collection: Collection, address: TaskAddress, task: BulkTask) => Promise<void>

/** Carries out what is next, and commits that with how far it is then. */
const PORTIONS: Readonly<Record<TaskTold['action'], Portion>> = {
  update: portion,
  remove: portion,
  recompute: portion,
  import: importPortion,
  undo: backPortion,
}

/** Ends a change that cannot be gone on with; what it has done by then can be undone. */
export async function endAsFailed(deps: RecordDeps, address: TaskAddress, error: AppError): Promise<boolean> {
  const task = await readTask(deps, address.accountId, address.id)
  if (task === null || !isUnderWay(task.told)) return false
  const { code, message } = error
  return end(deps, { ...task, work: { ...task.work, error: { code, message } } }, 'failed')
}

/** The records that a change is of, as its user has them at this moment. */
async function collectionOf(
  deps: RecordDeps,
  kinds: readonly RecordKind[],
  { told, work }: BulkTask,
): Promise<Collection> {
  const kind = kinds.find(({ collection }) => collection === told.collection)
  if (kind === undefined) throw mayNotGoOn(`The server has no kind ${told.collection} any more.`)
  return { deps, kind, session: await sessionOf(deps, work.by) }
}

async function sessionOf(
  { accounts }: RecordDeps,
  { via, address, request, user: userId, account: accountId }: TaskWork['by'],
): Promise<Session> {
  const user = await accounts.findUser(userId ?? '')
  if (user === null || user.disabledAt !== null) throw mayNotGoOn('Its user is not let in any more.')
  const account = (await accounts.accountsOf(user.id)).find(({ id }) => id === accountId)
  if (account === undefined) throw mayNotGoOn('Its user does not belong to the account any more.')
  const { id, name, slug, email } = user
  return {
    user: { id, name, slug, email },
    account,
    role: account.role,
    token: { id: 'bulk-change', kind: 'api', oneAccount: true },
    readOnly: false,
    endsAt: Number.POSITIVE_INFINITY,
    scope: { kind: 'account', accountId: account.id },
    origin: { via, address, request },
  }
}

function mayNotGoOn(message: string): AppError {
  return new AppError(RECORD_ERRORS.mayNotGoOn, message)
}

/** Ends a change; gives that it is not under way any more, or that somebody has changed it meanwhile. */
async function end(deps: RecordDeps, task: BulkTask, state: TaskState): Promise<boolean> {
  const { told, work } = task
  const ended = { ...told, state, ended: isoInstant(deps.clock()) }
  return told.action === 'undo' ? endUndo(deps, task, ended) : endChange(deps, task, ended, work)
}

async function endChange(
  deps: RecordDeps,
  { stored, told }: BulkTask,
  ended: TaskTold,
  work: TaskWork,
): Promise<boolean> {
  const parts = Math.min(work.parts, work.next + 1)
  const undo = told.count > 0 && isUndoable(told.action) ? told._id : null
  const change = replaceTask({ stored }, { ...ended, undo }, { ...work, parts })
  const { isDone } = await commit(deps, { steps: [], beside: [change], by: work.by })
  if (!isDone) return true
  const from = undo === null ? 0 : parts
  await dropParts(deps, { accountId: stored.accountId, id: told._id }, { from, to: partsOf({ told, work }) })
  return false
}

/** Takes away the entry of what was undone; where it was cancelled, or failed, the rest can be undone by another. */
async function endUndo(deps: RecordDeps, { stored, told, work }: BulkTask, ended: TaskTold): Promise<boolean> {
  const undone = await readTask(deps, stored.accountId, told.of ?? '')
  const left = { parts: work.next + 1, undone: (undone?.work.undone ?? 0) + told.done }
  const ofUndone =
    undone === null
      ? []
      : work.next < 0
        ? [droppedEntry(undone.stored)]
        : [replaceTask(undone, { ...undone.told, undo: undone.told._id }, { ...undone.work, ...left })]
  const beside = [replaceTask({ stored }, ended, work), ...ofUndone]
  const { isDone } = await commit(deps, { steps: [], beside, by: work.by })
  return !isDone
}
