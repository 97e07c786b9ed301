import { actorOf, assertMayWrite, type Session } from '../../accounts/session.ts'
import { isoInstant } from '../../kernel/clock.ts'
import { AppError } from '../../kernel/errors.ts'
import { ownField } from '../../kernel/json.ts'
import type { RemovedRecord, StoredRecord } from '../../store/port/record-store.ts'
import { addressOf } from '../address-of.ts'
import { applyChange } from '../apply-change.ts'
import type { RecordDeps } from '../deps.ts'
import { RECORD_ERRORS } from '../errors.ts'
import { changeNote } from '../history/change-note.ts'
import { getRevision } from '../history/get-revision.ts'
import { WRITE_ATTEMPTS, type WriteOptions, writeConflict } from '../own-record.ts'
import type { RecordKind } from '../record-kind.ts'
import { rewriteRecord } from '../rewrite-record.ts'
import { membershipsOf } from '../sets/memberships.ts'
import { readRemoved } from './removed-records.ts'

/** Makes an earlier version of a record its next one. Who may see it and the sets that it is in stay as they are. */
export async function restoreRevision(
  deps: RecordDeps,
  kind: RecordKind,
  session: Session,
  id: string,
  version: number,
  options: WriteOptions = {},
): Promise<StoredRecord> {
  assertMayWrite(session)
  const edit = async (record: StoredRecord) => {
    if (version === record.version) return null
    const { text } = await getRevision(deps, kind, session, id, version)
    return { restore: text }
  }
  return rewriteRecord(deps, kind, session, id, { action: 'restore', details: { revision: version }, edit }, options)
}

/** Brings a removed record back as it was, under its old id. It is in those of its sets that are still there. */
export async function restoreRemoved(
  deps: RecordDeps,
  kind: RecordKind,
  session: Session,
  id: string,
): Promise<StoredRecord> {
  assertMayWrite(session)
  for (let attempt = 0; attempt < WRITE_ATTEMPTS; attempt++) {
    const present = await deps.store.read(kind.collection, session.scope, id)
    // Another account's public record may have the id by now, beside the removed one.
    if (present?.accountId === session.account.id) throw revisionMissing(kind, id)
    const removed = await readRemoved(deps, kind, session, id)
    const text = await restoredText(deps, kind, session, removed)
    const { accountId, isPublic } = removed
    const note = changeNote(deps, session, 'restore')
    const restore = { id, accountId, isPublic, text }
    const change = { action: 'restore', ...addressOf(kind.collection, removed), isPublic, text, note } as const
    const after = await deps.work.contribution(session.user.id, kind, restore)
    const result = await applyChange(deps, change, { before: null, after, by: actorOf(session) })
    if (result.outcome === 'done') return { ...restore, serial: result.serial, version: result.version }
    if (result.outcome === 'exists') throw idTaken(kind, id)
  }
  throw writeConflict(kind)
}

async function restoredText(
  deps: RecordDeps,
  kind: RecordKind,
  session: Session,
  { text }: RemovedRecord,
): Promise<string> {
  const document = await deps.work.pick(session.user.id, text, ['inSet'])
  const updatedAt = isoInstant(deps.clock())
  if (ownField(document, 'inSet') === undefined) return deps.work.put(session.user.id, text, { updatedAt })
  const memberships = await Promise.all(
    membershipsOf(document).map(async (membership) => {
      const set = await deps.store.read(kind.collection, session.scope, String(ownField(membership, '_id')))
      return set === null ? [] : [membership]
    }),
  )
  return deps.work.put(session.user.id, text, { inSet: memberships.flat(), updatedAt })
}

function revisionMissing(kind: RecordKind, id: string): AppError {
  return new AppError(RECORD_ERRORS.missingRevision, `The ${kind.name} ${id} is not removed; which version is meant?`, {
    path: 'revision',
    hint: `POST /${kind.collection}/ID/restore?revision=N; GET /${kind.collection}/ID/history lists the versions.`,
  })
}

function idTaken(kind: RecordKind, id: string): AppError {
  return new AppError(RECORD_ERRORS.idTaken, `The _id ${JSON.stringify(id)} is another ${kind.name}'s by now.`, {
    path: '_id',
    hint: 'The removed one stays where it is.',
  })
}
