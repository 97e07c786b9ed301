import { AppError } from '../../kernel/errors.ts'
import { type Json, type JsonObject, ownField, setOwnField } from '../../kernel/json.ts'
import { type AttachedFile, FILES_FIELD } from '../attached-files.ts'
import { RECORD_ERRORS } from '../errors.ts'
import { slugOf } from '../ids.ts'
import { DEFAULT_RECORD_LIMITS, type DeriveDeps, type RecordKind, type RecordLimits } from '../record-kind.ts'
import { bankId } from './bank.ts'

/** The version of the schemas that stored records follow. */
const SCHEMA_VERSION = '2022.8.16'

/** Fields that neither a client nor the record's other fields decide. */
export type ServerFields = {
  readonly _id: string
  readonly isDefault: boolean
  readonly owner: JsonObject
  readonly creator: JsonObject
  readonly createdAt: string
  readonly updatedAt: string
  /** Left out where it has none. */
  readonly files?: readonly AttachedFile[]
}

/** A record as it will be stored: its text is what is served. */
export interface CompleteRecord {
  readonly text: string
  readonly isPublic: boolean
  /** The parsed text. */
  readonly document: JsonObject
}

/** Fills the fields that the server owns into a valid document, whatever the client sent in their places; `_id` comes first. */
export function completeRecord(
  kind: RecordKind,
  document: JsonObject,
  server: ServerFields,
  { limits = DEFAULT_RECORD_LIMITS, ...deps }: DeriveDeps & { readonly limits?: RecordLimits } = {},
): CompleteRecord {
  const derived = withDerived(kind, document, kind.derive(document, deps))
  const name = ownField(document, 'name') ?? kind.defaultName(derived)
  const isPublic = ownField(document, 'isPublic') === true
  const { _id, files = [], ...others } = server
  const complete: JsonObject = {
    _id,
    name,
    ...derived,
    slug: slugOf(String(name)),
    tags: ownField(document, 'tags') ?? [],
    isPublic,
    schemaVersion: SCHEMA_VERSION,
    ...bankReference(kind, derived),
    ...others,
    ...(files.length === 0 ? {} : { [FILES_FIELD]: files }),
  }
  const text = JSON.stringify(complete)
  assertLength(kind, text, limits)
  return { text, isPublic, document: complete }
}

/** Derived fields take the place of those that the client sent; a derived field without a value is not kept from before, nor is `_id`. */
function withDerived(kind: RecordKind, document: JsonObject, derived: JsonObject): JsonObject {
  const owned = [FILES_FIELD, ...(kind.derivedFields ?? [])]
  const complete: Record<string, Json> = {}
  for (const field of Object.keys(document)) {
    if (field === '_id' || (owned.includes(field) && !Object.hasOwn(derived, field))) continue
    setOwnField(complete, field, document[field] as Json)
  }
  return Object.assign(complete, derived)
}

/** Says under which `_id` the bank has the content, or would have it if somebody shared it. */
function bankReference({ bank }: RecordKind, document: JsonObject): JsonObject {
  const key = bank?.keyOf(document) ?? null
  return bank === undefined || key === null ? {} : { exabyteId: bankId(bank, key) }
}

function assertLength(kind: RecordKind, text: string, limits: RecordLimits): void {
  const bytes = Buffer.byteLength(text)
  if (bytes <= limits.bytes) return
  throw new AppError(
    RECORD_ERRORS.invalidRecord,
    `The ${kind.name} takes ${bytes} bytes as JSON text, computed fields included; at most ${limits.bytes} can be stored.`,
    { path: '', hint: 'Leave large data out of the record and keep a reference to it.' },
  )
}

/** An account or a user as records refer to it. */
export function referenceTo(
  subject: { readonly id: string; readonly slug: string },
  cls: 'Account' | 'User',
): JsonObject {
  return { _id: subject.id, slug: subject.slug, cls }
}

/** Content that duplicates of a kind have in common; null where there are no duplicates. */
export function contentOf({ contentField }: RecordKind, document: JsonObject): string | null {
  const value = contentField === undefined ? undefined : ownField(document, contentField)
  return typeof value === 'string' ? value : null
}
