import type { Session } from '../accounts/session.ts'
import { AppError } from '../kernel/errors.ts'
import type { StoredRecord } from '../store/port/record-store.ts'
import type { RecordDeps } from './deps.ts'
import { RECORD_ERRORS } from './errors.ts'
import type { RecordKind } from './record-kind.ts'

/** Reads one record; one that the session cannot see does not exist for it. */
export async function getRecord(
  deps: RecordDeps,
  kind: RecordKind,
  session: Session,
  id: string,
): Promise<StoredRecord> {
  const record = await deps.store.read(kind.collection, session.scope, id)
  if (record === null) throw recordNotFound(kind, id)
  return record
}

/** The one answer for a record that is not there and for one that may not be seen. */
export function recordNotFound(kind: RecordKind, id: string): AppError {
  const shown = JSON.stringify(id.length > 64 ? `${id.slice(0, 64)}…` : id)
  return new AppError(RECORD_ERRORS.notFound, `There is no ${kind.name} ${shown} among those that you can see.`, {
    path: '_id',
    hint: `GET /${kind.collection} lists what you can see.`,
  })
}
