import type { BsonTypeName } from '../ast/filter.ts'
import { type ExpressionValue, isCompiledPattern } from './expression-value.ts'

/** The brackets of MongoDB's order of types; only values of one bracket are compared by `$gt` and its kin. */
export const TYPE_RANK = {
  null: 1,
  number: 2,
  string: 3,
  object: 4,
  array: 5,
  bool: 6,
  date: 7,
  regex: 8,
} as const

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
