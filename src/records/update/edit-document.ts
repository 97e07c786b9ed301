import { AppError } from '../../kernel/errors.ts'
import { equalJson, type JsonObject, ownField } from '../../kernel/json.ts'
import { RECORD_ERRORS } from '../errors.ts'
import type { RecordKind } from '../record-kind.ts'
import { applyUpdate } from './apply-update.ts'
import { isEmptyUpdate, parseUpdate, type RecordUpdate } from './parse-update.ts'

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

/** Carries the body of an update out on the text of a record; null when the update is empty. */
export function editDocument(kind: RecordKind, text: string, body: JsonObject): JsonObject | null {
  const update = parseUpdate(body)
  if (isEmptyUpdate(update)) return null
  const before = JSON.parse(text) as JsonObject
  const after = applyUpdate(JSON.parse(text), withoutTold(update))
  assertFixedFieldsKept(kind, before, after)
  return after
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
