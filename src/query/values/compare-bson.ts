import type { BsonTypeName } from '../ast/filter.ts'
import { type CompiledPattern, type ExpressionValue, isCompiledPattern } from './expression-value.ts'

/** The brackets of MongoDB's order of types; only values of one bracket are compared by `$gt` and its kin. */
export const TYPE_RANK = { null: 1, number: 2, string: 3, object: 4, array: 5, bool: 6, date: 7, regex: 8 } as const

export type TypeRank = (typeof TYPE_RANK)[keyof typeof TYPE_RANK]

/** Places a value in the order of types; a missing value ranks with null. */
export function typeRank(value: ExpressionValue): TypeRank {
  switch (typeof value) {
    case 'number':
      return TYPE_RANK.number
    case 'string':
      return TYPE_RANK.string
    case 'boolean':
      return TYPE_RANK.bool
    case 'undefined':
      return TYPE_RANK.null
    default:
      return objectRank(value)
  }
}

function objectRank(value: object | null): TypeRank {
  if (value === null) return TYPE_RANK.null
  if (Array.isArray(value)) return TYPE_RANK.array
  if (value instanceof Date) return TYPE_RANK.date
  return isCompiledPattern(value) ? TYPE_RANK.regex : TYPE_RANK.object
}

const INT_LIMIT = 2 ** 31
const LONG_LIMIT = 2 ** 63

/** Names the BSON type that `$type` finds; null for a missing value, which has none. Whole numbers are int or long. */
export function bsonTypeOf(value: ExpressionValue): BsonTypeName | 'date' | 'regex' | null {
  if (value === undefined) return null
  switch (typeRank(value)) {
    case TYPE_RANK.null:
      return 'null'
    case TYPE_RANK.number:
      return numberType(value as number)
    case TYPE_RANK.string:
      return 'string'
    case TYPE_RANK.object:
      return 'object'
    case TYPE_RANK.array:
      return 'array'
    case TYPE_RANK.bool:
      return 'bool'
    case TYPE_RANK.date:
      return 'date'
    case TYPE_RANK.regex:
      return 'regex'
  }
}

function numberType(value: number): 'int' | 'long' | 'double' {
  if (!Number.isInteger(value)) return 'double'
  if (value >= -INT_LIMIT && value < INT_LIMIT) return 'int'
  return value >= -LONG_LIMIT && value < LONG_LIMIT ? 'long' : 'double'
}

const FIRST_SURROGATE = 0xd800
const AFTER_SURROGATES = 0xe000

/** Compares texts by their UTF-8 bytes, as MongoDB does: UTF-16 units would put surrogates before U+E000. */
export function compareText(a: string, b: string): number {
  if (a === b) return 0
  const length = Math.min(a.length, b.length)
  for (let index = 0; index < length; index++) {
    const unitA = a.charCodeAt(index)
    const unitB = b.charCodeAt(index)
    if (unitA !== unitB) return utf8Rank(unitA) - utf8Rank(unitB)
  }
  return a.length - b.length
}

/** Moves surrogates above all other units: what they encode has the longest UTF-8 form. */
export function utf8Rank(unit: number): number {
  if (unit < FIRST_SURROGATE) return unit
  return unit < AFTER_SURROGATES ? unit + 0x2000 : unit - 0x800
}

/** The unit that `utf8Rank` gives a rank. */
export function unitOfRank(rank: number): number {
  if (rank < FIRST_SURROGATE) return rank
  return rank < FIRST_SURROGATE + 0x2000 ? rank + 0x800 : rank - 0x2000
}

type ObjectFields = { readonly [key: string]: ExpressionValue }
type Compare = (a: ExpressionValue, b: ExpressionValue) => number

/** Compares values in MongoDB's BSON order: by type, then within it. Missing ties with null; NaN is the smallest number. */
export function compareBson(a: ExpressionValue, b: ExpressionValue): number {
  const rank = typeRank(a)
  const byType = rank - typeRank(b)
  if (byType !== 0) return byType
  switch (rank) {
    case TYPE_RANK.null:
      return 0
    case TYPE_RANK.number:
      return compareNumbers(a as number, b as number)
    case TYPE_RANK.string:
      return compareText(a as string, b as string)
    case TYPE_RANK.object:
      return compareObjects(a as ObjectFields, b as ObjectFields, compareBson)
    case TYPE_RANK.array:
      return compareArrays(a as readonly ExpressionValue[], b as readonly ExpressionValue[], compareBson)
    case TYPE_RANK.bool:
      return Number(a) - Number(b)
    case TYPE_RANK.date:
      return (a as Date).getTime() - (b as Date).getTime()
    case TYPE_RANK.regex:
      return comparePatterns(a as CompiledPattern, b as CompiledPattern)
  }
}

/** Tells whether two values are the same in BSON: objects with the same fields in the same order, -0 as 0. */
export function equalBson(a: ExpressionValue, b: ExpressionValue): boolean {
  return a === b || compareBson(a, b) === 0
}

function compareNumbers(a: number, b: number): number {
  if (a < b) return -1
  if (a > b) return 1
  if (a === b) return 0
  return Number(Number.isNaN(b)) - Number(Number.isNaN(a))
}

/** Field by field: the type of the value, then the name, then the value; what runs out of fields first is smaller. */
export function compareObjects(a: ObjectFields, b: ObjectFields, compare: Compare): number {
  const keysA = Object.keys(a)
  const keysB = Object.keys(b)
  const shared = Math.min(keysA.length, keysB.length)
  for (let index = 0; index < shared; index++) {
    const keyA = keysA[index] as string
    const keyB = keysB[index] as string
    const byField = typeRank(a[keyA]) - typeRank(b[keyB]) || compareText(keyA, keyB) || compare(a[keyA], b[keyB])
    if (byField !== 0) return byField
  }
  return keysA.length - keysB.length
}

/** Element by element; what runs out of elements first is smaller. */
export function compareArrays(a: readonly ExpressionValue[], b: readonly ExpressionValue[], compare: Compare): number {
  const shared = Math.min(a.length, b.length)
  for (let index = 0; index < shared; index++) {
    const byElement = compare(a[index], b[index])
    if (byElement !== 0) return byElement
  }
  return a.length - b.length
}

function comparePatterns({ pattern: a }: CompiledPattern, { pattern: b }: CompiledPattern): number {
  return compareText(a.source, b.source) || compareText(a.flags, b.flags)
}
