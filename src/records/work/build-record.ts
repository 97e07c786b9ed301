import { type ClientBytes, wholeBytes } from '../../kernel/bytes.ts'
import { isoInstant } from '../../kernel/clock.ts'
import { AppError, packError } from '../../kernel/errors.ts'
import { isJsonArray, isJsonObject, type Json, type JsonObject, ownField } from '../../kernel/json.ts'
import { isId } from '../../kernel/names.ts'
import { readStrictJson, StrictJsonError } from '../../kernel/strict-json.ts'
import { warning } from '../../kernel/warnings.ts'
import { faultText } from '../../kernel/worker-channel.ts'
import type { StructureLimits } from '../../structure/crystal.ts'
import { decodeText } from '../../structure/formats/common/text-pieces.ts'
import type { FileHints } from '../../structure/formats/detect.ts'
import { pickFrame } from '../../structure/formats/frame-picker.ts'
import type { GroupFinder } from '../../structure/symmetry/symmetry-report.ts'
import { filesOf } from '../attached-files.ts'
import { invalidImport } from '../errors.ts'
import { contentId, isRecordId } from '../ids.ts'
import { formOf } from '../kinds/entity-set.ts'
import { materialDocument, type StructureFile, takenFile } from '../kinds/material/structure-files.ts'
import { detectKind } from '../kinds/record-kinds.ts'
import { newOrigins } from '../origins.ts'
import type { RecordKind, RecordLimits } from '../record-kind.ts'
import { assertReachableFields, validateRecord } from '../validate-record.ts'
import { RECORD_WARNINGS } from '../warnings/warnings.ts'
import { type WriteWarning, writeWarnings } from '../warnings/write-warnings.ts'
import { hashOfFile, readBody } from './client-body.ts'
import { completeRecord, contentOf, referenceTo } from './complete-record.ts'
import { contributionOf } from './contribution.ts'
import { plainDocument } from './extended-document.ts'
import type { BuildOutcome, BuildTerms, FileReading, NewRecord, RecordInput, RecordSource } from './record-input.ts'
import { keyOf } from './record-key.ts'

/** A source that has been read. */
export interface SourceReading {
  readonly document: JsonObject
  /** Seed of an id, unique in the account; the collection takes part where the source does not decide it. */
  readonly seed: (collection: string) => readonly string[]
  readonly reading?: FileReading
  /** The record as the store has it, where the source is one. */
  readonly stored?: JsonObject
}

/** Reads the source of a record; refuses what it cannot be made from. */
export function readSource(rules: RecordRules, { source, fields }: RecordInput, terms: BuildTerms): SourceReading {
  if ('file' in source) return readFile(rules, source, terms, { ...terms.overrides, ...fields })
  if ('stored' in source) {
    const stored = JSON.parse(source.stored) as JsonObject
    return { document: stored, stored, seed: seedOf(stored) }
  }
  const document = 'document' in source ? source.document : readJson(rules, source.json, terms)
  return { document, seed: seedOf(document) }
}

function readFile(
  { structureLimits }: RecordRules,
  given: Extract<RecordSource, { file: unknown }>,
  { format, frame }: BuildTerms,
  said: JsonObject,
): SourceReading {
  const limits = structureLimits
  const { part } = given
  const file = fileOf(given, { format, frame, limits })
  const { text } = file
  const { document, ...reading } = materialDocument({ frame, part, limits, ...file })
  const which = [...(frame === undefined ? [] : [`frame ${frame}`]), ...namingOf(said)]
  return { document, reading, seed: () => ['structure-file', hashOfFile(text), ...which] }
}

/** A file as it is, or the structure that is meant of one that is longer than a structure may be. */
function fileOf(
  { file, fileName, taken }: Extract<RecordSource, { file: unknown }>,
  hints: FileHints & { readonly limits: StructureLimits },
): StructureFile {
  if (typeof file === 'string') return { text: file, format: hints.format, fileName, taken }
  if (file.length <= hints.limits.textLength)
    return { text: decodeText(wholeBytes(file)), format: hints.format, fileName }
  return takenFile(pickFrame(file, { ...hints, fileName }), fileName)
}

