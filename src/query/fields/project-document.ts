import { AppError } from '../../kernel/errors.ts'
import { isJsonArray, isJsonObject, type Json, type JsonObject, ownField, setOwnField } from '../../kernel/json.ts'
import type { FieldPath, FilterNode } from '../ast/filter.ts'
import type { FieldsBranch, FieldsLeaf, FieldsNode, FieldsTree } from '../ast/list-request.ts'
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

/**
 * Takes `limit` elements from `skip` on; without `skip`, the first or (negative) the last `limit`. A negative `skip`
 * counts from the end and stops at the start. https://www.mongodb.com/docs/manual/reference/operator/projection/slice/
 */
export function sliceArray<T = Json>(array: readonly T[], skip: number | null, limit: number): readonly T[] {
  if (skip === null) return limit >= 0 ? array.slice(0, limit) : array.slice(Math.max(0, array.length + limit))
  const from = skip >= 0 ? skip : Math.max(0, array.length + skip)
  return array.slice(from, from + limit)
}

/**
 * Prepares a projection for many documents that the same filter selected. It leaves of a document what `fields` asks for. Fields
 * keep the document's order, except that those of `$elemMatch` come last in an inclusion.
 * https://www.mongodb.com/docs/manual/reference/method/db.collection.find/#projection
 */
export function compileProjection(fields: FieldsNode, filter: FilterNode): (document: JsonObject) => JsonObject {
  const narrowed = fields.positional === null ? null : keepingMatchedElement(fields.positional, filter)
  const matched = [...fields.tree].flatMap(([name, leaf]) =>
    leaf.kind === 'elemMatch' ? [{ name, find: elementFinderOf(leaf.filter, { text: name, parts: [name] }) }] : [],
  )
  return (document) => {
    const source = narrowed === null ? document : narrowed(document)
    const projected = projectObject(source, fields.tree, { mode: fields.mode, inNestedArray: false })
    for (const { name, find } of matched) setMatchedElement(projected, name, document, find(document))
    return projected
  }
}

/** Projects one document. */
export function projectDocument(document: JsonObject, fields: FieldsNode, filter: FilterNode): JsonObject {
  return compileProjection(fields, filter)(document)
}

/** State of the projection. */
interface Spot {
  readonly mode: FieldsNode['mode']
  /** Within an array directly inside an array, which `$slice` leaves alone. */
  readonly inNestedArray: boolean
}

function projectObject(object: JsonObject, tree: FieldsTree, spot: Spot): Record<string, Json> {
  const result: Record<string, Json> = {}
  for (const key of Object.keys(object)) {
    const value = projectField(object[key] as Json, tree.get(key), spot)
    if (value !== undefined) setOwnField(result, key, value)
  }
  return result
}

function projectField(value: Json, node: FieldsBranch | FieldsLeaf | undefined, spot: Spot): Json | undefined {
  if (node === undefined) return spot.mode === 'exclusion' ? value : undefined
  switch (node.kind) {
    case 'include':
      return value
    case 'exclude':
      return undefined
    case 'elemMatch':
      // In an exclusion this holds the place among the other fields; the element is put there after them.
      return spot.mode === 'exclusion' ? null : undefined
    case 'slice':
      return isJsonArray(value) && !spot.inNestedArray ? sliceArray(value, node.skip, node.limit) : value
    case 'branch':
      return projectInside(value, node.children, spot)
  }
}

/** Goes on inside objects and every level of array. A scalar has nothing inside: it stays only where all but the named stays. */
function projectInside(value: Json, tree: FieldsTree, spot: Spot): Json | undefined {
  if (isJsonArray(value)) {
    const nested: Spot = { ...spot, inNestedArray: true }
    return value
      .map((element) => projectInside(element, tree, isJsonArray(element) ? nested : spot))
      .filter((element) => element !== undefined)
  }
  if (isJsonObject(value)) return projectObject(value, tree, spot)
  return spot.mode === 'exclusion' ? value : undefined
}

function setMatchedElement(projected: Record<string, Json>, name: string, document: JsonObject, index: number): void {
  const value = ownField(document, name)
  if (isJsonArray(value) && index >= 0) setOwnField(projected, name, value.slice(index, index + 1))
  else delete projected[name]
}
