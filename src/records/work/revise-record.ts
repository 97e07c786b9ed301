import { isoInstant } from '../../kernel/clock.ts'
import { equalJson, type JsonObject, ownField } from '../../kernel/json.ts'
import { contributionOf } from '../bank/bank-changes.ts'
import { completeRecord, type ServerFields } from '../complete-record.ts'
import { assertNoDottedFields } from '../dotted-fields.ts'
import { noteOfChange } from '../history/change-note.ts'
import { readBody } from '../read-body.ts'
import type { RecordKind } from '../record-kind.ts'
import { formOf } from '../sets/entity-set.ts'
import { setUpdate } from '../sets/set-update.ts'
import { assertComputedFieldsKept } from '../update/computed-fields.ts'
import { editDocument } from '../update/edit-document.ts'
import { validateRecord } from '../validate-record.ts'
import { writeWarnings } from '../warnings/write-warnings.ts'
import type { Edit, RevisedRecord, RevisionDraft } from './revision.ts'
import { kindIn, type RecordRules } from './rules.ts'

/**
 * Makes the next version of a record: what the edit leaves is validated, and what follows from it computed anew. Null when that is what
 * the record is already.
 */
export function reviseRecord(rules: RecordRules, draft: RevisionDraft): RevisedRecord | null {
  const { text, user, now, action, details } = draft
  const kind = kindIn(rules, draft.collection)
  const before = JSON.parse(text) as JsonObject
  const edited = carryOut(kind, before, text, draft.edit)
  if (edited === null || equalJson(before, edited)) return null
  const form = formOf(kind, before)
  const isUpdate = 'update' in draft.edit
  if (isUpdate) assertNoDottedFields(form, edited, before)
  validateRecord(form, edited, rules.limits)
  const complete = completeRecord(form, edited, serverFields(before, now), { ...rules, stored: before })
  const { isPublic, document } = complete
  if (isUpdate) assertComputedFieldsKept({ form, before, edited, after: document })
  if (isSameRecord(before, document)) return null
  return {
    text: complete.text,
    isPublic,
    note: noteOfChange({ clock: () => now }, { user }, action, before, document, details),
    before: contributionOf(kind, draft.isPublic, before),
    after: contributionOf(kind, isPublic, document),
    warnings: isUpdate ? writeWarnings({ form, before, edited, after: document }) : [],
  }
}

function carryOut(kind: RecordKind, before: JsonObject, text: string, edit: Edit): JsonObject | null {
  if ('restore' in edit) return inPlaceOf(before, JSON.parse(edit.restore) as JsonObject)
  const body = edit.update instanceof Uint8Array ? readBody(edit.update) : edit.update
  return editDocument(kind, text, edit.isOfSet === true ? setUpdate(kind, before, body) : body)
}

/** Where a record is, which an earlier version does not decide. */
const PLACE = ['isPublic', 'inSet', 'isEntitySet', 'entitySetType', 'entityCls', 'nextIndex']

function inPlaceOf(current: JsonObject, earlier: JsonObject): JsonObject {
  const content = Object.entries(earlier).filter(([field]) => !PLACE.includes(field))
  const place = Object.entries(current).filter(([field]) => PLACE.includes(field))
  return Object.fromEntries([...content, ...place])
}

/** What the server alone writes and no change of a record touches, but for the time. */
function serverFields(before: JsonObject, now: number): ServerFields {
  const kept = ['_id', 'owner', 'creator', 'createdAt', 'isDefault'].map((field) => [
    field,
    ownField(before, field) ?? null,
  ])
  return { ...Object.fromEntries(kept), updatedAt: isoInstant(now) } as ServerFields
}

/** Tells whether two versions of a record say the same, but for when they were written. */
function isSameRecord(one: JsonObject, other: JsonObject): boolean {
  return equalJson({ ...one, updatedAt: null }, { ...other, updatedAt: null })
}
