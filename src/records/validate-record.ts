import { AppError } from '../kernel/errors.ts'
import { isJsonArray, isJsonObject, type Json, type JsonObject } from '../kernel/json.ts'
import { clip } from '../query/context.ts'
import { RECORD_ERRORS } from './errors.ts'
import { ORIGINS_FIELD, ORIGINS_SCHEMA } from './origins.ts'
import { DEFAULT_RECORD_LIMITS, type RecordKind, type RecordLimits } from './record-kind.ts'
import { below, compileSchema, describeGiven, type SchemaCheck, type Violation } from './schema.ts'

interface ValidationWalk {
  readonly limits: RecordLimits
  readonly violations: Violation[]
  /** Path of the walk; written as a pointer only when something is wrong there. */
  readonly place: (string | number)[]
  leaves: number
}

/**
 * Finds what no record may hold, whatever its kind: values that JSON text cannot give back, keys that no query could ask
 * for, more than the limits allow.
 */
export function checkStorable(document: JsonObject, limits: RecordLimits): readonly Violation[] {
  const walk: ValidationWalk = { limits, violations: [], place: [], leaves: 0 }
  visit(document, 1, walk)
  if (walk.leaves > limits.leaves) {
    const expected = `a record of at most ${limits.leaves} values`
    walk.violations.push({ pointer: '', expected, given: 'more than that' })
  }
  return walk.violations
}

function visit(value: Json, depth: number, walk: ValidationWalk): void {
  if (walk.leaves > walk.limits.leaves) return
  walk.leaves += 1
  if (isJsonArray(value) || isJsonObject(value)) {
    // Empty containers have no leaves but take room too.
    visitChildren(value, depth, walk)
  } else if (typeof value === 'number') {
    if (Number.isFinite(value)) return
    report(walk, 'a number within the range of double precision', String(value))
  } else if (typeof value === 'string' && !value.isWellFormed()) {
    report(walk, 'text without unpaired surrogates', describeGiven(value.toWellFormed()))
  }
}

function visitChildren(value: readonly Json[] | JsonObject, depth: number, walk: ValidationWalk): void {
  const { limits, place } = walk
  if (depth > limits.depth) {
    walk.leaves -= 1
    report(walk, `at most ${limits.depth} levels`, 'a deeper value')
    return
  }
  if (isJsonArray(value)) {
    for (let index = 0; index < value.length; index++) {
      place.push(index)
      visit(value[index] as Json, depth + 1, walk)
      place.pop()
    }
    return
  }
  for (const key of Object.keys(value)) {
    place.push(key)
    const expected = faultOfKey(key)
    if (expected !== null) report(walk, expected, 'this key')
    visit(value[key] as Json, depth + 1, walk)
    place.pop()
  }
}

function report({ violations, place }: ValidationWalk, expected: string, given: string): void {
  const pointer = place.reduce<string>((above, component) => below(above, String(component).toWellFormed()), '')
  violations.push({ pointer, expected, given })
}

/**
 * Says what a key should be like, or null when it is fine. Empty keys and keys with dots are: no path names them, but
 * `$getField` does, as in MongoDB.
 */
function faultOfKey(key: string): string | null {
  if (key.startsWith('$')) return 'a key that does not start with "$", which marks operators'
  if (key.includes('\0')) return 'a key without the character NUL'
  if (!key.isWellFormed()) return 'a key without unpaired surrogates'
  return null
}

/** Longest name of a record and longest tag, in UTF-16 code units. */
export const LONGEST_NAME = 1024

/** JSON Schema of the fields that records of every kind may carry. */
export const COMMON_PROPERTIES: JsonObject = {
  name: { type: 'string', maxLength: LONGEST_NAME, description: 'what people call the record' },
  tags: {
    type: 'array',
    maxItems: 1000,
    items: { type: 'string', maxLength: LONGEST_NAME },
    description: 'labels to find it by',
  },
  description: { type: 'string', description: 'text in Markdown' },
  isPublic: { type: 'boolean', default: false, description: 'whether every account may read it' },
  owner: {
    type: ['object', 'null'],
    properties: { _id: { type: ['string', 'null'] } },
    description: 'the account that it belongs to',
  },
  [ORIGINS_FIELD]: ORIGINS_SCHEMA,
}

