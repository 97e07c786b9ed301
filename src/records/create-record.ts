import { assertMayWrite } from '../accounts/permissions.ts'
import type { Session } from '../accounts/session.ts'
import { isoInstant } from '../kernel/clock.ts'
import { AppError } from '../kernel/errors.ts'
import { newId } from '../kernel/ids.ts'
import { type JsonObject, ownField } from '../kernel/json.ts'
import type { Change, StoredRecord } from '../store/port/record-store.ts'
import { completeRecord } from './complete-record.ts'
import type { RecordDeps } from './deps.ts'
import { RECORD_ERRORS } from './errors.ts'
import { referenceTo, resolveOwner } from './owner.ts'
import type { RecordKind } from './record-kind.ts'
import { validateRecord } from './validate-record.ts'

/** A taken id of 17 random characters is next to impossible; more than one means that something else is wrong. */
const ID_ATTEMPTS = 3

/** Stores a new record under a new id. Clients send whole records back, so fields that the server owns are overwritten. */
export async function createRecord(
  deps: RecordDeps,
  kind: RecordKind,
  session: Session,
  document: JsonObject,
): Promise<StoredRecord> {
  assertMayWrite(session)
  validateRecord(kind, document, deps.limits)
  const owner = await resolveOwner(deps, session, ownField(document, 'owner'))
  const now = isoInstant(deps.clock())
  for (let attempt = 0; attempt < ID_ATTEMPTS; attempt++) {
    const _id = newId(deps.random)
    const server = {
      _id,
      isDefault: false,
      owner: referenceTo(owner, 'Account'),
      creator: referenceTo(session.user, 'User'),
      createdAt: now,
      updatedAt: now,
    }
    const { text, isPublic } = await completeRecord(kind, document, server, deps)
    const record = { id: _id, accountId: owner.id, isPublic, text }
    const insert: Change = { action: 'insert', collection: kind.collection, ...record }
    const [result] = await deps.store.apply([insert])
    if (result?.outcome === 'done') return { ...record, version: result.version }
  }
  throw new AppError(RECORD_ERRORS.idTaken, `No free identifier was found for the ${kind.name}.`, {
    hint: 'Send the request again.',
  })
}
