import { isoInstant } from '../../kernel/clock.ts'
import { AppError, packError } from '../../kernel/errors.ts'
import { isJsonObject, type Json, type JsonObject, ownField } from '../../kernel/json.ts'
import { faultText } from '../../kernel/worker-task.ts'
import { contributionOf } from '../bank/bank-changes.ts'
import { completeRecord } from '../complete-record.ts'
import { contentId } from '../content-id.ts'
import { assertNoDottedFields } from '../dotted-fields.ts'
import { contentOf } from '../find-duplicates.ts'
import { invalidImport } from '../import/invalid-import.ts'
import { referenceTo } from '../owner.ts'
import { isRecordId } from '../record-id.ts'
import type { RecordKind } from '../record-kind.ts'
import { detectKind } from '../record-kinds.ts'
import { formOf } from '../sets/entity-set.ts'
import { validateRecord } from '../validate-record.ts'
import { writeWarnings } from '../warnings/write-warnings.ts'
import type { Draft, DraftOutcome, DraftTerms, FileReading, ReadyRecord } from './draft.ts'
import { type ReadDraft, readDraft } from './read-draft.ts'
import { kindIn, type RecordRules } from './rules.ts'

/** Of what clients send back of another record, what says nothing about a new one. */
const STATE = ['inSet', 'nextIndex', 'duplicates', 'sharedCount']

/**
 * Makes a record: reads its source, validates it, computes what follows from it, writes it down. All records are made here. Whatever
 * is wrong is the outcome of this one.
 */
export function completeDraft(rules: RecordRules, draft: Draft, terms: DraftTerms): DraftOutcome {
  let told: { readonly reading?: FileReading } = {}
  try {
    const read = readDraft(rules, draft.source, terms)
    if (read.reading !== undefined) told = { reading: read.reading }
    return { ...told, ...completeReading(rules, draft, terms, read) }
  } catch (error) {
    return { ...told, ...(error instanceof AppError ? { refusal: packError(error) } : { fault: faultText(error) }) }
  }
}

function completeReading(
  rules: RecordRules,
  draft: Draft,
  terms: DraftTerms,
  read: ReadDraft,
): { readonly ready: ReadyRecord } | { readonly otherAccount: string } {
  const document = shaped(read.document, terms)
  const kind = terms.collection === undefined ? (detectKind(document) ?? refuseKind()) : kindIn(rules, terms.collection)
  const form = formOf(kind, document)
  const id = draft.id ?? idOf(kind, read, terms)
  assertNoDottedFields(form, document, read.stored)
  validateRecord(form, document, rules.limits)
  const otherAccount = terms.purpose === 'create' ? ownerOf(document) : null
  if (otherAccount !== null && otherAccount !== terms.account.id) return { otherAccount }
  const server = serverFields(id, document, terms)
  const complete = completeRecord(form, document, server, { ...rules, stored: read.stored })
  const { text, isPublic } = complete
  return {
    ready: {
      collection: kind.collection,
      id,
      text,
      isPublic,
      content: contentOf(form, complete.document),
      contribution: contributionOf(kind, isPublic, complete.document),
      withoutSymmetry: form.withoutSymmetry?.(complete.document) ?? null,
      warnings: writeWarnings({ form, before: read.stored ?? {}, edited: document, after: complete.document }),
    },
  }
}

function shaped(document: JsonObject, { purpose, leaveOut = [], defaults = {}, overrides = {} }: DraftTerms) {
  const left = purpose === 'create' ? [...STATE, ...leaveOut] : leaveOut
  const missing = Object.entries(defaults).filter(([field]) => (ownField(document, field) ?? null) === null)
  const kept = Object.entries(document).filter(([field]) => !left.includes(field))
  return { ...Object.fromEntries([...kept, ...missing]), ...overrides }
}

function ownerOf(document: JsonObject): string | null {
  const owner = ownField(document, 'owner')
  const id = isJsonObject(owner) ? ownField(owner, '_id') : undefined
  return typeof id === 'string' ? id : null
}

/**
 * A record keeps the id that it brings. Else the id follows from its account and its source, so that an import can be run again after a
 * crash and stores nothing twice.
 */
function idOf(kind: RecordKind, { document, seed }: ReadDraft, { account }: DraftTerms): string {
  const id = ownField(document, '_id') ?? null
  if (id === null) {
    const [what = '', ...content] = seed(kind.collection)
    return contentId(what, account.id, ...content)
  }
  if (typeof id === 'string' && isRecordId(id)) return id
  throw invalidImport(
    'The _id cannot be used.',
    '_id',
    'Use 1 to 64 letters, digits, "-" or "_" (no word of the API), or leave it out.',
  )
}

function serverFields(id: string, document: JsonObject, { purpose, account, user, now, isDefault }: DraftTerms) {
  const instant = isoInstant(now)
  return {
    _id: id,
    isDefault: isDefault === true,
    owner: referenceTo(account, 'Account'),
    creator: referenceTo(user, 'User'),
    createdAt: (purpose === 'import' ? pastInstant(ownField(document, 'createdAt'), now) : null) ?? instant,
    updatedAt: instant,
  }
}

/** The time of creation that an exported record brings, unless it is none or in the future. */
function pastInstant(value: Json | undefined, now: number): string | null {
  const time = typeof value === 'string' && /^\d{4}-\d\d-\d\dT[\d:.]+Z$/.test(value) ? Date.parse(value) : Number.NaN
  return time <= now ? isoInstant(time) : null
}

function refuseKind(): never {
  const hint =
    'A material has basis and lattice, a method type and subtype. Of other records, say the kind of all in the file.'
  throw invalidImport('The record does not tell what kind it is of.', '', hint)
}
