import type { Session } from '../../accounts/session.ts'
import type { JsonObject } from '../../kernel/json.ts'
import { type CreatedRecord, createFrom, sourceOf } from '../create-record.ts'
import type { RecordDeps } from '../deps.ts'
import type { RecordKind } from '../record-kind.ts'

/** Stores a new set without members; unordered unless it says otherwise. */
export function createSet(
  deps: RecordDeps,
  kind: RecordKind,
  session: Session,
  given: Uint8Array | JsonObject,
): Promise<CreatedRecord> {
  const shape = { defaults: { entitySetType: 'unordered' }, overrides: { isEntitySet: true } }
  return createFrom(deps, kind, session, sourceOf(given), shape)
}
