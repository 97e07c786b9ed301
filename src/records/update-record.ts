import { isDeepStrictEqual } from 'node:util'
import { assertMayWrite } from '../accounts/permissions.ts'
import type { Session } from '../accounts/session.ts'
import { isoInstant } from '../kernel/clock.ts'
import { AppError } from '../kernel/errors.ts'
import { type JsonObject, ownField } from '../kernel/json.ts'
import type { StoredRecord } from '../store/port/record-store.ts'
import { type CompleteRecord, completeRecord, type ServerFields } from './complete-record.ts'
import type { RecordDeps } from './deps.ts'
import { RECORD_ERRORS } from './errors.ts'
import { recordNotFound } from './get-record.ts'
import { readOwnRecord, WRITE_ATTEMPTS, type WriteOptions, writeConflict } from './own-record.ts'
import type { RecordKind } from './record-kind.ts'
import { applyUpdate } from './update/apply-update.ts'
import { isEmptyUpdate, parseUpdate, type RecordUpdate } from './update/parse-update.ts'
import { validateRecord } from './validate-record.ts'

/** Fields that keep the value of their creation, with what to do instead of changing them. */
const FIXED_FIELDS = {
  _id: 'Create a new record to have another identifier.',
  owner: 'Create a copy in the other account.',
  creator: 'It names the user who made the record.',
  createdAt: 'It tells when the record was made.',
  isDefault: 'The server keeps track of the default record.',
} as const

/** Changes fields of a record of the session's account; the outcome is validated and its computed fields are computed anew. */
export async function updateRecord(
  deps: RecordDeps,
  kind: RecordKind,
  session: Session,
  id: string,
  body: JsonObject,
  options: WriteOptions = {},
): Promise<StoredRecord> {
  assertMayWrite(session)
  const update = parseUpdate(body)
  for (let attempt = 0; attempt < WRITE_ATTEMPTS; attempt++) {
    const current = await readOwnRecord(deps, kind, session, id, options)
    if (isEmptyUpdate(update)) return current
    const { text, isPublic } = await updatedRecord(deps, kind, current, update)
    const { collection } = kind
    const [result] = await deps.store.apply([
      { action: 'replace', collection, id, expectedVersion: current.version, isPublic, text },
    ])
    if (result?.outcome === 'done') return { ...current, isPublic, text, version: result.version }
    if (result?.outcome === 'missing') throw recordNotFound(kind, id)
  }
  throw writeConflict(kind)
}

function updatedRecord(
  deps: RecordDeps,
  kind: RecordKind,
  current: StoredRecord,
  update: RecordUpdate,
): Promise<CompleteRecord> {
  const before: JsonObject = JSON.parse(current.text)
  const after = applyUpdate(JSON.parse(current.text), update)
  assertFixedFieldsKept(kind, before, after)
  validateRecord(kind, after, deps.limits)
  const server = { ...fixedFields(before), updatedAt: isoInstant(deps.clock()) } as ServerFields
  return completeRecord(kind, after, server, deps)
}

function assertFixedFieldsKept(kind: RecordKind, before: JsonObject, after: JsonObject): void {
  for (const [field, hint] of Object.entries(FIXED_FIELDS)) {
    if (isDeepStrictEqual(ownField(before, field), ownField(after, field))) continue
    throw new AppError(RECORD_ERRORS.fixedField, `The ${field} of a ${kind.name} does not change.`, {
      path: field,
      hint,
    })
  }
}

function fixedFields(document: JsonObject): JsonObject {
  return Object.fromEntries(Object.keys(FIXED_FIELDS).map((field) => [field, ownField(document, field) ?? null]))
}
