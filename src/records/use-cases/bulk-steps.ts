import { AppError } from '../../kernel/errors.ts'
import { type JsonObject, ownField } from '../../kernel/json.ts'
import type { Warning } from '../../kernel/warnings.ts'
import type { Change, StoredRecord } from '../../store/port/record-store.ts'
import { changeNote } from '../change-note.ts'
import { RECORD_ERRORS } from '../errors.ts'
import { addressOf } from '../ids.ts'
import { isEntitySet } from '../kinds/entity-set.ts'
import { broughtBy } from '../work/bank-changes.ts'
import type { Collection } from '../work/deps.ts'
import { parseUpdate } from '../work/parse-update.ts'
import type { Step } from '../work/step.ts'
import { fieldsOf } from '../work/stored-text.ts'
import type { ChangeOfEach } from './change-of-each.ts'
import { assertNotDefault } from './default-record.ts'
import { recomputedChange, recomputeEntries, recomputeFailure } from './recompute.ts'
import { readSetChange, type SetsChanged, type SplitChange, setsChanged } from './set-changes.ts'
import { revisionOf } from './update-record.ts'

/** Step of one record in a change of many. */
export interface BulkStep extends Step {
  /** The version that the record has afterwards. */
  readonly version: number
  readonly warnings: readonly Warning[]
  /** What it makes another, where its note does not tell it. */
  readonly differences?: JsonObject
}

/** A change that was read. */
export type ReadChange = Exclude<ChangeOfEach, JsonObject> | SplitChange

/** A change as it is made of each record. */
export interface BulkEdit {
  readonly split: ReadChange
  /** Names the change in the histories of the records. */
  readonly undo: string
  /** Refuses what would be told of with a warning. */
  readonly strict: boolean
}

/** Makes the step of one record; null where the record is already what it would become. */
export type MakeStep = (record: StoredRecord) => Promise<BulkStep | null>

/** Reads a change, so that one that cannot be carried out is refused whatever it meets, and no record is blamed for it. */
export function readChange(change: ChangeOfEach): ReadChange {
  if (change === null || change === 'recompute') return change
  const split = readSetChange(change)
  parseUpdate(split.update)
  return split
}

/** Prepares the steps of some records, with what has to hold or to happen beside them once there is one. */
export async function stepMaker(
  collection: Collection,
  records: readonly StoredRecord[],
  edit: BulkEdit,
): Promise<{ readonly make: MakeStep; readonly beside: readonly Change[] }> {
  const { split, undo } = edit
  if (split === 'recompute') return { make: (record) => recomputation(collection, record), beside: [] }
  if (split === null) return { make: (record) => removal(collection, record, undo), beside: [] }
  const moved = split.sets === null ? null : await setsChanged(collection, records, split.sets)
  return { make: (record) => revision(collection, record, split, { ...edit, moved }), beside: moved?.beside ?? [] }
}

interface Revising extends BulkEdit {
  readonly moved: SetsChanged | null
}

async function revision(
  collection: Collection,
  record: StoredRecord,
  { update, sets }: SplitChange,
  { moved, undo, strict }: Revising,
): Promise<BulkStep | null> {
  const memberships = moved?.memberships.get(record.id)
  const isMoveOnly = sets !== null && Object.keys(update).length === 0
  const edit = { update, ...(memberships === undefined ? {} : { memberships }) }
  const action = isMoveOnly ? 'move-to-set' : 'update'
  const revised = await revisionOf(collection, record, { edit, action, details: { undo } }, { strict })
  return revised && { ...revised.step, version: record.version + 1, warnings: revised.warnings }
}

async function recomputation({ deps, kind, session }: Collection, record: StoredRecord): Promise<BulkStep | null> {
  const what = { collection: kind.collection, isBank: false, symmetry: 'all' } as const
  const { text, isPublic } = record
  const [outcome] = await deps.work.runEach('recompute', session.user.id, [{ text, isPublic }], what)
  if (outcome === undefined || 'unchanged' in outcome) return null
  if (!('recomputed' in outcome)) throw recomputeFailure(outcome)
  const { recomputed } = outcome
  const { before, after, differences } = recomputed
  const change = recomputedChange(what, record, recomputed)
  return { change, before, after, version: record.version + 1, warnings: [], differences }
}

/**
 * Brings entries of the bank up to date that recomputed records share. It comes before the commit of these: nobody knows afterwards what a process that died has not
 * done, and an entry follows from its own content alone.
 */
export async function recomputeShared(
  { deps, kind, session }: Collection,
  change: ChangeOfEach,
  steps: readonly Step[],
): Promise<void> {
  if (change !== 'recompute') return
  const ids = steps.flatMap(({ after }) => after?.bank?.id ?? [])
  await recomputeEntries(deps, kind, { ids, symmetry: 'all', user: session.user.id })
}

async function removal(collection: Collection, record: StoredRecord, undo: string): Promise<BulkStep> {
  const { deps, kind, session } = collection
  const document = await fieldsOf(deps.work, session.user.id, record.text, ['name', 'isDefault', 'isEntitySet'])
  assertNotDefault(kind, document)
  if (isEntitySet(document)) throw setAmongThem()
  const note = changeNote(deps, session, 'remove', { name: ownField(document, 'name') ?? null, undo })
  const before = await broughtBy(deps.work, session.user.id, kind, record)
  const change = { action: 'remove', ...addressOf(kind.collection, record), note } as const
  return { change, version: record.version, before, after: null, warnings: [] }
}

function setAmongThem(): AppError {
  return new AppError(RECORD_ERRORS.setAmongThem, 'It is a set, and its members would have to leave it.', {
    hint: 'Leave sets out ({"isEntitySet":{"$ne":true}}), and delete each by itself.',
  })
}
