import { isJsonArray, isJsonObject, type Json, type JsonObject, ownField, setOwnField } from '../../kernel/json.ts'
import type { TextPattern } from '../ast/expression.ts'
import { atIndex, atKey, type ParseContext, refusal, show } from '../context.ts'
import { QUERY_ERRORS } from '../errors.ts'
import { isExtendedValue, readExtendedValue, refuseDollarKey } from '../values/extended-json.ts'
import { parseTextPattern } from './compile-pattern.ts'

/** Reads a value to compare with: JSON, in which extended JSON stands for plain values. */
export function parseLiteral(json: Json, context: ParseContext): Json {
  if (isJsonArray(json)) return json.map((item, index) => parseLiteral(item, atIndex(context, index)))
  if (!isJsonObject(json)) return json
  if (isExtendedValue(json)) return readExtendedValue(json, context)
  if (isPatternLiteral(json)) throw strayPattern(context)
  const object: Record<string, Json> = {}
  for (const [key, value] of Object.entries(json)) {
    if (key.startsWith('$')) throw refuseDollarKey(key, context)
    setOwnField(object, key, parseLiteral(value, atKey(context, key)))
  }
  return object
}

/** Tells whether an object is a regular expression in extended JSON, in its new or its old form. */
export function isPatternLiteral(object: JsonObject): boolean {
  const keys = Object.keys(object)
  if (keys.length === 1 && keys[0] === '$regularExpression') return true
  return keys.includes('$regex') && keys.every((key) => key === '$regex' || key === '$options')
}

/** Reads an object for which `isPatternLiteral` holds. */
export function parsePatternLiteral(json: JsonObject, context: ParseContext): TextPattern {
  const wrapped = ownField(json, '$regularExpression')
  if (wrapped === undefined) {
    return patternOf(ownField(json, '$regex'), ownField(json, '$options'), atKey(context, '$regex'))
  }
  const place = atKey(context, '$regularExpression')
  const isWhole = isJsonObject(wrapped) && Object.keys(wrapped).every((key) => key === 'pattern' || key === 'options')
  if (!isWhole) throw notAPattern(place, wrapped)
  return patternOf(ownField(wrapped, 'pattern'), ownField(wrapped, 'options'), place)
}

function patternOf(source: Json | undefined, options: Json | undefined, context: ParseContext): TextPattern {
  if (typeof source !== 'string') throw notAPattern(context, source)
  if (options !== undefined && typeof options !== 'string') throw notAPattern(context, options)
  return parseTextPattern(source, options ?? '', context)
}

function notAPattern(context: ParseContext, given: unknown): Error {
  return refusal(
    context,
    QUERY_ERRORS.invalidOperand,
    `The regular expression at ${context.place} is made of strings, not of ${show(given)}.`,
    'Write {"$regex":"^Si","$options":"i"} or {"$regularExpression":{"pattern":"^Si","options":"i"}}.',
  )
}

function strayPattern(context: ParseContext): Error {
  return refusal(
    context,
    QUERY_ERRORS.invalidOperand,
    `A regular expression cannot be compared with, at ${context.place}: records hold none.`,
    'Match text with {"a":{"$regex":"…"}}, within $in, $all or $not.',
  )
}
