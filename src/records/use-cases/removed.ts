import { actorOf, assertMayWrite, type Session } from '../../accounts/session.ts'
import { isoInstant } from '../../kernel/clock.ts'
import { AppError } from '../../kernel/errors.ts'
import { type Json, type JsonObject, ownField } from '../../kernel/json.ts'
import { remedied } from '../../page/remedies.ts'
import type { Change, RemovedEntry, RemovedRecord, StoredRecord } from '../../store/port/record-store.ts'
import { changeNote, readNote } from '../change-note.ts'
import { RECORD_ERRORS } from '../errors.ts'
import { addressOf } from '../ids.ts'
import { isEntitySet } from '../kinds/entity-set.ts'
import type { RecordKind } from '../record-kind.ts'
import { broughtBy } from '../work/bank-changes.ts'
import type { Collection } from '../work/deps.ts'
import type { Step } from '../work/step.ts'
import { fieldsOf, withFields } from '../work/stored-text.ts'
import { readOwnRecord, WRITE_ATTEMPTS, type WriteOptions, writeConflict } from './change.ts'
import { assertNotDefault } from './default-record.ts'
import { getRevision } from './history.ts'
import { recordNotFound } from './read-records.ts'
import { LEAVING_TOGETHER, leavingChanges, presentMemberships } from './sets.ts'
import { rewriteRecord } from './update-record.ts'
import { commit, commitEach, commitOne, stepOf } from './write-record.ts'

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
      const { isDone } = await commit(deps, { steps: leaving.map(stepOf), by: actorOf(session) })
      if (!isDone) attempt += 1
      continue
    }
    const change: Change = isForGood
      ? { action: 'erase', ...addressOf(kind.collection, current) }
      : removal(collection, current, document)
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
    await commitEach(deps, late.map(stepOf), actorOf(session))
  }
}

/** Refuses to delete for good what other members of the account may want back. */
function assertMayPurge({ role, account }: Session): void {
  if (role === 'owner' || role === 'administrator') return
  throw new AppError(
    RECORD_ERRORS.mayNotPurge,
    `Members of ${account.slug} delete records so that they can be restored; for good is up to its owner and administrators.`,
    { hint: 'Leave purge out, or ask one of them.' },
  )
}

/** Lists what was removed from the session's account, the latest first. */
export async function listRemoved(
  collection: Collection,
  page: { readonly skip: number; readonly limit: number },
): Promise<readonly JsonObject[]> {
  const { deps, kind, session } = collection
  const entries = await deps.store.listRemoved(kind.collection, session.scope, page.skip, page.limit)
  return entries.map(presentEntry)
}

/** Deletes a removed record with its history: it cannot be restored any more. */
export async function purgeRecord(collection: Collection, id: string): Promise<StoredRecord> {
  const { deps, kind, session } = collection
  assertMayWrite(session)
  assertMayPurge(session)
  for (let attempt = 0; attempt < WRITE_ATTEMPTS; attempt++) {
    const removed = await readRemoved(collection, id)
    const purge = { action: 'purge', ...addressOf(kind.collection, removed) } as const
    const result = await commitOne(deps, stepOf(purge), { by: actorOf(session), once: collection.once?.(removed) })
    if (result.outcome === 'done') return removed
  }
  throw writeConflict(kind)
}

/** Reads a record that was removed from the session's account; others do not exist for it. */
export async function readRemoved(collection: Collection, id: string): Promise<RemovedRecord> {
  const { deps, kind, session } = collection
  const record = await deps.store.readRemoved(kind.collection, session.scope, id)
  if (record !== null) return record
  const message = `There is no ${kind.name} ${JSON.stringify(id.slice(0, 64))} among those that your account removed.`
  throw new AppError(RECORD_ERRORS.removedNotFound, message, {
    path: '_id',
    ...remedied('listRemoved', { collection: kind.collection }),
  })
}

function presentEntry({ id, version, removal }: RemovedEntry): JsonObject {
  const note = readNote(removal) ?? {}
  return {
    _id: id,
    name: ownField(note, 'name') ?? null,
    ...(ownField(note, 'isEntitySet') === true ? { isEntitySet: true } : {}),
    version,
    removed: true,
    removedAt: ownField(note, 'at') ?? null,
    removedBy: ownField(note, 'by') ?? null,
  }
}

/** Makes an earlier version of a record its next one. Who may see it and the sets that it is in stay as they are. */
export async function restoreRevision(
  collection: Collection,
  id: string,
  version: number,
  options: WriteOptions = {},
): Promise<StoredRecord> {
  const { session } = collection
  assertMayWrite(session)
  const edit = async (record: StoredRecord) => {
    if (version === record.version) return null
    const { text } = await getRevision(collection, id, version)
    return { restore: text }
  }
  return rewriteRecord(collection, id, { action: 'restore', details: { revision: version }, edit }, options)
}

/** Brings a removed record back as it was, under its old id. It is in those of its sets that are still there. */
export async function restoreRemoved(collection: Collection, id: string): Promise<StoredRecord> {
  const { deps, kind, session } = collection
  assertMayWrite(session)
  for (let attempt = 0; attempt < WRITE_ATTEMPTS; attempt++) {
    const present = await deps.store.read(kind.collection, session.scope, id)
    // Another account's public record may have the id by now, beside the removed one.
    if (present?.accountId === session.account.id) throw revisionMissing(kind, id)
    const removed = await readRemoved(collection, id)
    const { text, ...step } = await restorationOf(collection, removed)
    const { accountId, isPublic, serial } = removed
    const restored = { id, accountId, isPublic, text, serial, version: removed.version + 1 }
    const result = await commitOne(deps, step, { by: actorOf(session), once: collection.once?.(restored) })
    if (result.outcome === 'done') return restored
    if (result.outcome === 'exists') throw idTaken(kind, id)
  }
  throw writeConflict(kind)
}

/** Step that brings a removed record back, and its text, in which it is in those of its sets that are still there. */
export async function restorationOf(
  collection: Collection,
  removed: RemovedRecord,
): Promise<Step & { readonly text: string }> {
  const { deps, kind, session } = collection
  const document = await fieldsOf(deps.work, session.user.id, removed.text, ['inSet'])
  const updatedAt = isoInstant(deps.clock())
  const fields = document.inSet === undefined ? {} : { inSet: await presentMemberships(collection, document) }
  const text = await withFields(deps.work, session.user.id, removed.text, { ...fields, updatedAt })
  const { isPublic } = removed
  const note = changeNote(deps, session, 'restore')
  const change = { action: 'restore', ...addressOf(kind.collection, removed), isPublic, text, note } as const
  return { change, before: null, after: await broughtBy(deps.work, session.user.id, kind, { isPublic, text }), text }
}

function revisionMissing(kind: RecordKind, id: string): AppError {
  const message = `The ${kind.name} ${id} is not removed; which version is meant?`
  return new AppError(RECORD_ERRORS.missingRevision, message, {
    path: 'revision',
    ...remedied('nameVersion', { collection: kind.collection }),
  })
}

function idTaken(kind: RecordKind, id: string): AppError {
  const message = `The _id ${JSON.stringify(id)} is another ${kind.name}'s by now.`
  return new AppError(RECORD_ERRORS.idTaken, message, { path: '_id', hint: 'The removed one stays where it is.' })
}
