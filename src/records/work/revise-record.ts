import { wholeBytes } from '../../kernel/bytes.ts'
import { isoInstant } from '../../kernel/clock.ts'
import { AppError, packError } from '../../kernel/errors.ts'
import { equalJson, type JsonObject, ownField } from '../../kernel/json.ts'
import { faultText } from '../../kernel/worker-channel.ts'
import { type AttachedFile, FILES_FIELD, filesOf, withFile } from '../attached-files.ts'
import { changeDetails, changeNote } from '../change-note.ts'
import { formOf, setUpdate } from '../kinds/entity-set.ts'
import { newOrigins } from '../origins.ts'
import type { RecordKind } from '../record-kind.ts'
import { assertReachableFields, validateRecord } from '../validate-record.ts'
import { writeWarnings } from '../warnings/write-warnings.ts'
import { entryText } from './bank.ts'
import { kindIn, type RecordRules, readImported } from './build-record.ts'
import { readBody } from './client-body.ts'
import { completeRecord, type ServerFields } from './complete-record.ts'
import { contributionOf } from './contribution.ts'
import { assertComputedFieldsKept, editDocument } from './edit-document.ts'
import { matchedBy } from './record-key.ts'
import type {
  Edit,
  FileChange,
  Recomputation,
  Recomputed,
  RecomputeOutcome,
  RevisedRecord,
  RevisionInput,
  StoredState,
} from './revision.ts'

/**
 * Makes the next version of a record: what the edit leaves is validated, and what follows from it computed anew. Null when that is what
 * the record is already.
 */
export function reviseRecord(rules: RecordRules, input: RevisionInput): RevisedRecord | null {
  const { text, user, now, action, details } = input
  const kind = kindIn(rules, input.collection)
  const before = JSON.parse(text) as JsonObject
  const edited =
    'imported' in input.edit ? importedInto(before, input.edit, rules) : carryOut(kind, before, text, input.edit)
  if (edited === null || equalJson(before, edited)) return null
  const form = formOf(kind, before)
  const isImported = 'imported' in input.edit
  const isUpdate = 'update' in input.edit || 'json' in input.edit
  if (isUpdate) assertReachableFields(form, edited, before)
  validateRecord(form, edited, rules.limits)
  const files = 'files' in input.edit || 'restore' in input.edit ? filesOf(edited) : filesOf(before)
  const server = { ...serverFields(before, now), files }
  const complete = completeRecord(form, edited, server, { ...rules, stored: before })
  const { isPublic, document } = complete
  if (isUpdate) assertComputedFieldsKept({ form, before, edited, after: document })
  if (isSameRecord(before, document)) return null
  return {
    text: complete.text,
    isPublic,
    gaveUpMs: form.gaveUpMs?.(document) ?? null,
    note: changeNote({ clock: () => now }, { user }, action, { ...details, ...changeDetails(before, document) }),
    before: contributionOf(kind, input.isPublic, before),
    after: contributionOf(kind, isPublic, document),
    ...(isUpdate ? { origins: newOrigins(document, before) } : {}),
    warnings: isUpdate || isImported ? writeWarnings({ form, before, edited, after: document }) : [],
  }
}

type ImportedEdit = Extract<Edit, { readonly onMatch: unknown }>

function importedInto(before: JsonObject, { imported, onMatch, overrides }: ImportedEdit, { limits }: RecordRules) {
  return matchedBy(before, { ...readImported(imported, limits), ...overrides }, onMatch)
}

function carryOut(
  kind: RecordKind,
  before: JsonObject,
  text: string,
  edit: Exclude<Edit, ImportedEdit>,
): JsonObject | null {
  const { memberships } = edit
  if ('files' in edit) return { ...before, [FILES_FIELD]: edit.files.reduce(changedFiles, filesOf(before)) }
  if ('restore' in edit) {
    const earlier = JSON.parse(edit.restore) as JsonObject
    return memberships === undefined ? inPlaceOf(before, earlier) : inSets(earlier, memberships)
  }
  const body = 'json' in edit ? readBody(wholeBytes(edit.json)) : edit.update
  const edited = editDocument(kind, text, edit.isOfSet === true ? setUpdate(kind, before, body) : body)
  return memberships === undefined ? edited : inSets(edited ?? before, memberships)
}

