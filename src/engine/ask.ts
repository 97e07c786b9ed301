import { isJsonArray, isJsonObject, type Json, type JsonObject } from '../kernel/json.ts'
import type { TextPattern } from '../query/ast/expression.ts'
import type { BsonTypeName, ComparisonOperator, PredicateNode } from '../query/ast/filter.ts'
import type { FieldKind } from '../query/ast/survey.ts'
import { valueTestOf } from '../query/filter/match.ts'
import { NESTED_ARRAY, type ValueTest } from '../query/paths.ts'
import { compilePattern } from '../query/patterns/compile-pattern.ts'
import type { CompiledPattern } from '../query/values/expression-value.ts'
import { kindOfValue } from '../query/warnings/value-kind.ts'
import { CUT_BYTES } from './column-parts.ts'
import { NO, PERHAPS, type Verdict, YES } from './selection.ts'
import { boundOf, type ValueDictionary } from './value-dictionary.ts'

/** Ordinals from the first up to the second, which is not one of them. */
type OrdinalSpan = readonly [from: number, to: number]
type Lookup = (dictionary: ValueDictionary) => readonly OrdinalSpan[]

/** A scalar that an object or array must hold to equal another one: where, seen from that, and which. */
export interface Inner {
  readonly parts: readonly string[]
  readonly value: null | number | string | boolean
}

/** Test of one value after the other by a predicate; a document matches when one of those that the path reaches passes. */
export interface ValueAsk {
  readonly test: ValueTest
  /** The ordinals of a column's scalars that can pass. */
  readonly spans: Lookup
  /** Every scalar in the spans passes; else each is tested. */
  readonly isExact: boolean
  /** Verdict on an object or array, as a whole. */
  readonly object: Verdict
  readonly array: Verdict
  /** Verdict on the numbers of a vector: the column only knows that there are some. */
  readonly numbers: Verdict
  /** Verdict on a text of which the column only knows that it is one. */
  readonly unknown: Verdict
  /** Contents of every object or array that passes. */
  readonly inner: readonly Inner[]
}

export type ValuePredicate = Exclude<PredicateNode, { operator: '$not' | '$all' | '$elemMatch' | '$size' | '$exists' }>

const NO_OTHERS = { object: NO, array: NO, numbers: NO, unknown: NO, inner: [] } as const

/** Says what a predicate asks of values, in terms of a dictionary in BSON order. */
export function askOf(predicate: ValuePredicate): ValueAsk {
  const test = valueTestOf(predicate)
  switch (predicate.operator) {
    case '$eq':
      return askEqual(test, [predicate.value], [])
    case '$in':
      return askEqual(test, predicate.values, predicate.patterns)
    case '$gt':
    case '$gte':
    case '$lt':
    case '$lte':
      return askCompared(test, predicate.operator, predicate.value)
    case '$regex':
      return askEqual(test, [], [predicate.pattern])
    case '$mod':
    case '$bitsAllSet':
    case '$bitsAnySet':
    case '$bitsAllClear':
    case '$bitsAnyClear':
      return {
        test,
        ...NO_OTHERS,
        numbers: PERHAPS,
        isExact: false,
        spans: (dictionary) => [dictionary.ordinalsOf('number')],
      }
    case '$type':
      return askType(test, predicate.types)
    default:
      // An operator without a case here does not compile.
      return predicate satisfies never
  }
}

/** Asks whether there is anything. */
export const ASK_PRESENCE: ValueAsk = {
  test: (value) => value !== undefined,
  object: YES,
  array: YES,
  numbers: YES,
  unknown: YES,
  inner: [],
  isExact: true,
  spans: (dictionary) => [[0, dictionary.ordinalsOf('string')[1]], dictionary.ordinalsOf('boolean')],
}

function askEqual(test: ValueTest, values: readonly Json[], patterns: readonly TextPattern[]): ValueAsk {
  const compiled = patterns.map(compilePattern)
  const containers = values.filter((value) => !isScalar(value))
  // No document holds NaN.
  const scalars = values.filter(isScalar).filter((value) => !Number.isNaN(value))
  const lookups = [...scalars.map(equalSpan), ...compiled.map(({ literalPrefix }) => prefixSpan(literalPrefix))]
  // Other alternatives need not hold what an object or array holds.
  const only = values.length === 1 && patterns.length === 0 ? containers[0] : undefined
  return {
    test,
    isExact: compiled.every(isPrefixOnly) && scalars.every(isShort),
    spans: (dictionary) => lookups.flatMap((lookup) => lookup(dictionary)),
    object: containers.some((value) => !isJsonArray(value)) ? PERHAPS : NO,
    array: containers.some(isJsonArray) ? PERHAPS : NO,
    numbers: scalars.some((value) => typeof value === 'number') ? PERHAPS : NO,
    unknown: compiled.length > 0 || !scalars.every(isShort) ? PERHAPS : NO,
    inner: only === undefined ? [] : innerOf(only),
  }
}

