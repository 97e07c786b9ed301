import type { JsonObject } from '../../kernel/json.ts'

/** Change of each of many records: an update as of one, which may put it into sets and take it out; null: it is removed; or what follows from it is computed anew. */
export type ChangeOfEach = JsonObject | null | 'recompute'

/** What is done with many records, in a word. `undo`: what another has done is put back. */
export type TaskAction = 'update' | 'remove' | 'recompute' | 'import' | 'undo'

/** What a change does with each record, in a word. */
export function actionOf(change: ChangeOfEach): Extract<TaskAction, 'update' | 'remove' | 'recompute'> {
  if (change === 'recompute') return change
  return change === null ? 'remove' : 'update'
}

/** Tells whether a change can be put back. What follows from a record is nothing that anybody has said: put back, it would be found out of date again. */
export function isUndoable(action: TaskAction): boolean {
  return action === 'update' || action === 'remove'
}
