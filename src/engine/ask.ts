import { isJsonArray, isJsonObject, type Json, type JsonObject } from '../kernel/json.ts'
import type { TextPattern } from '../query/ast/expression.ts'
import type { BsonTypeName, ComparisonOperator, PredicateNode } from '../query/ast/filter.ts'
import { valueTestOf } from '../query/filter/match.ts'
import { NESTED_ARRAY, type ValueTest } from '../query/paths.ts'
import { compilePattern } from '../query/patterns/compile-pattern.ts'
import type { CompiledPattern } from '../query/values/expression-value.ts'
import { CUT_BYTES, type Kind } from './column-parts.ts'
import { NO, PERHAPS, type Verdict, YES } from './selection.ts'
import type { ValueDictionary } from './value-dictionary.ts'

const LAST_CHARACTER = 0x10ffff
const BEFORE_SURROGATES = 0xd7ff
const AFTER_SURROGATES = 0xe000

/** The least text above all that begin with `prefix`; null when there is none. */
export function afterPrefix(prefix: string): string | null {
  const codes = Array.from(prefix, (character) => character.codePointAt(0) as number)
  while (codes.at(-1) === LAST_CHARACTER) codes.pop()
  const last = codes.pop()
  if (last === undefined) return null
  codes.push(last === BEFORE_SURROGATES ? AFTER_SURROGATES : last + 1)
  return codes.map((code) => String.fromCodePoint(code)).join('')
}

/** Ordinals from the first up to the second, which is not one of them. */
export type OrdinalSpan = readonly [from: number, to: number]
type Lookup = (dictionary: ValueDictionary) => readonly OrdinalSpan[]

/** A scalar that an object or array must hold to equal another one: where, seen from that, and which. */
export interface Inner {
  readonly parts: readonly string[]
  readonly value: null | number | string | boolean
}

/** Test of one value after the other by a predicate; a document matches when one of those that the path reaches passes. */
export interface ValueAsk {
  readonly test: ValueTest
  /** The ordinals of a column's values that can pass. */
  readonly spans: Lookup
  /** Every scalar in the spans passes; else each is tested. */
  readonly isExact: boolean
  /** Verdict on an object or array, as a whole. */
  readonly object: Verdict
  readonly array: Verdict
  /** Verdict on the numbers of a vector: the column only knows that there are some. */
  readonly numbers: Verdict
  /** Contents of every object or array that passes. */
  readonly inner: readonly Inner[]
}

export type ValuePredicate = Exclude<PredicateNode, { operator: '$not' | '$all' | '$elemMatch' | '$size' | '$exists' }>

const NO_CONTAINERS = { object: NO, array: NO, numbers: NO, inner: [] } as const

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
      return askPattern(test, compilePattern(predicate.pattern))
    case '$mod':
    case '$bitsAllSet':
    case '$bitsAnySet':
    case '$bitsAllClear':
    case '$bitsAnyClear':
      return {
        test,
        ...NO_CONTAINERS,
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
  inner: [],
  isExact: true,
  spans: (dictionary) => [[0, dictionary.size]],
}