function changedFiles(files: readonly AttachedFile[], change: FileChange): readonly AttachedFile[] {
  return 'put' in change ? withFile(files, change.put) : files.filter(({ name }) => name !== change.remove)
}

function inSets(document: JsonObject, memberships: readonly JsonObject[]): JsonObject {
  return memberships.length === 0 && !Object.hasOwn(document, 'inSet') ? document : { ...document, inSet: memberships }
}

/** Place of a record, which an earlier version does not decide. */
const PLACE = ['isPublic', 'inSet', 'isEntitySet', 'entitySetType', 'entityCls', 'nextIndex']

function inPlaceOf(current: JsonObject, earlier: JsonObject): JsonObject {
  const content = Object.entries(earlier).filter(([field]) => !PLACE.includes(field))
  const place = Object.entries(current).filter(([field]) => PLACE.includes(field))
  return Object.fromEntries([...content, ...place])
}

/** Fields that the server alone writes; of these, a change touches only the time. */
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

/** Computes anew what follows from a stored record. What people wrote stays, and their times. */
function recomputeRecord(
  rules: RecordRules,
  { collection, isBank, symmetry }: Recomputation,
  { text, isPublic, noSymmetry }: StoredState,
): RecomputeOutcome {
  // Known symmetry is kept where the search is given up now.
  const mayKeepSymmetry = symmetry === 'missing' || noSymmetry !== undefined
  const kind = kindIn(rules, collection)
  const stored = JSON.parse(text) as JsonObject
  const form = formOf(kind, stored)
  const keepsSymmetry =
    rules.symmetry === undefined || symmetry === 'passing' || (mayKeepSymmetry && hasSymmetry(form, stored))
  const known = keepsSymmetry ? stored : undefined
  const server = { ...keptFields(stored), files: filesOf(stored) }
  const { document } = completeRecord(form, stored, server, { ...rules, stored: known })
  const next = isBank ? asEntry(kind, stored, document) : document
  const withoutSymmetry = form.withoutSymmetry?.(document) ?? null
  const gaveUpMs = form.gaveUpMs?.(document) ?? null
  if (next === null || equalJson(stored, next)) return { unchanged: true, withoutSymmetry, gaveUpMs }
  const recomputed: Recomputed = {
    text: JSON.stringify(next),
    isPublic,
    before: isBank ? null : contributionOf(kind, isPublic, stored),
    after: isBank ? null : contributionOf(kind, isPublic, next),
    withoutSymmetry,
    gaveUpMs,
    differences: changeDetails(stored, next),
  }
  return { recomputed }
}

function hasSymmetry(form: RecordKind, stored: JsonObject): boolean {
  return (form.withoutSymmetry?.(stored) ?? null) === null
}

const KEPT = ['_id', 'isDefault', 'owner', 'creator', 'createdAt', 'updatedAt']

function keptFields(stored: JsonObject): ServerFields {
  return Object.fromEntries(KEPT.map((field) => [field, ownField(stored, field) ?? null])) as ServerFields
}

/** An entry of the bank holds a part of what follows from its content; one whose content has another key by now belongs elsewhere. */
function asEntry({ bank }: RecordKind, stored: JsonObject, document: JsonObject): JsonObject | null {
  if (bank === undefined || bank.keyOf(document) !== bank.keyOf(stored)) return null
  return { ...(JSON.parse(entryText(bank, String(stored._id), document)) as JsonObject), ...counted(stored) }
}

function counted(stored: JsonObject): JsonObject {
  const { sharedCount = null, createdAt = null, updatedAt = null } = stored
  return { sharedCount, createdAt, updatedAt }
}

/** The same, with whatever is wrong as the outcome of this record. */
export function recomputeOutcome(rules: RecordRules, what: Recomputation, state: StoredState): RecomputeOutcome {
  try {
    return recomputeRecord(rules, what, state)
  } catch (error) {
    return error instanceof AppError ? { refusal: packError(error) } : { fault: faultText(error) }
  }
}