/** Part of the seed of a file that was given a name: under another one it is another record. */
function namingOf(said: JsonObject): readonly string[] {
  const name = ownField(said, 'name') ?? null
  return name === null ? [] : [JSON.stringify({ name })]
}

/** Seed of a document. White space and escapes do not change it, the order of the fields does. */
function seedOf(document: JsonObject): SourceReading['seed'] {
  return (collection) => ['import', collection, JSON.stringify(document)]
}

function readJson({ limits }: RecordRules, json: ClientBytes, { purpose }: BuildTerms): JsonObject {
  return purpose === 'create' ? readBody(wholeBytes(json)) : readImported(json, limits)
}

/** Reads a record of an import. */
export function readImported(json: ClientBytes, { depth }: Pick<RecordLimits, 'depth'>): JsonObject {
  return readItem(new TextDecoder().decode(wholeBytes(json)), depth)
}

/** Reads one record of a file of many: the place that counts is that within the record. */
function readItem(text: string, maxDepth: number): JsonObject {
  let value: Json
  try {
    value = readStrictJson(text, { maxDepth })
  } catch (error) {
    if (!(error instanceof StrictJsonError)) throw error
    const where =
      error.line === 1 ? `column ${error.column}` : `line ${error.line} of the record, column ${error.column}`
    throw invalidImport(`${error.message} (${where}).`, error.path, error.hint)
  }
  if (!isJsonObject(value)) throw invalidImport('A record is a JSON object.')
  return text.includes('"$') ? plainDocument(value) : value
}

/** By which rules records are made. */
export interface RecordRules {
  /** Those of an operator too. */
  readonly kinds: readonly RecordKind[]
  readonly limits: RecordLimits
  readonly structureLimits: StructureLimits
  /** Undefined where symmetry is switched off. */
  readonly symmetry: GroupFinder | undefined
  /** Milliseconds of processor time after which the search for symmetry is given up. */
  readonly symmetryTimeMs: number
}

/** The kind of a collection, which must be there. */
export function kindIn({ kinds }: Pick<RecordRules, 'kinds'>, collection: string): RecordKind {
  const kind = kinds.find((candidate) => candidate.collection === collection)
  if (kind === undefined) throw new Error(`there is no kind of records in ${collection}`)
  return kind
}

/** Fields that clients send back of a record and that say nothing about a new one. */
const STATE = ['inSet', 'nextIndex', 'duplicates', 'sameAs', 'sharedCount']

/**
 * Makes a record: reads its source, validates it, computes what follows from it, writes it down. All records are made here. Whatever
 * is wrong is the outcome of this one.
 */
export function buildRecord(rules: RecordRules, input: RecordInput, terms: BuildTerms): BuildOutcome {
  let told: Pick<BuildOutcome, 'reading' | 'key'> = {}
  try {
    const read = readSource(rules, input, terms)
    if (read.reading !== undefined) told = { reading: read.reading }
    if (terms.key !== undefined) told = { ...told, key: keyOf({ ...read.document, ...input.fields }, terms.key) }
    return { ...told, ...completeReading(rules, input, terms, read) }
  } catch (error) {
    return { ...told, ...(error instanceof AppError ? { refusal: packError(error) } : { fault: faultText(error) }) }
  }
}