function askEqual(test: ValueTest, values: readonly Json[], patterns: readonly TextPattern[]): ValueAsk {
  const compiled = patterns.map(compilePattern)
  const containers = values.filter((value) => !isScalar(value))
  // No document holds NaN.
  const scalars = values.filter(isScalar).filter((value) => !Number.isNaN(value))
  const lookups = [...scalars.map(equalSpan), ...compiled.map(patternSpans)]
  // Other alternatives need not hold what an object or array holds.
  const only = values.length === 1 && patterns.length === 0 ? containers[0] : undefined
  return {
    test,
    isExact: compiled.every(isPrefixOnly) && scalars.every(isShort),
    spans: (dictionary) => lookups.flatMap((lookup) => lookup(dictionary)),
    object: containers.some((value) => !isJsonArray(value)) ? PERHAPS : NO,
    array: containers.some(isJsonArray) ? PERHAPS : NO,
    numbers: scalars.some((value) => typeof value === 'number') ? PERHAPS : NO,
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
  if (value === null) return (dictionary) => [dictionary.ordinalsOf('null')]
  if (typeof value === 'number')
    return (dictionary) => [[dictionary.numberFrom(value, false), dictionary.numberFrom(value, true)]]
  if (typeof value === 'boolean') return (dictionary) => kindSpan(dictionary, value ? 'true' : 'false')
  if (!isShort(value)) return longTextSpans(value)
  const bytes = Buffer.from(value)
  return (dictionary) => [[dictionary.textFrom(bytes, false), dictionary.textFrom(bytes, true)]]
}

function kindSpan(dictionary: ValueDictionary, kind: Kind): readonly OrdinalSpan[] {
  const ordinal = dictionary.ordinalOfKind(kind)
  return ordinal < 0 ? [] : [[ordinal, ordinal + 1]]
}

/** The texts that begin as a long one does, and those that have no form in UTF-8. */
function longTextSpans(value: string): Lookup {
  const spans = prefixSpans(shortStart(value))
  return (dictionary) => [...spans(dictionary), ...kindSpan(dictionary, 'unknown')]
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

function prefixSpans(prefix: string): Lookup {
  if (prefix === '') return (dictionary) => [dictionary.ordinalsOf('string')]
  const bytes = Buffer.from(prefix)
  const after = afterPrefix(prefix)
  const end = after === null ? null : Buffer.from(after)
  return (dictionary) => [
    [
      dictionary.textFrom(bytes, false),
      end === null ? dictionary.ordinalsOf('string')[1] : dictionary.textFrom(end, false),
    ],
  ]
}

function askPattern(test: ValueTest, pattern: CompiledPattern): ValueAsk {
  return { test, ...NO_CONTAINERS, isExact: isPrefixOnly(pattern), spans: patternSpans(pattern) }
}

function isPrefixOnly({ isLiteralPrefix, literalPrefix }: CompiledPattern): boolean {
  return isLiteralPrefix && isShort(literalPrefix)
}

function patternSpans({ literalPrefix }: CompiledPattern): Lookup {
  const spans = prefixSpans(isShort(literalPrefix) ? literalPrefix : shortStart(literalPrefix))
  return (dictionary) => [...spans(dictionary), ...kindSpan(dictionary, 'unknown')]
}

function askCompared(test: ValueTest, operator: ComparisonOperator, value: Json): ValueAsk {
  if (value === null) {
    // Null is not below or above itself.
    const isEqual = operator === '$gte' || operator === '$lte'
    return {
      test,
      ...NO_CONTAINERS,
      isExact: true,
      spans: isEqual ? (dictionary) => [dictionary.ordinalsOf('null')] : () => [],
    }
  }
  if (isJsonArray(value)) return { test, ...NO_CONTAINERS, array: PERHAPS, isExact: false, spans: () => [] }
  if (isJsonObject(value)) return { test, ...NO_CONTAINERS, object: PERHAPS, isExact: false, spans: () => [] }
  if (Number.isNaN(value)) return { test, ...NO_CONTAINERS, isExact: true, spans: () => [] }
  const numbers = typeof value === 'number' ? PERHAPS : NO
  return { test, ...NO_CONTAINERS, numbers, isExact: isShort(value), spans: comparedSpans(operator, value) }
}

function comparedSpans(operator: ComparisonOperator, value: number | string | boolean): Lookup {
  const isUpper = operator === '$lt' || operator === '$lte'
  const isAfter = operator === '$gt' || operator === '$lte'
  if (typeof value === 'boolean') {
    return (dictionary) => {
      const [from, to] = dictionary.ordinalsOf('boolean')
      const passes = [false, true].filter((other) => holds(operator, Number(other) - Number(value)))
      return passes.length === 2
        ? [[from, to]]
        : passes.flatMap((other) => kindSpan(dictionary, other ? 'true' : 'false'))
    }
  }
  if (typeof value === 'number') {
    return (dictionary) => {
      const [from, to] = dictionary.ordinalsOf('number')
      const bound = dictionary.numberFrom(value, isAfter)
      return [isUpper ? [from, bound] : [bound, to]]
    }
  }
  if (isShort(value)) {
    const bytes = Buffer.from(value)
    return (dictionary) => {
      const [from, to] = dictionary.ordinalsOf('string')
      const bound = dictionary.textFrom(bytes, isAfter)
      return [isUpper ? [from, bound] : [bound, to], ...kindSpan(dictionary, 'unknown')]
    }
  }
  // Texts that begin like a long one may be on either side.
  const start = Buffer.from(shortStart(value))
  const after = afterPrefix(shortStart(value))
  const end = after === null ? null : Buffer.from(after)
  return (dictionary) => {
    const [from, to] = dictionary.ordinalsOf('string')
    const last = end === null ? to : dictionary.textFrom(end, false)
    const known: OrdinalSpan = isUpper ? [from, last] : [dictionary.textFrom(start, false), to]
    return [known, ...kindSpan(dictionary, 'unknown')]
  }
}

function holds(operator: ComparisonOperator, order: number): boolean {
  if (operator === '$gt') return order > 0
  if (operator === '$gte') return order >= 0
  return operator === '$lt' ? order < 0 : order <= 0
}

function askType(test: ValueTest, types: readonly BsonTypeName[]): ValueAsk {
  const numbers = types.filter((type) => type === 'int' || type === 'long' || type === 'double')
  const spansOf = (type: BsonTypeName): Lookup => {
    switch (type) {
      case 'string':
        return (dictionary) => [dictionary.ordinalsOf('string'), ...kindSpan(dictionary, 'unknown')]
      case 'bool':
        return (dictionary) => [dictionary.ordinalsOf('boolean')]
      case 'null':
        return (dictionary) => [dictionary.ordinalsOf('null')]
      case 'int':
      case 'long':
      case 'double':
        return type === numbers[0] ? (dictionary) => [dictionary.ordinalsOf('number')] : () => []
      default:
        return () => []
    }
  }
  const spans = types.map(spansOf)
  return {
    test,
    inner: [],
    numbers: numbers.length === 3 ? YES : numbers.length > 0 ? PERHAPS : NO,
    isExact: numbers.length === 0 || numbers.length === 3,
    spans: (dictionary) => spans.flatMap((span) => span(dictionary)),
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
