import { AppError } from '../../kernel/errors.ts'
import { isJsonArray, isJsonObject, type Json, type JsonObject, ownField, setOwnField } from '../../kernel/json.ts'
import type { FieldNode, FilterNode } from '../ast/filter.ts'
import type { FieldPath } from '../ast/path.ts'
import { QUERY_ERRORS } from '../errors.ts'
import { matches } from '../match/matches.ts'
import { indexOfMatch } from './element-conditions.ts'

/**
 * `arr.$`: finds the first array on the path and leaves of it only the first element that satisfies the filter's condition
 * on it; of several conditions the last.
 * https://www.mongodb.com/docs/manual/reference/operator/projection/positional/
 */
export function keepMatchedElement(document: JsonObject, path: FieldPath, filter: FilterNode): JsonObject {
  const found = firstArrayOn(document, path.parts)
  if (found === null) return document
  const index = indexOfMatch(filter, path, document, (condition) => firstMeeting(condition, found.array, found.parts))
  if (index < 0) {
    throw new AppError(
      QUERY_ERRORS.positionalMismatch,
      `The query matched ${path.text} as a whole, so ${path.text}.$ has no element to give.`,
      { path: `projection.fields.${path.text}.$`, hint: `Ask for ${path.text}, or put the condition on its elements.` },
    )
  }
  return replaceField(document, found.parts, found.array.slice(index, index + 1))
}

function firstArrayOn(
  document: JsonObject,
  parts: readonly string[],
): { readonly array: readonly Json[]; readonly parts: readonly string[] } | null {
  let value: Json | undefined = document
  for (const [depth, part] of parts.entries()) {
    value = isJsonObject(value) ? ownField(value, part) : undefined
    if (isJsonArray(value)) return { array: value, parts: parts.slice(0, depth + 1) }
  }
  return null
}

function firstMeeting(condition: FieldNode, array: readonly Json[], parts: readonly string[]): number {
  return array.findIndex((element) => matches(condition, nest(parts, [element])))
}

/** A document that has nothing but a value at a path. */
function nest(parts: readonly string[], value: Json): JsonObject {
  return parts.reduceRight<Json>((inner, part) => ({ [part]: inner }), value) as JsonObject
}

/** Copies a document with another value at a path that leads through objects only; fields keep their order. */
function replaceField(document: JsonObject, [part = '', ...rest]: readonly string[], value: Json): JsonObject {
  const copy: Record<string, Json> = {}
  for (const [key, field] of Object.entries(document)) {
    if (key !== part) setOwnField(copy, key, field)
    else setOwnField(copy, key, rest.length === 0 ? value : replaceField(field as JsonObject, rest, value))
  }
  return copy
}
