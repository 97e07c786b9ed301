import { actorOf, assertMayWrite, type Session } from '../../accounts/session.ts'
import { AppError } from '../../kernel/errors.ts'
import { type JsonObject, ownField } from '../../kernel/json.ts'
import type { RemovedEntry, RemovedRecord } from '../../store/port/record-store.ts'
import { addressOf } from '../address-of.ts'
import type { RecordDeps } from '../deps.ts'
import { RECORD_ERRORS } from '../errors.ts'
import { readNote } from '../history/change-note.ts'
import { WRITE_ATTEMPTS, writeConflict } from '../own-record.ts'
import type { RecordKind } from '../record-kind.ts'
import { assertMayPurge } from './assert-may-purge.ts'

/** Lists what was removed from the session's account, the latest first. */
export async function listRemoved(
  deps: RecordDeps,
  kind: RecordKind,
  session: Session,
  page: { readonly skip: number; readonly limit: number },
): Promise<readonly JsonObject[]> {
  const entries = await deps.store.listRemoved(kind.collection, session.scope, page.skip, page.limit)
  return entries.map(presentEntry)
}

/** Deletes a removed record with its history: it cannot be restored any more. */
export async function purgeRecord(deps: RecordDeps, kind: RecordKind, session: Session, id: string): Promise<void> {
  assertMayWrite(session)
  assertMayPurge(session)
  for (let attempt = 0; attempt < WRITE_ATTEMPTS; attempt++) {
    const removed = await readRemoved(deps, kind, session, id)
    const purge = { action: 'purge', ...addressOf(kind.collection, removed) } as const
    const [result] = await deps.store.apply([purge], actorOf(session))
    if (result?.outcome === 'done') return
  }
  throw writeConflict(kind)
}

/** Reads a record that was removed from the session's account; others do not exist for it. */
export async function readRemoved(
  deps: RecordDeps,
  kind: RecordKind,
  session: Session,
  id: string,
): Promise<RemovedRecord> {
  const record = await deps.store.readRemoved(kind.collection, session.scope, id)
  if (record !== null) return record
  throw new AppError(
    RECORD_ERRORS.removedNotFound,
    `There is no ${kind.name} ${JSON.stringify(id.slice(0, 64))} among those that your account removed.`,
    { path: '_id', hint: `GET /${kind.collection}/removed lists them.` },
  )
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
