import type { KeptBeside } from '../../accounts/organizations.ts'
import { isoInstant } from '../../kernel/clock.ts'
import type { JsonObject } from '../../kernel/json.ts'
import { EVERYTHING } from '../../query/ast/filter.ts'
import type { FieldsNode } from '../../query/ast/list-request.ts'
import { planQuery } from '../../query/plan.ts'
import type { Change, StoredRecord } from '../../store/port/record-store.ts'
import { addressOf } from '../ids.ts'
import type { Collection, RecordDeps } from '../work/deps.ts'
import type { Write } from './write.ts'

/** Collection of changes of many records that can be undone; no kind of record, so that no list shows it. */
const COLLECTION = 'bulk-changes'

/** Limits of an account's entries: number and age. */
const MOST_KEPT = 100
export const KEPT_MS = 30 * 24 * 3_600_000

/** Change of many records: the version that each had afterwards. Their contents are in their histories. */
export interface Undoable {
  readonly isRemoval: boolean
  readonly records: readonly (readonly [id: string, version: number])[]
}

/** An entry as it is told. */
export type UndoTold = {
  readonly _id: string
  readonly collection: string
  readonly action: 'update' | 'remove'
  readonly count: number
  readonly at: string
  readonly by: JsonObject
}

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
  return { action: 'insert', collection: COLLECTION, id, accountId: account.id, isPublic: false, text, follows: true }
}

/** Reads an entry of the session's account; null where there is none, or not any more. */
export async function readUndoEntry(
  { deps, session }: Pick<Collection, 'deps' | 'session'>,
  id: string,
): Promise<UndoEntry | null> {
  const stored = await deps.store.read(COLLECTION, session.scope, id)
  if (stored === null || stored.accountId !== session.account.id) return null
  const { collection, action, at, records } = JSON.parse(stored.text) as UndoTold & { readonly records: string }
  if (at < oldestKept(deps)) return null
  return { stored, collection, isRemoval: action === 'remove', records: JSON.parse(records) as Undoable['records'] }
}

export function droppedEntry(stored: StoredRecord): Change {
  return { action: 'erase', ...addressOf(COLLECTION, stored), follows: true }
}

/** The changes of many records that can be undone, the latest first. */
export async function listUndoable({
  deps,
  session,
}: Pick<Collection, 'deps' | 'session'>): Promise<readonly UndoTold[]> {
  const oldest = oldestKept(deps)
  const entries = await readEntries(deps, session.account.id)
  return entries.flatMap(({ told }) => (told.at < oldest ? [] : [told])).reverse()
}

/** An entry that was made before is none any more, whether or not it has been taken away. */
function oldestKept({ clock }: Pick<RecordDeps, 'clock'>): string {
  return isoInstant(clock() - KEPT_MS)
}

/** Takes away what is too old, or too much, once there is another entry. */
export async function dropOldEntries(deps: RecordDeps, { beside = [], by }: Write): Promise<void> {
  const another = beside.find(({ action, collection }) => action === 'insert' && collection === COLLECTION)
  if (another === undefined) return
  const { accountId } = another
  const entries = await readEntries(deps, accountId)
  const oldest = oldestKept(deps)
  const old = entries.filter(({ told }, index) => told.at < oldest || index < entries.length - MOST_KEPT)
  if (old.length > 0) await deps.store.applyEach(old.map(dropped(accountId)), by)
}

/** Entries of an account, which are no reason to keep it. */
export function undoEntriesOf(deps: RecordDeps): KeptBeside {
  return {
    count: async (accountId) => (await readEntries(deps, accountId)).length,
    async drop(accountId, by) {
      const entries = await readEntries(deps, accountId)
      await deps.store.applyEach(entries.map(dropped(accountId)), by)
    },
  }
}

/** An entry never changes: it is at its first version. */
function dropped(accountId: string) {
  return ({ told: { _id: id } }: { readonly told: UndoTold }): Change => ({
    action: 'erase',
    collection: COLLECTION,
    id,
    accountId,
    expectedVersion: 1,
    follows: true,
  })
}

/** In the order of their making. */
async function readEntries(deps: RecordDeps, accountId: string) {
  const scope = { kind: 'account', accountId } as const
  const request = { filter: EVERYTHING, sort: [], fields: WITHOUT_RECORDS, skip: 0, limit: 2 * MOST_KEPT }
  const page = await deps.store.find(planQuery(request, COLLECTION, scope))
  return (JSON.parse(page.documents.toString()) as readonly UndoTold[]).map((told) => ({ told }))
}

const WITHOUT_RECORDS: FieldsNode = {
  mode: 'exclusion',
  tree: new Map([['records', { kind: 'exclude' }]]),
  positional: null,
}