function completeReading(
  rules: RecordRules,
  input: RecordInput,
  terms: BuildTerms,
  read: SourceReading,
): { readonly built: NewRecord } | { readonly otherAccount: string } {
  const sent = shaped(read.document, terms)
  const kind = terms.collection === undefined ? (detectKind(sent) ?? refuseKind()) : kindIn(rules, terms.collection)
  const ids = new BroughtIds(kind, input, terms)
  const document = { ...inOwnSets(sent, ids), ...input.fields }
  const form = formOf(kind, document)
  const id = input.id ?? idOf(kind, read, terms, ids)
  assertReachableFields(form, document, read.stored)
  validateRecord(form, document, rules.limits)
  const otherAccount = terms.purpose === 'create' ? ownerOf(document) : null
  if (otherAccount !== null && otherAccount !== terms.account.id) return { otherAccount }
  // A copy has the files of its original.
  const server = { ...serverFields(id, document, terms), files: input.files ?? filesOf(read.stored ?? {}) }
  const complete = completeRecord(form, document, server, { ...rules, stored: read.stored })
  const { text, isPublic } = complete
  return {
    built: {
      collection: kind.collection,
      id,
      text,
      isPublic,
      content: contentOf(form, complete.document),
      likeness: likenessOf(form, complete.document),
      before: null,
      after: contributionOf(kind, isPublic, complete.document),
      replacedIds: ids.replaced,
      withoutSymmetry: form.withoutSymmetry?.(complete.document) ?? null,
      gaveUpMs: form.gaveUpMs?.(complete.document) ?? null,
      ...(terms.purpose === 'create' && 'json' in input.source ? { origins: newOrigins(complete.document, {}) } : {}),
      warnings: [
        ...ids.warnings,
        ...writeWarnings({ form, before: read.stored ?? {}, edited: document, after: complete.document }),
      ],
    },
  }
}

function likenessOf({ likeness }: RecordKind, document: JsonObject): JsonObject | null {
  if (likeness === undefined) return null
  return Object.fromEntries(likeness.map((field) => [field, ownField(document, field) ?? null]))
}

function shaped(document: JsonObject, { purpose, leaveOut = [], defaults = {}, overrides = {} }: BuildTerms) {
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
function idOf(kind: RecordKind, { document, seed }: SourceReading, { account }: BuildTerms, ids: BroughtIds): string {
  const id = ownField(document, '_id') ?? null
  if (id === null) {
    const [what = '', ...content] = seed(kind.collection)
    return contentId(what, account.id, ...content)
  }
  if (typeof id === 'string' && isRecordId(id)) return ids.own(id, '_id')
  throw invalidImport(
    'The _id cannot be used.',
    '_id',
    'Use 1 to 64 letters, digits, "-" or "_" (no word of the API), or leave it out.',
  )
}

/**
 * Ids in the form of the server's own that a record brings: they may have been given out for another account, whose record could then not be published. In
 * their place come ids that follow from them and the account, so that records of one import go on to name each other, and what is sent again is found again.
 */
class BroughtIds {
  readonly replaced: string[] = []
  readonly warnings: WriteWarning[] = []
  readonly #kind: RecordKind
  readonly #accountId: string
  readonly #isKept: (id: string) => boolean

  constructor(kind: RecordKind, { ownIds = [] }: RecordInput, { purpose, keepsIds, account }: BuildTerms) {
    this.#kind = kind
    this.#accountId = account.id
    this.#isKept = (id) => purpose === 'create' || keepsIds === true || !isId(id) || ownIds.includes(id)
  }

  /** The id as the account has it. */
  own(sent: string, path: string): string {
    if (this.#isKept(sent)) return sent
    const id = contentId('brought', this.#kind.collection, this.#accountId, sent)
    this.replaced.push(sent)
    const message = `The "${path}" ${sent} was not given out for your account: ${id} stands in its place, wherever you bring it.`
    this.warnings.push(warning(RECORD_WARNINGS.replacedValue, path, message, 'Take the _id of the answer from now on.'))
    return id
  }
}

function inOwnSets(document: JsonObject, ids: BroughtIds): JsonObject {
  const sets = ownField(document, 'inSet')
  if (!isJsonArray(sets)) return document
  const own = sets.map((set) => {
    const id = isJsonObject(set) ? ownField(set, '_id') : undefined
    return typeof id === 'string' ? { ...(set as JsonObject), _id: ids.own(id, 'inSet._id') } : set
  })
  return { ...document, inSet: own }
}

function serverFields(id: string, document: JsonObject, { purpose, account, user, now, isDefault }: BuildTerms) {
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
