import { Ajv, type ErrorObject } from 'ajv'
import { isJsonArray, isJsonObject, type Json, type JsonObject, ownField } from '../kernel/json.ts'

// With the flag u a surrogate matches only when it has no partner.

/** One way in which a record is not as it should be. */
export interface Violation {
  /** RFC 6901; empty for the record itself. */
  readonly pointer: string
  readonly expected: string
  /** A scalar as JSON text, else in words: `an array of 3`, `nothing`. */
  readonly given: string
}

const LONGEST_GIVEN = 100

/** Describes a value in a few words, for the `given` of a violation. */
export function describeGiven(value: Json | undefined): string {
  if (value === undefined) return 'nothing'
  if (isJsonArray(value)) return `an array of ${value.length}`
  if (isJsonObject(value)) return 'an object'
  const text = typeof value === 'number' ? String(value) : JSON.stringify(value)
  return text.length > LONGEST_GIVEN ? `${text.slice(0, LONGEST_GIVEN).toWellFormed()}…` : text
}

/** Appends a component to a JSON pointer, escaped. */
export function below(pointer: string, component: string | number): string {
  return `${pointer}/${String(component).replaceAll('~', '~0').replaceAll('/', '~1')}`
}

/** Keywords that say what pages and warnings show: the unit of a number, and of which collection a text is an id. They check nothing. */
const FOR_PEOPLE = ['unit', 'references']

/** Formats that are checked; others are refused. */
const FORMATS: Readonly<Record<string, (text: string) => boolean>> = {
  date: isDay,
  'date-time': (text) => INSTANT.test(text) && !Number.isNaN(Date.parse(text)) && isDay(text.slice(0, 10)),
}

const INSTANT = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d{1,9})?(?:Z|[+-]\d\d:\d\d)$/

/** Whether a calendar has a day: one that is not there is another one when it is written again. */
function isDay(text: string): boolean {
  if (!/^\d{4}-\d\d-\d\d$/.test(text)) return false
  const at = new Date(`${text}T00:00:00Z`)
  return !Number.isNaN(at.getTime()) && at.toISOString().startsWith(text)
}

/** Lists what a document has against a schema. */
export type SchemaCheck = (document: JsonObject) => readonly Violation[]

/** Compiles a JSON Schema draft-07 into a function that lists every violation; keywords that would be ignored are refused. */
export function compileSchema(schema: JsonObject): SchemaCheck {
  const notIgnored = { strictSchema: true, strictNumbers: true }
  // Matters of style, which the schema of an operator may have otherwise.
  const tolerated = { strictTypes: false, strictTuples: false, strictRequired: false } as const
  const ajv = new Ajv({ allErrors: true, validateSchema: true, verbose: true, ...notIgnored, ...tolerated })
  for (const keyword of FOR_PEOPLE) ajv.addKeyword({ keyword, schemaType: 'string' })
  for (const [name, isSo] of Object.entries(FORMATS)) ajv.addFormat(name, isSo)
  const validate = ajv.compile(schema)
  return (document) => {
    if (validate(document)) return []
    return (validate.errors ?? []).map((error) => presentError(error, document))
  }
}

function presentError(error: ErrorObject, document: JsonObject): Violation {
  if (error.keyword === 'required') {
    const name = String(error.params.missingProperty)
    const expected = `${typeInWords(propertyOf(error.parentSchema, name)) ?? 'a value'}, since this field is required`
    return { pointer: below(error.instancePath, name), expected, given: 'nothing' }
  }
  return {
    pointer: error.instancePath,
    expected: expectation(error),
    given: describeGiven(valueAt(document, error.instancePath)),
  }
}

const TYPE_WORDS: Readonly<Record<string, string>> = {
  object: 'an object',
  array: 'an array',
  string: 'a string',
  number: 'a number',
  integer: 'a whole number',
  boolean: 'true or false',
  null: 'null',
}

/** Says in words what a keyword of the schema asks for. */
function expectation(error: ErrorObject): string {
  const { params } = error
  switch (error.keyword) {
    case 'type':
      return typesInWords(params.type)
    case 'enum':
      return `one of ${params.allowedValues.map((value: Json) => JSON.stringify(value)).join(', ')}`
    case 'exclusiveMinimum':
      return `a number greater than ${params.limit}`
    case 'exclusiveMaximum':
      return `a number less than ${params.limit}`
    case 'minItems':
      return `an array of at least ${params.limit}`
    case 'maxItems':
      return `an array of at most ${params.limit}`
    case 'format':
      return params.format === 'date' ? 'a date such as "2024-05-06"' : 'a time such as "2024-05-06T07:08:09Z"'
    case 'maxLength':
      return `a string of at most ${params.limit} characters`
    default:
      return error.message ?? error.keyword
  }
}

function typesInWords(types: string | readonly string[]): string {
  return [types]
    .flat()
    .map((type) => TYPE_WORDS[type] ?? type)
    .join(' or ')
}

/** Type or values that a schema asks for, in words; null without them. */
function typeInWords(schema: unknown): string | null {
  if (!isJsonObject(schema)) return null
  const [types, values] = [ownField(schema, 'type'), ownField(schema, 'enum')]
  if (isJsonArray(values)) return `one of ${values.map((value) => JSON.stringify(value)).join(', ')}`
  return typeof types === 'string' || isJsonArray(types) ? typesInWords(types as string | readonly string[]) : null
}

function propertyOf(schema: unknown, name: string): unknown {
  const properties = isJsonObject(schema) ? ownField(schema, 'properties') : undefined
  return isJsonObject(properties) ? ownField(properties, name) : undefined
}

function valueAt(document: JsonObject, pointer: string): Json | undefined {
  let value: Json | undefined = document
  for (const component of pointer.split('/').slice(1)) {
    const key = component.replaceAll('~1', '/').replaceAll('~0', '~')
    if (isJsonArray(value)) value = value[Number(key)]
    else if (isJsonObject(value)) value = ownField(value, key)
  }
  return value
}
