import { assertMayWrite } from '../accounts/permissions.ts'
import type { Session } from '../accounts/session.ts'
import type { RecordDeps } from './deps.ts'
import { recordNotFound } from './get-record.ts'
import { readOwnRecord, WRITE_ATTEMPTS, type WriteOptions, writeConflict } from './own-record.ts'
import type { RecordKind } from './record-kind.ts'

/** Removes a record of the session's account for good. */
export async function deleteRecord(
  deps: RecordDeps,
  kind: RecordKind,
  session: Session,
  id: string,
  options: WriteOptions = {},
): Promise<void> {
  assertMayWrite(session)
  for (let attempt = 0; attempt < WRITE_ATTEMPTS; attempt++) {
    const { version } = await readOwnRecord(deps, kind, session, id, options)
    const [result] = await deps.store.apply([
      { action: 'remove', collection: kind.collection, id, expectedVersion: version },
    ])
    if (result?.outcome === 'done') return
    if (result?.outcome === 'missing') throw recordNotFound(kind, id)
  }
  throw writeConflict(kind)
}
