import { isoInstant } from '../../kernel/clock.ts'
import { isJsonObject, type Json, type JsonObject, ownField } from '../../kernel/json.ts'
import { type ParseContext, refusal, show } from '../context.ts'
import { QUERY_ERRORS } from '../errors.ts'

const ISO =
  /^([0-9]{4})-([0-9]{2})-([0-9]{2})(?:T([0-9]{2}):([0-9]{2})(?::([0-9]{2})(?:\.([0-9]{1,9}))?)?(Z|[+-][0-9]{2}:?[0-9]{2})?)?$/
const FIRST_INSTANT = Date.parse('0000-01-01T00:00:00.000Z')
const LAST_INSTANT = Date.parse('9999-12-31T23:59:59.999Z')

/** Reads an instant from ISO 8601 text or milliseconds as records keep it, which orders like time (years of four digits); else null. */
export function readInstant(value: Json): string | null {
  const milliseconds = typeof value === 'string' ? parseIso(value) : value
  if (typeof milliseconds !== 'number' || !Number.isInteger(milliseconds)) return null
  return milliseconds >= FIRST_INSTANT && milliseconds <= LAST_INSTANT ? isoInstant(milliseconds) : null
}

function parseIso(text: string): number | null {
  const match = ISO.exec(text)
  if (match === null) return null
  const [, year, month, day, hour = '00', minute = '00', second = '00', fraction = '', zone = 'Z'] = match
  const local = `${year}-${month}-${day}T${hour}:${minute}:${second}.${fraction.padEnd(3, '0').slice(0, 3)}Z`
  const milliseconds = Date.parse(local)
  // JavaScript moves 30 February into March; an instant that does not read back as it was written is none.
  if (Number.isNaN(milliseconds) || isoInstant(milliseconds) !== local) return null
  return milliseconds - zoneOffset(zone)
}

function zoneOffset(zone: string): number {
  if (zone === 'Z') return 0
  const minutes = Number(zone.slice(1, 3)) * 60 + Number(zone.slice(-2))
  return (zone.startsWith('-') ? -minutes : minutes) * 60_000
}

type ValueReader = (operand: Json, context: ParseContext) => Json

/** Forms of extended JSON (v2) that stand for a plain value, by their key. */
const READERS: Readonly<Record<string, ValueReader>> = {
  $oid: readObjectId,
  $numberInt: (operand, context) => readWhole(operand, 2n ** 31n, context),
  $numberLong: (operand, context) => readWhole(operand, 2n ** 63n, context),
  $numberDouble: readReal,
  $numberDecimal: readReal,
  $date: readDate,
}

/** Forms of extended JSON for types that no JSON document holds. */
const FOREIGN_TYPES = new Set([
  '$binary',
  '$uuid',
  '$timestamp',
  '$minKey',
  '$maxKey',
  '$symbol',
  '$undefined',
  '$code',
  '$scope',
  '$dbPointer',
  '$ref',
  '$id',
  '$db',
])

/** Tells whether an object is a value in extended JSON and no object of fields or operators. */
export function isExtendedValue(object: JsonObject): boolean {
  const keys = Object.keys(object)
  return keys.length === 1 && Object.hasOwn(READERS, keys[0] as string)
}

/** Plain value of an operand: a number in extended JSON is as good as a number. */
export function plainValue(operand: Json, context: ParseContext): Json {
  return isJsonObject(operand) && isExtendedValue(operand) ? readExtendedValue(operand, context) : operand
}

/** Tells whether a key belongs to extended JSON, whether or not its type can be held. */
export function isExtendedKey(key: string): boolean {
  return Object.hasOwn(READERS, key) || FOREIGN_TYPES.has(key) || key === '$regularExpression'
}

/** Reads an object for which `isExtendedValue` holds. */
export function readExtendedValue(object: JsonObject, context: ParseContext): Json {
  const key = Object.keys(object)[0] as string
  const reader = READERS[key] as ValueReader
  return reader(ownField(object, key) as Json, { ...context, place: `${context.place}.${key}` })
}

