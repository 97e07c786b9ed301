import { isJsonArray, type Json } from '../../kernel/json.ts'
import { nearestName } from '../../kernel/names.ts'
import type { BsonTypeName } from '../ast/filter.ts'
import { atIndex, invalidOperand, type ParseContext, show } from '../context.ts'
import { bsonTypeOf } from '../values/compare-bson.ts'
import { plainValue } from '../values/extended-json.ts'
import type { Operator } from './operator.ts'

/** The path reaches a value, or (operand false) it reaches none. */
export const exists: Operator<'$exists'> = {
  parse(operand, context) {
    const plain = plainValue(operand, context)
    const predicate = { operator: '$exists', exists: isTrueInMongo(plain) } as const
    return typeof plain === 'string' ? { ...predicate, written: plain } : predicate
  },
  compile(predicate, spot) {
    const reaches = spot.elements((value) => value !== undefined)
    return predicate.exists ? reaches : (input) => !reaches(input)
  },
}

/** MongoDB's truth: all but false, null and zero; the empty string is true. */
function isTrueInMongo(operand: Json): boolean {
  return operand !== false && operand !== null && operand !== 0
}

const NUMBERS: readonly BsonTypeName[] = ['int', 'long', 'double']

/** Types by alias; `never` stands for those that no JSON document can hold. */
const ALIASES: Readonly<Record<string, readonly BsonTypeName[]>> = {
  double: ['double'],
  string: ['string'],
  object: ['object'],
  array: ['array'],
  binData: ['never'],
  undefined: ['never'],
  objectId: ['never'],
  bool: ['bool'],
  date: ['never'],
  null: ['null'],
  regex: ['never'],
  dbPointer: ['never'],
  javascript: ['never'],
  symbol: ['never'],
  javascriptWithScope: ['never'],
  int: ['int'],
  timestamp: ['never'],
  long: ['long'],
  decimal: ['never'],
  minKey: ['never'],
  maxKey: ['never'],
  number: NUMBERS,
}

/** Numbers of the types from 1 on, in order: https://www.mongodb.com/docs/manual/reference/bson-types/ */
const NUMBERED = Object.keys(ALIASES).slice(0, 19)
const KEY_CODES: Readonly<Record<number, string>> = { [-1]: 'minKey', 127: 'maxKey' }

/** Type test; an array is asked for its elements' types, and for `array` itself. */
export const type: Operator<'$type'> = {
  parse(operand, context) {
    if (isJsonArray(operand) && operand.length === 0) {
      throw invalidOperand(context, `The list of types at ${context.place} is empty.`, 'Name at least one.')
    }
    const names = isJsonArray(operand)
      ? operand.flatMap((item, index) => typesOf(item, atIndex(context, index)))
      : typesOf(operand, context)
    return { operator: '$type', types: [...new Set(names)] }
  },
  compile({ types }, spot) {
    const wanted = new Set<string | null>(types)
    return spot.elements((value) => wanted.has(bsonTypeOf(value)))
  },
}

function typesOf(operand: Json, context: ParseContext): readonly BsonTypeName[] {
  const named = plainValue(operand, context)
  const alias = typeof named === 'number' ? (KEY_CODES[named] ?? NUMBERED[named - 1]) : named
  if (typeof alias === 'string' && Object.hasOwn(ALIASES, alias)) return ALIASES[alias] as readonly BsonTypeName[]
  throw invalidOperand(context, `${show(operand)} at ${context.place} is no type.`, typeHint(operand))
}

function typeHint(operand: Json): string {
  const near = typeof operand === 'string' ? nearestName(operand, Object.keys(ALIASES)) : null
  if (near !== null) return `Did you mean "${near}"?`
  return 'Types are "string", "number", "int", "long", "double", "bool", "object", "array", "null", or their BSON numbers.'
}
