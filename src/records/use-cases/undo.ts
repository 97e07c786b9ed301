import { actorOf, assertMayWrite } from '../../accounts/session.ts'
import { AppError } from '../../kernel/errors.ts'
import type { Warning } from '../../kernel/warnings.ts'
import { remedied } from '../../page/remedies.ts'
import type { Once } from '../../store/port/answers.ts'
import { readNote } from '../change-note.ts'
import { RECORD_ERRORS } from '../errors.ts'
import type { RecordKind } from '../record-kind.ts'
import { eachOnce } from '../warnings/field-guide.ts'
import type { Collection } from '../work/deps.ts'
import type { Step } from '../work/step.ts'
import { fieldsOf } from '../work/stored-text.ts'
import { inSlices } from './bulk-selection.ts'
import type { MadeVersion } from './bulk-tasks.ts'
import { WRITE_ATTEMPTS, writeConflict } from './change.ts'
import { restorationOf } from './removed.ts'
import { presentMemberships } from './sets.ts'
import { droppedEntry, readUndoEntry, type UndoEntry } from './undo-entries.ts'
import { revisionOf } from './update-record.ts'
import { commit } from './write-record.ts'

/** Reason for skipping a record: it was changed since, it is gone, another has its id by now, or its former version is not kept. */
export type NotUndone = 'changed' | 'gone' | 'taken' | 'not-kept'

export type UndoOutcome = {
  readonly collection: string
  readonly undone: number
  readonly skipped: readonly { readonly _id: string; readonly reason: NotUndone }[]
}

/** Outcome, and what is odd about the records as they are again. */
export interface UndoAnswer {
  readonly outcome: UndoOutcome
  readonly warnings: readonly Warning[]
}

/** The records of a session's account, of every kind. */
export type Collections = Pick<Collection, 'deps' | 'session'>

/** Puts back, in one transaction and once, what a change of many records has made of those that nobody has changed since. */
export async function undoChange(
  { deps, session }: Collections,
  kinds: readonly RecordKind[],
  id: string,
  tell?: (answer: UndoAnswer) => Once,
): Promise<UndoAnswer> {
  assertMayWrite(session)
  const taken = new Set<string>()
  for (let attempt = 0; attempt < WRITE_ATTEMPTS; attempt++) {
    const entry = await readUndoEntry({ deps, session }, id)
    const kind = kinds.find(({ collection }) => collection === entry?.collection)
    if (entry === null || kind === undefined) throw undoNotFound(id)
    const collection = { deps, session, kind }
    const found = await inSlices(entry.records, async (record) => ({
      id: record[0],
      step: taken.has(record[0]) ? ('taken' as const) : await stepBack(collection, { ...entry, undo: id }, record),
    }))
    const steps = found.flatMap(({ step }) => (typeof step === 'string' ? [] : [step]))
    const skipped = found.flatMap(({ id: _id, step }) => (typeof step === 'string' ? [{ _id, reason: step }] : []))
    const outcome = { collection: kind.collection, undone: steps.length, skipped }
    const answer = { outcome, warnings: eachOnce(steps.flatMap(({ warnings }) => warnings)) }
    const write = { steps, beside: [droppedEntry(entry.stored)], by: actorOf(session), once: tell?.(answer) }
    const { isDone, results } = await commit(deps, write)
    if (isDone) return answer
    for (const [index, { change }] of steps.entries()) {
      if (results[index]?.outcome === 'exists') taken.add(change.id)
    }
  }
  throw writeConflict({ name: 'record' })
}

/** Step that puts a record back. */
export type StepBack = Step & { readonly warnings: readonly Warning[] }

/** A change that is put back. */
export interface Undone extends Pick<UndoEntry, 'isRemoval'> {
  /** Names it in the histories of its records. */
  readonly undo: string
}

/** Makes the step that puts one record back as it was before a change; or tells why it stays as it is. */
export function stepBack(collection: Collection, undone: Undone, made: MadeVersion): Promise<StepBack | NotUndone> {
  return undone.isRemoval ? restoreOne(collection, made) : revertOne(collection, undone, made)
}

async function restoreOne(collection: Collection, [id, version]: MadeVersion): Promise<StepBack | NotUndone> {
  const { deps, kind, session } = collection
  const removed = await deps.store.readRemoved(kind.collection, session.scope, id)
  if (removed === null) return 'gone'
  if (removed.version !== version) return 'changed'
  return { ...(await restorationOf(collection, removed)), warnings: [] }
}

async function revertOne(
  collection: Collection,
  { undo }: Undone,
  [id, version]: MadeVersion,
): Promise<StepBack | NotUndone> {
  const { deps, kind, session } = collection
  const current = await deps.store.read(kind.collection, session.scope, id)
  if (current === null || current.accountId !== session.account.id) return 'gone'
  if (current.version !== version && !(await isOfChange(collection, id, undo))) return 'changed'
  const text = await deps.store.readRevision(kind.collection, session.scope, id, version - 1)
  if (text === null) return 'not-kept'
  const former = await fieldsOf(deps.work, session.user.id, text, ['inSet'])
  const memberships = await presentMemberships(collection, former)
  const edit = { restore: text, memberships }
  const details = { revision: version - 1 }
  const revised = await revisionOf(collection, current, { edit, action: 'restore', details })
  return revised === null ? 'changed' : { ...revised.step, warnings: revised.warnings }
}

/** Tells whether a record is as a change left it, but for what was computed anew since: that takes the place of a version, with its note. */
async function isOfChange({ deps, kind, session }: Collection, id: string, undo: string): Promise<boolean> {
  const [present] = (await deps.store.history(kind.collection, session.scope, id)) ?? []
  return readNote(present?.note ?? null)?.undo === undo
}

export function undoNotFound(id: string): AppError {
  const message = `There is no change ${JSON.stringify(id.slice(0, 64))} of your account that could be undone.`
  return new AppError(RECORD_ERRORS.undoNotFound, message, { path: '_id', ...remedied('listUndo') })
}
