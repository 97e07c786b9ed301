import type { Session } from '../accounts/session.ts'
import type { JsonObject } from '../kernel/json.ts'
import type { RecordDeps } from './deps.ts'
import type { WriteOptions } from './own-record.ts'
import type { RecordKind } from './record-kind.ts'
import { type RewrittenRecord, rewriteRecord } from './rewrite-record.ts'
import type { Strictness } from './warnings/told-warnings.ts'

/** Changes fields of a record of the session's account; the outcome is validated and its computed fields are computed anew. */
export function updateRecord(
  deps: RecordDeps,
  kind: RecordKind,
  session: Session,
  id: string,
  update: Uint8Array | JsonObject,
  options: WriteOptions & Strictness = {},
): Promise<RewrittenRecord> {
  return rewriteRecord(deps, kind, session, id, { action: 'update', edit: { update } }, options)
}
