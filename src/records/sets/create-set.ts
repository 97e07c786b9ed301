import type { Session } from '../../accounts/session.ts'
import { type JsonObject, ownField } from '../../kernel/json.ts'
import type { StoredRecord } from '../../store/port/record-store.ts'
import { createRecord } from '../create-record.ts'
import type { RecordDeps } from '../deps.ts'
import type { RecordKind } from '../record-kind.ts'

/** Stores a new set without members; unordered unless it says otherwise. */
export function createSet(
  deps: RecordDeps,
  kind: RecordKind,
  session: Session,
  body: JsonObject,
): Promise<StoredRecord> {
  const entitySetType = ownField(body, 'entitySetType') ?? 'unordered'
  return createRecord(deps, kind, session, { ...body, isEntitySet: true, entitySetType })
}
