import type { KeptBeside } from '../../accounts/organizations.ts'
import { isoInstant } from '../../kernel/clock.ts'
import { EVERYTHING } from '../../query/ast/filter.ts'
import type { FieldsNode } from '../../query/ast/list-request.ts'
import { planQuery } from '../../query/plan.ts'
import type { Change, StoredRecord } from '../../store/port/record-store.ts'
import { addressOf } from '../ids.ts'
import type { Collection, RecordDeps } from '../work/deps.ts'
import {
  BULK_CHANGES,
  countParts,
  dropAllParts,
  dropParts,
  isUnderWay,
  partsOf,
  readTask,
  type TaskTold,
} from './bulk-tasks.ts'
import type { Write } from './write.ts'

/** Limits of an account's entries: number, records in all of them, and age. */
const MOST_KEPT = 100
const MOST_RECORDS_KEPT = 2_000_000
export const KEPT_MS = 30 * 24 * 3_600_000

/** Change of many records: the version that each had afterwards. Their contents are in their histories. */
export interface Undoable {
  readonly isRemoval: boolean
  readonly records: readonly (readonly [id: string, version: number])[]
}

/** Entry of a change that was made at once. */
type UndoTold = Pick<TaskTold, '_id' | 'collection' | 'count' | 'at' | 'by'> & { readonly action: 'update' | 'remove' }

/** A change of many records as lists tell of it; `undo`: by what it can be undone. */
export type BulkChangeTold = UndoTold & Pick<TaskTold, 'state' | 'undo'>

/** An entry that was read. */
export interface UndoEntry extends Undoable {
  readonly stored: StoredRecord
  readonly collection: string
}

/** The entry by which a change can be undone; it is stored together with it. What an account keeps of them is no record of its own. */
export function undoEntry({ deps, kind, session }: Collection, id: string, { isRemoval, records }: Undoable): Change {
  const { user, account } = session
  const told: UndoTold = {
    _id: id,
    collection: kind.collection,
    action: isRemoval ? 'remove' : 'update',
    count: records.length,
    at: isoInstant(deps.clock()),
    by: { _id: user.id, slug: user.slug },
  }
  // As a text: what is in a list, or under names, would be columns of segments.
  const text = JSON.stringify({ ...told, records: JSON.stringify(records) })
  return { action: 'insert', collection: BULK_CHANGES, id, accountId: account.id, isPublic: false, text, follows: true }
}

/** Reads an entry of the session's account; null where there is none, or not any more. */
export async function readUndoEntry(
  { deps, session }: Pick<Collection, 'deps' | 'session'>,
  id: string,
): Promise<UndoEntry | null> {
  const stored = await deps.store.read(BULK_CHANGES, session.scope, id)
  if (stored === null || stored.accountId !== session.account.id) return null
  const { collection, action, at, records } = JSON.parse(stored.text) as UndoTold & { readonly records?: string }
  if (records === undefined || at < oldestKept(deps)) return null
  return { stored, collection, isRemoval: action === 'remove', records: JSON.parse(records) as Undoable['records'] }
}

export function droppedEntry(stored: StoredRecord): Change {
  return { action: 'erase', ...addressOf(BULK_CHANGES, stored), follows: true }
}

/** The changes of many records, the latest first: what of them is under way, and how each can be undone. */
export async function listBulkChanges({
  deps,
  session,
}: Pick<Collection, 'deps' | 'session'>): Promise<readonly (BulkChangeTold | TaskTold)[]> {
  const oldest = oldestKept(deps)
  const entries = await readEntries(deps, session.account.id)
  return entries.flatMap((told) => (isOver(told) && told.at < oldest ? [] : [tellEntry(told)])).reverse()
}

/** Tells of an entry; that of a change which was made at once says of itself only what was done. */
export function tellEntry(told: UndoTold | TaskTold): BulkChangeTold | TaskTold {
  return 'state' in told ? told : { ...told, state: 'done', undo: told._id }
}

/** An entry that was made before is none any more, whether or not it has been taken away. */
function oldestKept({ clock }: Pick<RecordDeps, 'clock'>): string {
  return isoInstant(clock() - KEPT_MS)
}

/** Takes away what is too old, or too much, once there is another entry. */
export async function dropOldEntries(deps: RecordDeps, { beside = [] }: Write): Promise<void> {
  const another = beside.find(({ action, collection }) => action === 'insert' && collection === BULK_CHANGES)
  if (another === undefined) return
  const { accountId } = another
  const entries = await readEntries(deps, accountId)
  const needed = new Set(entries.flatMap((told) => ('of' in told && !isOver(told) ? [told.of] : [])))
  const oldest = oldestKept(deps)
  let records = 0
  const old = [...entries].reverse().filter((told, index) => {
    records += told.count
    const isKept = told.at >= oldest && index < MOST_KEPT && (records <= MOST_RECORDS_KEPT || index === 0)
    return !isKept && isOver(told) && !needed.has(told._id)
  })
  await drop(deps, accountId, old)
}

/** Entries of an account, which are no reason to keep it. */
export function undoEntriesOf(deps: RecordDeps): KeptBeside {
  return {
    count: async (accountId) => (await readEntries(deps, accountId)).length + (await countParts(deps, accountId)),
    async drop(accountId) {
      await drop(deps, accountId, await readEntries(deps, accountId))
      await dropAllParts(deps, accountId)
    },
  }
}

/** Takes away entries with their parts; one that is under way ends thereby. */
async function drop(deps: RecordDeps, accountId: string, entries: readonly (UndoTold | TaskTold)[]): Promise<void> {
  for (const { _id: id } of entries) {
    const task = await readTask(deps, accountId, id)
    const stored = task?.stored ?? (await deps.store.read(BULK_CHANGES, { kind: 'account', accountId }, id))
    if (stored === null) continue
    const [result] = await deps.store.applyEach([droppedEntry(stored)])
    if (result?.outcome === 'done' && task !== null && task.told.action !== 'undo')
      await dropParts(deps, { accountId, id }, { from: 0, to: partsOf(task) })
  }
}

function isOver(told: UndoTold | TaskTold): boolean {
  return !('state' in told) || !isUnderWay(told)
}

/** In the order of their making. */
async function readEntries(deps: RecordDeps, accountId: string): Promise<readonly (UndoTold | TaskTold)[]> {
  const scope = { kind: 'account', accountId } as const
  const request = { filter: EVERYTHING, sort: [], fields: WITHOUT_CONTENT, skip: 0, limit: 2 * MOST_KEPT }
  const page = await deps.store.find(planQuery(request, BULK_CHANGES, scope))
  return JSON.parse(page.documents.toString())
}

const WITHOUT_CONTENT: FieldsNode = {
  mode: 'exclusion',
  tree: new Map([
    ['records', { kind: 'exclude' }],
    ['work', { kind: 'exclude' }],
  ]),
  positional: null,
}
