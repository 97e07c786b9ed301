import { isJsonArray, isJsonObject, type Json, type JsonObject, ownField, setOwnField } from '../../kernel/json.ts'
import type { ExpressionNode, LiteralNode, PatternNode, TextPattern } from '../ast/expression.ts'
import { atIndex, atKey, invalidOperand, type ParseContext, show } from '../context.ts'
import { objectOf } from '../expressions/language/read-value.ts'
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
  return invalidOperand(
    context,
    `The regular expression at ${context.place} is made of strings, not of ${show(given)}.`,
    'Write {"$regex":"^Si","$options":"i"} or {"$regularExpression":{"pattern":"^Si","options":"i"}}.',
  )
}

function strayPattern(context: ParseContext): Error {
  return invalidOperand(
    context,
    `A regular expression cannot be compared with, at ${context.place}: records hold none.`,
    'Match text with {"a":{"$regex":"…"}}, within $in, $all or $not.',
  )
}

/** Tells whether an object is one value in extended JSON: a number, an id, a date or a regular expression. */
export function isSpecialLiteral(object: JsonObject): boolean {
  return isExtendedValue(object) || isPatternLiteral(object)
}

/** Reads an object for which `isSpecialLiteral` holds; here, unlike in a filter, a date is a date and no text. */
export function readSpecialLiteral(object: JsonObject, context: ParseContext): LiteralNode | PatternNode {
  if (isPatternLiteral(object)) return { kind: 'pattern', pattern: parsePatternLiteral(object, context) }
  const value = readExtendedValue(object, context)
  return { kind: 'literal', value: Object.hasOwn(object, '$date') ? new Date(value as string) : value }
}

/** Reads `$literal`: nothing in it is an operator or a path, but extended JSON still stands for its values. */
export function readLiteral(json: Json, context: ParseContext): ExpressionNode {
  if (isJsonArray(json)) {
    const items = json.map((item) => readLiteral(item, context))
    if (!items.every(isLiteral)) return { kind: 'array', items, place: context.place }
    return { kind: 'literal', value: items.map(({ value }) => value) }
  }
  if (!isJsonObject(json)) return { kind: 'literal', value: json }
  if (isSpecialLiteral(json)) return readSpecialLiteral(json, context)
  const fields = Object.entries(json).map(([key, value]) => [key, readLiteral(value, context)] as const)
  const plain = fields.flatMap(([key, node]) => (isLiteral(node) ? [[key, node.value] as const] : []))
  if (plain.length < fields.length) return { kind: 'object', fields, place: context.place }
  return { kind: 'literal', value: objectOf(plain) }
}

function isLiteral(node: ExpressionNode): node is LiteralNode {
  return node.kind === 'literal'
}
