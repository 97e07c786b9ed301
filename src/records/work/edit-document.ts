import { AppError } from '../../kernel/errors.ts'
import {
  equalJson,
  isJsonArray,
  isJsonObject,
  type Json,
  type JsonObject,
  ownField,
  setOwnField,
} from '../../kernel/json.ts'
import { show } from '../../query/context.ts'
import { RECORD_ERRORS } from '../errors.ts'
import type { RecordKind } from '../record-kind.ts'
import { describeGiven } from '../schema.ts'
import { parseUpdate, type RecordUpdate } from './parse-update.ts'

type MutableObject = Record<string, Json>
type Container = MutableObject | Json[]

const ARRAY_INDEX = /^(?:0|[1-9][0-9]{0,8})$/

/** Carries an update out on a freshly parsed document, which it changes and gives back. */
export function applyUpdate(document: MutableObject, update: RecordUpdate): JsonObject {
  for (const { operator, path, change, target } of update) {
    const before = valueAt(document, path)
    if (target !== undefined) renameField(document, path, target)
    else {
      const after = change(before)
      if (after === undefined) unsetField(document, path)
      else if (after !== before || operator === '$set') setField(document, path, after)
    }
  }
  return document
}

/** As in MongoDB, what is missing is not moved, and an element of a list is no field that could be. */
function renameField(document: MutableObject, path: readonly string[], target: readonly string[]): void {
  const value = valueAt(document, path)
  if (value === undefined) return
  for (const place of [path, target]) {
    const depth = place.findIndex((_, at) => isJsonArray(valueAt(document, place.slice(0, at))))
    if (depth < 0) continue
    const list = place.slice(0, depth).join('.')
    throw invalidUpdate(
      `${JSON.stringify(path.join('.'))} cannot be renamed to ${JSON.stringify(target.join('.'))}: ${list} is a list.`,
      path,
      `Set ${list} as a whole.`,
    )
  }
  unsetField(document, path)
  setField(document, target, value)
}

function valueAt(document: MutableObject, path: readonly string[]): Json | undefined {
  let found: Json | undefined = document
  for (const component of path) found = isContainer(found) ? childOf(found, component) : undefined
  return found
}

function setField(document: MutableObject, path: readonly string[], value: Json): void {
  let container: Container = document
  for (let depth = 1; depth < path.length; depth++) {
    const at = path.slice(0, depth)
    const child: Json = childOf(container, at.at(-1) ?? '') ?? assign(container, at, {}, path)
    if (!isContainer(child)) throw notAContainer(child, at, path)
    container = child
  }
  assign(container, path, value, path)
}

/** As in MongoDB, an element of an array becomes null so that the others keep their places; what is not there stays so. */
function unsetField(document: MutableObject, path: readonly string[]): void {
  let container: Container = document
  for (const component of path.slice(0, -1)) {
    const child = childOf(container, component)
    if (!isContainer(child)) return
    container = child
  }
  const last = path.at(-1) ?? ''
  if (childOf(container, last) === undefined) return
  if (Array.isArray(container)) container[Number(last)] = null
  else delete container[last]
}

function childOf(container: Container, component: string): Json | undefined {
  if (!Array.isArray(container)) return ownField(container, component)
  return ARRAY_INDEX.test(component) ? container[Number(component)] : undefined
}

/** Puts a value at the last component of `at`; `path` is what the client wrote. */
function assign(container: Container, at: readonly string[], value: Json, path: readonly string[]): Json {
  const component = at.at(-1) ?? ''
  if (!Array.isArray(container)) {
    setOwnField(container, component, value)
    return value
  }
  const index = ARRAY_INDEX.test(component) ? Number(component) : Number.POSITIVE_INFINITY
  if (index > container.length) throw noSuchElement(container, at, path)
  container[index] = value
  return value
}

function notAContainer(value: Json, at: readonly string[], path: readonly string[]): AppError {
  const parent = at.join('.')
  return invalidUpdate(
    `${JSON.stringify(path.join('.'))} cannot be set, since ${parent} is ${describeGiven(value)}.`,
    path,
    `Set ${parent} as a whole.`,
  )
}

function noSuchElement(array: readonly Json[], at: readonly string[], path: readonly string[]): AppError {
  const [parent, component] = [at.slice(0, -1).join('.'), JSON.stringify(at.at(-1))]
  return invalidUpdate(
    `${JSON.stringify(path.join('.'))} cannot be set: ${component} is no index of ${parent}, ${describeGiven(array)}.`,
    path,
    `Indexes from 0 to ${array.length} are possible; ${array.length} appends.`,
  )
}

