import { isJsonArray, isJsonObject, type Json, type JsonObject } from '../../../kernel/json.ts'
import type { ExpressionNode, LiteralNode, PatternNode } from '../../ast/expression.ts'
import type { ParseContext } from '../../context.ts'
import { isPatternLiteral, parsePatternLiteral } from '../../patterns/parse-literal.ts'
import { isExtendedValue, readExtendedValue } from '../../values/extended-json.ts'
import { objectOf } from './read-value.ts'

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
