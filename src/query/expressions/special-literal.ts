import { isJsonArray, isJsonObject, type Json, type JsonObject } from '../../kernel/json.ts'
import type { ExpressionValue } from '../ast/expression.ts'
import type { ParseContext } from '../parse/parse-context.ts'
import { isPatternLiteral, parsePatternLiteral } from '../parse/parse-literal.ts'
import { isExtendedValue, readExtendedValue } from '../values/extended-json.ts'
import { objectOf } from './read-value.ts'

/** Tells whether an object is one value in extended JSON: a number, an id, a date or a regular expression. */
export function isSpecialLiteral(object: JsonObject): boolean {
  return isExtendedValue(object) || isPatternLiteral(object)
}

/** Reads an object for which `isSpecialLiteral` holds; here, unlike in a filter, a date is a date and no text. */
export function readSpecialLiteral(object: JsonObject, context: ParseContext): ExpressionValue {
  if (isPatternLiteral(object)) return parsePatternLiteral(object, context)
  const value = readExtendedValue(object, context)
  return Object.hasOwn(object, '$date') ? new Date(value as string) : value
}

/** Reads `$literal`: nothing in it is an operator or a path, but extended JSON still stands for its values. */
export function readLiteral(json: Json, context: ParseContext): ExpressionValue {
  if (isJsonArray(json)) return json.map((item) => readLiteral(item, context))
  if (!isJsonObject(json)) return json
  if (isSpecialLiteral(json)) return readSpecialLiteral(json, context)
  return objectOf(Object.entries(json).map(([key, value]) => [key, readLiteral(value, context)]))
}
