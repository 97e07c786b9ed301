import { actorOf, assertMayWrite } from '../../accounts/session.ts'
import { type Json, type JsonObject, ownField } from '../../kernel/json.ts'
import type { Change, StoredRecord } from '../../store/port/record-store.ts'
import { changeNote } from '../change-note.ts'
import { addressOf } from '../ids.ts'
import { isEntitySet } from '../kinds/entity-set.ts'
import type { RecordKind } from '../record-kind.ts'
import type { Collection } from '../work/deps.ts'
import { broughtBy, fieldsOf } from '../work/stored-text.ts'
import { readOwnRecord, WRITE_ATTEMPTS, type WriteOptions, writeConflict } from './change.ts'
import { assertNotDefault } from './default-record.ts'
import { recordNotFound } from './read-records.ts'
import { assertMayPurge } from './removed.ts'
import { LEAVING_TOGETHER, leavingChanges } from './sets.ts'
import { commitOne } from './write-record.ts'

/** Options of a deletion. */
export interface DeleteOptions extends WriteOptions {
  /** Deletes it with its history, so that it cannot be restored. */
  readonly isForGood?: boolean
}

/** Removes a record of the session's account, so that it can be restored. The members of a set stay, without their membership. */
export async function deleteRecord(
  collection: Collection,
  id: string,
  { isForGood = false, ...options }: DeleteOptions = {},
): Promise<void> {
  const { deps, kind, session } = collection
  assertMayWrite(session)
  if (isForGood) assertMayPurge(session)
  for (let attempt = 0; attempt < WRITE_ATTEMPTS; ) {
    const current = await readOwnRecord(collection, id, options)
    const document = await fieldsOf(deps.work, session.user.id, current.text, ['name', 'isDefault', 'isEntitySet'])
    assertNotDefault(kind, document)
    const leaving = isEntitySet(document) ? await leavingChanges(collection, id) : []
    if (leaving.length === LEAVING_TOGETHER) {
      // If this is interrupted, the set is still there with the rest of its members.
      const results = await deps.store.apply(leaving, actorOf(session))
      if (results.some(({ outcome }) => outcome !== 'done')) attempt += 1
      continue
    }
    const change = isForGood ? erasure(kind, current) : removal(collection, current, document)
    const before = await broughtBy(deps.work, session.user.id, kind, current)
    const terms = { by: actorOf(session), beside: leaving }
    const result = await commitOne(deps, { change, before, after: null }, terms)
    if (result.outcome === 'missing') throw recordNotFound(kind, id)
    if (result.outcome === 'done') {
      if (isEntitySet(document)) await letLateMembersGo(collection, id)
      return
    }
    attempt += 1
  }
  throw writeConflict(kind)
}

function erasure({ collection }: RecordKind, record: StoredRecord): Change {
  return { action: 'erase', ...addressOf(collection, record) }
}

function removal({ deps, kind, session }: Collection, record: StoredRecord, document: JsonObject): Change {
  const shown: Record<string, Json> = { name: ownField(document, 'name') ?? null }
  if (isEntitySet(document)) shown.isEntitySet = true
  const note = changeNote(deps, session, 'remove', shown)
  return { action: 'remove', ...addressOf(kind.collection, record), note }
}

/** A record may have come into the set after its members were looked up; after its removal none can. */
async function letLateMembersGo(collection: Collection, setId: string): Promise<void> {
  const { deps, session } = collection
  for (let attempt = 0; attempt < WRITE_ATTEMPTS; attempt++) {
    const late = await leavingChanges(collection, setId)
    if (late.length === 0) return
    await deps.store.applyEach(late, actorOf(session))
  }
}