/** Joins the check of the fields that all kinds share to the schema of one. */
export const COMMON_SCHEMA: JsonObject = { type: 'object', properties: COMMON_PROPERTIES }

/** More than a person reads and enough for a program to go on. */
const MOST_LISTED = 1000
const MOST_IN_MESSAGE = 3

const checkCommonFields = compileSchema(COMMON_SCHEMA)
const compiled = new WeakMap<RecordKind, SchemaCheck>()

/** Refuses a record that is not valid with all that is wrong with it. */
export function validateRecord(
  kind: RecordKind,
  document: JsonObject,
  limits: RecordLimits = DEFAULT_RECORD_LIMITS,
): void {
  const violations = findViolations(kind, document, limits)
  if (violations.length > 0) throw invalidRecord(kind, violations)
}

/** Builds the error that lists violations. */
export function invalidRecord(kind: RecordKind, violations: readonly Violation[]): AppError {
  const named = violations.slice(0, MOST_IN_MESSAGE).map(printViolation).join('; ')
  const rest = violations.length - MOST_IN_MESSAGE
  const more = rest > 0 ? `; and ${rest} more` : ''
  const first = violations[0]
  return new AppError(RECORD_ERRORS.invalidRecord, `The ${kind.name} is not valid: ${named}${more}.`, {
    ...(first === undefined ? {} : { path: first.pointer }),
    hint: kind.hint ?? `The schema of a ${kind.name} is served at /schemas/${kind.name}.`,
    violations: violations.slice(0, MOST_LISTED),
    violationCount: violations.length,
  })
}

function findViolations(kind: RecordKind, document: JsonObject, limits: RecordLimits): readonly Violation[] {
  // A record that cannot be stored may be too deep or too large for a closer look.
  const notStorable = checkStorable(document, limits)
  if (notStorable.length > 0) return notStorable
  const bySchema = withoutRepetition([...schemaCheckOf(kind)(document), ...checkCommonFields(document)])
  const isSound = (field: string): boolean =>
    !bySchema.some(({ pointer }) => pointer === '' || pointer === field || pointer.startsWith(`${field}/`))
  return [...bySchema, ...kind.check(document, isSound)]
}

function schemaCheckOf(kind: RecordKind): SchemaCheck {
  let check = compiled.get(kind)
  if (check === undefined) {
    check = compileSchema(kind.schema)
    compiled.set(kind, check)
  }
  return check
}

function withoutRepetition(violations: readonly Violation[]): Violation[] {
  const byText = new Map(violations.map((violation) => [printViolation(violation), violation]))
  return [...byText.values()]
}

function printViolation({ pointer, expected, given }: Violation): string {
  const what = pointer === '' ? 'the record' : pointer
  return given === 'nothing' ? `${what} is missing: give ${expected}` : `${what} should be ${expected}, not ${given}`
}

/**
 * Refuses fields with dots in their names, and one without a name: an update would take them for paths, and no query would find them. Those that `known`
 * has, a record of an older version, may stay.
 */
export function assertReachableFields(kind: RecordKind, document: JsonObject, known: JsonObject = {}): void {
  const unreachable = Object.keys(document).filter((name) => isUnreachable(name) && !Object.hasOwn(known, name))
  if (unreachable.length === 0) return
  const violations = unreachable.map((name) => ({
    pointer: below('', name),
    expected: name === '' ? 'a field with a name' : `a field within an object, ${nested(name)}`,
    given: name === '' ? 'an empty name' : 'a name with dots',
  }))
  throw invalidRecord(kind, violations)
}

/** Tells whether no path of a query leads to a field of that name. */
export function isUnreachable(name: string): boolean {
  return name === '' || name.includes('.')
}

/** `a.b.c` as JSON has it: `{"a":{"b":{"c":…}}}`. */
function nested(name: string): string {
  const parts = name.split('.').slice(0, 8)
  const open = parts.map((part) => `{${JSON.stringify(clip(part, 40))}:`).join('')
  return `${open}…${'}'.repeat(parts.length)}`
}
