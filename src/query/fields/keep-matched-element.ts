import { AppError } from '../../kernel/errors.ts'
import { isJsonArray, isJsonObject, type Json, type JsonObject, ownField, setOwnField } from '../../kernel/json.ts'
import type { FilterNode } from '../ast/filter.ts'
import type { FieldPath } from '../ast/path.ts'
import { QUERY_ERRORS } from '../errors.ts'
import { elementFinderOf } from './element-conditions.ts'

/**
 * Prepares `arr.$`: finds the first array on the path and leaves of it only the first element by which the filter's condition
 * on it holds; of several conditions the last.
 * https://www.mongodb.com/docs/manual/reference/operator/projection/positional/
 */
export function keepingMatchedElement(path: FieldPath, filter: FilterNode): (document: JsonObject) => JsonObject {
  const indexOf = elementFinderOf(filter, path)
  return (document) => {
    const found = firstArrayOn(document, path.parts)
    if (found === null) return document
    const index = indexOf(document)
    if (index < 0) throw matchedAsWhole(path)
    return replaceField(document, found.parts, found.array.slice(index, index + 1))
  }
}

function matchedAsWhole({ text }: FieldPath): AppError {
  const hint = `Ask for ${text} itself, or put the condition on its elements with {"${text}":{"$elemMatch":…}}.`
  return new AppError(
    QUERY_ERRORS.positionalMismatch,
    `projection.fields asks for ${text}.$, the element that matched, but in one record the query matched the whole array of ${text}. ${hint}`,
    { path: `projection.fields.${text}.$`, hint },
  )
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

/** Copies a document with another value at a path that leads through objects only; fields keep their order. */
function replaceField(document: JsonObject, [part = '', ...rest]: readonly string[], value: Json): JsonObject {
  const copy: Record<string, Json> = {}
  for (const [key, field] of Object.entries(document)) {
    if (key !== part) setOwnField(copy, key, field)
    else setOwnField(copy, key, rest.length === 0 ? value : replaceField(field as JsonObject, rest, value))
  }
  return copy
}