function isScalar(value: Json): value is Inner['value'] {
  return typeof value !== 'object' || value === null
}

/** A text that is no longer than what is kept of texts: comparing with it gives the same answer before and after a cut. */
function isShort(value: Json): boolean {
  return typeof value !== 'string' || (Buffer.byteLength(value) < CUT_BYTES && !hasLoneSurrogate(value))
}

function hasLoneSurrogate(text: string): boolean {
  return /\p{Surrogate}/u.test(text)
}

function equalSpan(value: Inner['value']): Lookup {
  if (!isShort(value)) return prefixSpan(value as string)
  const bound = boundOf(value)
  return (dictionary) => [[dictionary.ordinalFrom(bound, false), dictionary.ordinalFrom(bound, true)]]
}

/** The beginning of a text, whole characters of fewer bytes than a text has that is cut; before the first one without a form in UTF-8. */
function shortStart(text: string): string {
  let start = ''
  let bytes = 0
  for (const character of text) {
    bytes += Buffer.byteLength(character)
    if (bytes >= CUT_BYTES || hasLoneSurrogate(character)) break
    start += character
  }
  return start
}

/** The texts that begin as another one does, as far as columns keep of texts. */
function prefixSpan(text: string): Lookup {
  const prefix = Buffer.from(shortStart(text))
  return (dictionary) => [[dictionary.ordinalFrom(prefix, false), dictionary.textBehind(prefix)]]
}

function isPrefixOnly({ isLiteralPrefix, literalPrefix }: CompiledPattern): boolean {
  return isLiteralPrefix && isShort(literalPrefix)
}

function askCompared(test: ValueTest, operator: ComparisonOperator, value: Json): ValueAsk {
  if (isJsonArray(value)) return { test, ...NO_OTHERS, array: PERHAPS, isExact: false, spans: () => [] }
  if (isJsonObject(value)) return { test, ...NO_OTHERS, object: PERHAPS, isExact: false, spans: () => [] }
  return {
    test,
    ...NO_OTHERS,
    numbers: typeof value === 'number' ? PERHAPS : NO,
    unknown: typeof value === 'string' ? PERHAPS : NO,
    // Nothing is above or below NaN, which has no place in an order.
    isExact: isShort(value) && !Number.isNaN(value),
    spans: comparedSpans(operator, value),
  }
}

function comparedSpans(operator: ComparisonOperator, value: Inner['value']): Lookup {
  const kind = kindOfValue(value)
  // Texts that begin like a long one may be on either side: each is tested.
  if (!isShort(value)) return (dictionary) => [dictionary.ordinalsOf(kind)]
  const bound = boundOf(value)
  const isUpper = operator === '$lt' || operator === '$lte'
  const isAfter = operator === '$gt' || operator === '$lte'
  return (dictionary) => {
    const [from, to] = dictionary.ordinalsOf(kind)
    const at = dictionary.ordinalFrom(bound, isAfter)
    return [isUpper ? [from, at] : [at, to]]
  }
}

/** Scalars by the types that they have; what is of another type is judged as a whole. */
const SCALARS: { readonly [Type in BsonTypeName]?: FieldKind } = {
  null: 'null',
  int: 'number',
  long: 'number',
  double: 'number',
  string: 'string',
  bool: 'boolean',
}

function askType(test: ValueTest, types: readonly BsonTypeName[]): ValueAsk {
  const numbers = types.filter((type) => SCALARS[type] === 'number').length
  const kinds = new Set(types.flatMap((type) => SCALARS[type] ?? []))
  return {
    test,
    inner: [],
    numbers: numbers === 3 ? YES : numbers > 0 ? PERHAPS : NO,
    unknown: kinds.has('string') ? YES : NO,
    isExact: numbers === 0 || numbers === 3,
    spans: (dictionary) => Array.from(kinds, (kind) => dictionary.ordinalsOf(kind)),
    object: types.includes('object') ? YES : NO,
    array: types.includes('array') ? YES : NO,
  }
}

/** Most scalars of an object or array to look up; more of them hardly leave fewer rows. */
const MOST_INNER = 8

/** Scalars that equals of an object or array have. Keys that have no column of their own are passed over. */
function innerOf(value: Json, parts: readonly string[] = [], found: Inner[] = []): readonly Inner[] {
  if (found.length >= MOST_INNER) return found
  if (isJsonArray(value)) {
    for (const element of value) innerOf(element, isJsonArray(element) ? [...parts, NESTED_ARRAY] : parts, found)
  } else if (isJsonObject(value)) {
    for (const [key, field] of Object.entries(value as JsonObject)) {
      if (key !== '' && !key.includes('.')) innerOf(field, [...parts, key], found)
    }
  } else if (isShort(value)) found.push({ parts, value })
  return found
}