/** Refuses a $-name in a value, in the words that fit the name. */
export function refuseDollarKey(key: string, context: ParseContext): Error {
  const place = { ...context, place: `${context.place}.${key.slice(0, 120)}` }
  if (FOREIGN_TYPES.has(key)) {
    return refusal(
      place,
      QUERY_ERRORS.invalidLiteral,
      `Records are JSON and hold no ${key}, asked for at ${context.place}.`,
    )
  }
  if (isExtendedKey(key)) {
    return refusal(
      place,
      QUERY_ERRORS.invalidLiteral,
      `${show(key)} at ${context.place} must be the only key of its object.`,
    )
  }
  return refusal(
    place,
    QUERY_ERRORS.invalidLiteral,
    `The value at ${context.place} holds the name ${show(key)}, which cannot begin a field name.`,
    'For a field within, use a dotted path such as {"a.b":{"$gt":1}}; for one of several conditions, $or.',
  )
}

function readObjectId(operand: Json, context: ParseContext): Json {
  if (typeof operand === 'string') return operand
  throw malformed(context, operand, 'Write the id as a string.')
}

function readWhole(operand: Json, limit: bigint, context: ParseContext): Json {
  if (typeof operand !== 'string' || !/^-?[0-9]{1,20}$/.test(operand)) {
    throw malformed(context, operand, 'Write a whole number as a string, such as "42".')
  }
  const value = BigInt(operand)
  if (value < -limit || value >= limit) throw malformed(context, operand, 'The number is out of range.')
  return exactly(value, context)
}

function readReal(operand: Json, context: ParseContext): Json {
  const special: Readonly<Record<string, number>> = {
    NaN: Number.NaN,
    Infinity: Number.POSITIVE_INFINITY,
    '-Infinity': Number.NEGATIVE_INFINITY,
  }
  if (typeof operand !== 'string') throw malformed(context, operand, 'Write the number as a string, such as "0.5".')
  if (Object.hasOwn(special, operand)) return special[operand] as number
  if (!/^-?[0-9]{1,400}(?:\.[0-9]{0,400})?(?:[eE][+-]?[0-9]{1,4})?$/.test(operand)) {
    throw malformed(context, operand, 'Write a number as a string, such as "0.5", "Infinity" or "NaN".')
  }
  if (/^-?[0-9]+$/.test(operand)) return exactly(BigInt(operand), context)
  const value = Number(operand)
  if (!Number.isFinite(value)) throw inexact(context, operand)
  return value
}

function exactly(value: bigint, context: ParseContext): number {
  const number = Number(value)
  if (!Number.isFinite(number) || BigInt(number) !== value) throw inexact(context, String(value))
  return number
}

function readDate(operand: Json, context: ParseContext): Json {
  const instant = readInstant(unwrapMilliseconds(operand))
  if (instant !== null) return instant
  throw malformed(
    context,
    operand,
    'Write an ISO 8601 instant such as "2024-01-31T12:00:00Z", or milliseconds since 1970.',
  )
}

function unwrapMilliseconds(operand: Json): Json {
  if (!isJsonObject(operand)) return operand
  const long = ownField(operand, '$numberLong')
  const isLong = typeof long === 'string' && /^-?[0-9]{1,15}$/.test(long) && Object.keys(operand).length === 1
  return isLong ? Number(long) : null
}

function malformed(context: ParseContext, operand: Json, hint: string): Error {
  return refusal(context, QUERY_ERRORS.invalidLiteral, `${show(operand)} cannot be read at ${context.place}.`, hint)
}

function inexact(context: ParseContext, literal: string): Error {
  return refusal(
    context,
    QUERY_ERRORS.inexactNumber,
    `The number ${literal.slice(0, 40)} at ${context.place} cannot be held without changing its value.`,
    'Whole numbers are exact up to 9007199254740991.',
  )
}