function invalidUpdate(message: string, path: readonly string[], hint: string): AppError {
  return new AppError(RECORD_ERRORS.invalidUpdate, message, { path: path.join('.'), hint })
}

/** The document was parsed for this update alone, so it may be changed although the types of JSON are read-only. */
function isContainer(value: Json | undefined): value is Container {
  return value !== undefined && (isJsonArray(value) || isJsonObject(value))
}

const SET_HINT = 'What is a set stays one: create another set, and move the members there.'

/** Fields that an update leaves as they are, with what to do instead of changing them. */
const FIXED_FIELDS = {
  _id: 'Create a new record to have another identifier.',
  owner: 'Create a copy in the other account.',
  creator: 'It names the user who made the record.',
  createdAt: 'It tells when the record was made.',
  isDefault: 'A record is made the default by an action of its own, set-default.',
  inSet: 'A record is moved by an action of its own, move-to-set.',
  isEntitySet: SET_HINT,
  entitySetType: SET_HINT,
  entityCls: SET_HINT,
  nextIndex: 'It counts the arrivals in an ordered set.',
} as const

/** Told with an answer and never stored: they say nothing about the record that is sent back with them. */
const TOLD_FIELDS = ['duplicates', 'sameAs', 'sharedCount']

/** Carries the body of an update out on the text of a record; null when the update is empty. */
export function editDocument(kind: RecordKind, text: string, body: JsonObject): JsonObject | null {
  const update = parseUpdate(body)
  if (update.length === 0) return null
  const before = JSON.parse(text) as JsonObject
  const after = applyUpdate(JSON.parse(text), withoutTold(update))
  assertFixedFieldsKept(kind, before, after)
  return after
}

function withoutTold(update: RecordUpdate): RecordUpdate {
  return update.filter(({ operator, path: [field = ''] }) => operator !== '$set' || !TOLD_FIELDS.includes(field))
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

/** An update that is about to be stored. */
export interface UpdateOutcome {
  /** The kind of the record, or of a set of its kind. */
  readonly form: RecordKind
  readonly before: JsonObject
  /** Record as requested. */
  readonly edited: JsonObject
  /** Record as stored, with computed fields. */
  readonly after: JsonObject
}

/** Fields that the server writes into records of every kind, with what they follow from. */
const SERVER_FIELDS: Readonly<Record<string, string>> = {
  updatedAt: 'It tells when the record was last changed. Read the record again if somebody else changed it meanwhile.',
  slug: 'It follows from the name.',
  files: 'Files are put and removed one by one.',
  schemaVersion: 'It tells which version of the schemas the record follows.',
}

/** Reference to the bank, which follows from the content as the derived fields do. */
const BANK_FIELD = 'exabyteId'

/**
 * Refuses an update that sets a computed field: the value would be gone without a word. What is stored already may be sent, so that
 * clients can send back whole records, and so may what is computed anyway.
 */
export function assertComputedFieldsKept({ form, before, edited, after }: UpdateOutcome): void {
  for (const field of computedFieldsOf(form)) {
    const sent = ownField(edited, field)
    const isKept = [before, after].some((document) => isComputedAs(form, field, sent, ownField(document, field)))
    if (!isKept) throw refusal(form, field, sent, ownField(after, field))
  }
}

function computedFieldsOf({ derivedFields = [], bank }: RecordKind): readonly string[] {
  return [...Object.keys(SERVER_FIELDS), ...derivedFields, ...(bank === undefined ? [] : [BANK_FIELD])]
}

/** In a field that client and server write together only the server's part counts. */
function isComputedAs(form: RecordKind, field: string, sent: Json | undefined, value: Json | undefined): boolean {
  if (equalJson(sent, value)) return true
  const [sentPart, part] = [form.computedItems?.(field, sent), form.computedItems?.(field, value)]
  return sentPart?.every((item) => part?.some((one) => equalJson(one, item)) ?? false) ?? false
}

function refusal(form: RecordKind, field: string, sent: Json | undefined, value: Json | undefined): AppError {
  const hint = `Leave it out. ${SERVER_FIELDS[field] ?? 'It follows from the fields that you set.'}`
  const asked = sent === undefined ? 'cannot be taken away' : `cannot be set to ${show(sent)}`
  const present = value === undefined ? 'there is none here' : `here it is ${show(value)}`
  return new AppError(
    RECORD_ERRORS.computedField,
    `The field "${field}" of a ${form.name} is computed by the server (${present}); it ${asked}. ${hint}`,
    { path: field, hint },
  )
}
