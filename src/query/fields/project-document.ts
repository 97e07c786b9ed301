import { isJsonArray, isJsonObject, type Json, type JsonObject, ownField, setOwnField } from '../../kernel/json.ts'
import type { FieldsBranch, FieldsLeaf, FieldsNode, FieldsTree } from '../ast/fields.ts'
import type { FilterNode } from '../ast/filter.ts'
import { elementFinderOf } from './element-conditions.ts'
import { keepingMatchedElement } from './keep-matched-element.ts'
import { sliceArray } from './slice-array.ts'

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

/** Where the projection has come to. */
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
