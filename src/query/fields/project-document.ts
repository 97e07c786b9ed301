import { isJsonArray, isJsonObject, type Json, type JsonObject, ownField, setOwnField } from '../../kernel/json.ts'
import type { FieldsBranch, FieldsLeaf, FieldsNode, FieldsTree } from '../ast/fields.ts'
import type { FilterNode } from '../ast/filter.ts'
import { matches } from '../match/matches.ts'
import { keepMatchedElement } from './keep-matched-element.ts'
import { sliceArray } from './slice-array.ts'

/** Prepares a projection for many documents that the same filter selected. */
export function compileProjection(fields: FieldsNode, filter: FilterNode): (document: JsonObject) => JsonObject {
  return (document) => projectDocument(document, fields, filter)
}

/**
 * Leaves of a document what `fields` asks for. Fields keep the document's order, except that those of `$elemMatch` come
 * last in an inclusion. https://www.mongodb.com/docs/manual/reference/method/db.collection.find/#projection
 */
export function projectDocument(document: JsonObject, fields: FieldsNode, filter: FilterNode): JsonObject {
  const source = fields.positional === null ? document : keepMatchedElement(document, fields.positional, filter)
  const projected = projectObject(source, fields.tree, { mode: fields.mode, inNestedArray: false })
  for (const [name, leaf] of fields.tree)
    if (leaf.kind === 'elemMatch') setMatchedElement(projected, name, leaf, document)
  return projected
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

function setMatchedElement(
  projected: Record<string, Json>,
  name: string,
  { filter }: { readonly filter: FilterNode },
  document: JsonObject,
): void {
  const value = ownField(document, name)
  const element = isJsonArray(value) ? value.find((candidate) => matches(filter, { [name]: [candidate] })) : undefined
  if (element !== undefined) setOwnField(projected, name, [element])
  else delete projected[name]
}
