import { actorOf, assertMayWrite } from '../../accounts/session.ts'
import type { JsonObject } from '../../kernel/json.ts'
import { BULK_CHANGES, isUnderWay, readTask, replaceTask, type TaskTold } from './bulk-tasks.ts'
import { WRITE_ATTEMPTS, writeConflict } from './change.ts'
import { tasksOf } from './noted-tasks.ts'
import { type Collections, undoNotFound } from './undo.ts'
import { readUndoEntry, tellEntry } from './undo-entries.ts'
import { commit } from './write-record.ts'

/** Tells of a change of many records of the session's account all that there is to tell. */
export async function readBulkChange({ deps, session }: Collections, id: string): Promise<JsonObject> {
  const task = await readTask(deps, session.account.id, id)
  if (task !== null) {
    const { told, work } = task
    const { refusals, warnings, error, isCancelled } = work
    return { ...told, isCancelled, refusals, warnings: warnings.map((warning) => ({ ...warning })), error }
  }
  const entry = await readUndoEntry({ deps, session }, id)
  if (entry === null) throw undoNotFound(id)
  const { records: _, ...told } = JSON.parse(entry.stored.text)
  return tellEntry(told)
}

/** Cancels a change that is under way: what it has done stays, and can be undone. One that is over stays as it is. */
export async function cancelBulkChange({ deps, session }: Collections, id: string): Promise<TaskTold> {
  assertMayWrite(session)
  for (let attempt = 0; attempt < WRITE_ATTEMPTS; attempt++) {
    const task = await readTask(deps, session.account.id, id)
    if (task === null) throw undoNotFound(id)
    const { told, work } = task
    if (!isUnderWay(told) || work.isCancelled) return told
    const beside = [replaceTask(task, told, { ...work, isCancelled: true })]
    const { isDone } = await commit(deps, { steps: [], beside, by: actorOf(session) })
    if (!isDone) continue
    tasksOf(deps.store).note()
    return told
  }
  throw writeConflict({ name: BULK_CHANGES })
}
