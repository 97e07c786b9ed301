import { show } from '../../context.ts'
import { compilePattern } from '../../patterns/compile-pattern.ts'
import type { ExpressionValue } from '../../values/expression-value.ts'
import { parseDateText } from '../dates/date-text.ts'
import { type CallSite, describe, type NamedInTurn } from '../language/arguments.ts'
import { type ExpressionOperator, type OperatorGroup, overNamedInTurn, overOne } from '../language/operator.ts'
import { isNullish, typeName } from '../language/read-value.ts'

export type ConversionTarget = 'bool' | 'date' | 'decimal' | 'double' | 'int' | 'long' | 'string'

/** Converts a value that is neither null nor missing; undefined when there is no such conversion. */
type ValueConversion = (value: ExpressionValue) => ExpressionValue

const INT_LIMIT = 2 ** 31
const LAST_INSTANT = 8.64e15

/** https://www.mongodb.com/docs/manual/reference/operator/aggregation/convert/ */
export const CONVERSIONS: Readonly<Record<ConversionTarget, ValueConversion>> = {
  bool: (value) => (typeof value === 'boolean' ? value : typeof value !== 'number' || value !== 0),
  date: toDate,
  decimal: toReal,
  double: toReal,
  int: (value) => (value instanceof Date ? undefined : toWhole(value, INT_LIMIT)),
  // Beyond 2^53 a JSON number may not be the number that was written.
  long: (value) => toWhole(value, Number.MAX_SAFE_INTEGER + 1),
  string: toText,
}

/** The codes by which BSON numbers its types. */
const TYPE_CODES: ReadonlyMap<number, ConversionTarget> = new Map([
  [1, 'double'],
  [2, 'string'],
  [8, 'bool'],
  [9, 'date'],
  [16, 'int'],
  [18, 'long'],
  [19, 'decimal'],
])

/** Reads the `to` of `$convert`: a type's name or number; null when it is none. */
export function conversionTarget(value: ExpressionValue): ConversionTarget | null {
  if (typeof value === 'number') return TYPE_CODES.get(value) ?? null
  return typeof value === 'string' && Object.hasOwn(CONVERSIONS, value) ? (value as ConversionTarget) : null
}

function toReal(value: ExpressionValue): number | undefined {
  if (typeof value === 'number') return value
  if (typeof value === 'boolean') return Number(value)
  if (value instanceof Date) return value.getTime()
  return typeof value === 'string' ? readNumber(value) : undefined
}

function readNumber(text: string): number | undefined {
  const special = /^([+-]?)(inf(?:inity)?|nan)$/i.exec(text)
  if (special !== null) {
    if (/nan/i.test(text)) return Number.NaN
    return special[1] === '-' ? Number.NEGATIVE_INFINITY : Number.POSITIVE_INFINITY
  }
  if (!/^[+-]?(?:[0-9]+\.?[0-9]*|\.[0-9]+)(?:e[+-]?[0-9]+)?$/i.test(text)) return undefined
  const number = Number(text)
  return Number.isFinite(number) ? number : undefined
}

/** A string must be a whole number; another number loses its fraction. */
function toWhole(value: ExpressionValue, limit: number): number | undefined {
  if (typeof value === 'string' && !/^[+-]?[0-9]{1,20}$/.test(value)) return undefined
  const number = toReal(value)
  if (number === undefined) return undefined
  const whole = Math.trunc(number)
  return whole >= -limit && whole < limit && !(whole === -limit && limit > INT_LIMIT) ? whole : undefined
}

function toDate(value: ExpressionValue): Date | undefined {
  if (value instanceof Date) return value
  if (typeof value === 'string') {
    const instant = parseDateText(value, null)
    return instant === null ? undefined : new Date(instant)
  }
  if (typeof value !== 'number' || Math.abs(value) > LAST_INSTANT || Number.isNaN(value)) return undefined
  return new Date(Math.trunc(value))
}

function toText(value: ExpressionValue): string | undefined {
  if (typeof value === 'string') return value
  if (typeof value === 'number' || typeof value === 'boolean') return String(value)
  return value instanceof Date ? value.toISOString() : undefined
}

/** Types and conversions. The number types differ in what they let through; all of them are JSON numbers. */
export const TYPE_OPERATORS: OperatorGroup = {
  $convert: overNamedInTurn(['input', 'to'], ['onError', 'onNull'], convertAsAsked, ({ to }, site) => {
    // A target that is written out is looked at when the query is read.
    if (to?.kind === 'literal') readTarget(to.value, site.refuse.bind(site))
    if (to?.kind === 'pattern') readTarget(compilePattern(to.pattern), site.refuse.bind(site))
  }),
  $isNumber: overOne((value) => typeof value === 'number'),
  $toBool: convertingTo('bool'),
  $toDate: convertingTo('date'),
  $toDecimal: convertingTo('decimal'),
  $toDouble: convertingTo('double'),
  $toInt: convertingTo('int'),
  $toLong: convertingTo('long'),
  $toString: convertingTo('string'),
  $type: overOne((value) => typeName(value)),
}

function convertingTo(target: ConversionTarget): ExpressionOperator {
  return overOne((value, site) => (isNullish(value) ? null : convert(value, target, site)))
}

function convert(value: ExpressionValue, target: ConversionTarget, site: CallSite): ExpressionValue {
  const converted = CONVERSIONS[target](value)
  if (converted !== undefined) return converted
  const given = typeof value === 'string' ? `the string ${show(value)}` : describe(value)
  throw site.fail(`cannot convert ${given} to ${target}`, 'Use $convert with onError to go on without it.')
}

function convertAsAsked(given: NamedInTurn<'input' | 'to' | 'onError' | 'onNull'>, site: CallSite): ExpressionValue {
  const [to, value] = [given.value('to'), given.value('input')]
  if (isNullish(value)) return given.gives('onNull') ? given.value('onNull') : null
  const target = readTarget(to, site.fail.bind(site))
  if (target === null) return null
  const converted = CONVERSIONS[target](value)
  if (converted !== undefined) return converted
  return given.gives('onError') ? given.value('onError') : convert(value, target, site)
}

function readTarget(value: ExpressionValue, refuse: (problem: string) => Error): ConversionTarget | null {
  if (isNullish(value)) return null
  const target = conversionTarget(value)
  if (target !== null) return target
  throw refuse(`cannot convert to ${show(value)}; it knows ${Object.keys(CONVERSIONS).join(', ')}`)
}
