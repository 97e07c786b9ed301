import { assertMayWrite } from '../accounts/permissions.ts'
import type { Session } from '../accounts/session.ts'
import { equalJson } from '../kernel/equal-json.ts'
import { AppError } from '../kernel/errors.ts'
import { type JsonObject, ownField } from '../kernel/json.ts'
import type { StoredRecord } from '../store/port/record-store.ts'
import type { RecordDeps } from './deps.ts'
import { RECORD_ERRORS } from './errors.ts'
import type { WriteOptions } from './own-record.ts'
import type { RecordKind } from './record-kind.ts'
import { rewriteRecord } from './rewrite-record.ts'
import { applyUpdate } from './update/apply-update.ts'
import { assertComputedFieldsKept } from './update/computed-fields.ts'
import { isEmptyUpdate, parseUpdate, type RecordUpdate } from './update/parse-update.ts'

const SET_HINT = 'What is a set stays one: create another set, and move the members there.'

/** Fields that an update leaves as they are, with what to do instead of changing them. */
const FIXED_FIELDS = {
  _id: 'Create a new record to have another identifier.',
  owner: 'Create a copy in the other account.',
  creator: 'It names the user who made the record.',
  createdAt: 'It tells when the record was made.',
  isDefault: 'POST …/ID/set-default makes a record the default.',
  inSet: 'POST …/ID/move-to-set?oldSetId=&newSetId= moves a record.',
  isEntitySet: SET_HINT,
  entitySetType: SET_HINT,
  entityCls: SET_HINT,
  nextIndex: 'It counts the arrivals in an ordered set.',
} as const

/** Told with an answer and never stored: they say nothing about the record that is sent back with them. */
const TOLD_FIELDS = ['duplicates', 'sharedCount']

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
  const edit = (before: JsonObject, current: StoredRecord): JsonObject | null => {
    if (isEmptyUpdate(update)) return null
    const after = applyUpdate(JSON.parse(current.text), withoutTold(update))
    assertFixedFieldsKept(kind, before, after)
    return after
  }
  return rewriteRecord(deps, kind, session, id, { action: 'update', edit, check: assertComputedFieldsKept }, options)
}

function withoutTold({ set, unset }: RecordUpdate): RecordUpdate {
  return { set: set.filter(({ path: [field = ''] }) => !TOLD_FIELDS.includes(field)), unset }
}

function assertFixedFieldsKept(kind: RecordKind, before: JsonObject, after: JsonObject): void {
  for (const [field, hint] of Object.entries(FIXED_FIELDS)) {
    if (equalJson(ownField(before, field), ownField(after, field))) continue
    throw new AppError(RECORD_ERRORS.fixedField, `The ${field} of a ${kind.name} is not changed by an update.`, {
      path: field,
      hint,
    })
  }
}
