import type { Session } from '../accounts/session.ts'
import type { JsonObject } from '../kernel/json.ts'
import type { StoredRecord } from '../store/port/record-store.ts'
import type { RecordDeps } from './deps.ts'
import type { WriteOptions } from './own-record.ts'
import type { RecordKind } from './record-kind.ts'
import { rewriteRecord } from './rewrite-record.ts'

/** Changes fields of a record of the session's account; the outcome is validated and its computed fields are computed anew. */
export function updateRecord(
  deps: RecordDeps,
  kind: RecordKind,
  session: Session,
  id: string,
  update: Uint8Array | JsonObject,
  options: WriteOptions = {},
): Promise<StoredRecord> {
  return rewriteRecord(deps, kind, session, id, { action: 'update', edit: { update } }, options)
}
