import { isJsonArray, isJsonObject, type Json, type JsonObject, ownField, setOwnField } from '../../kernel/json.ts'
import type { FieldsBranch, FieldsLeaf, FieldsNode, FieldsTree } from '../ast/fields.ts'
import type { FilterNode } from '../ast/filter.ts'
import { matches } from '../match/matches.ts'
import { keepMatchedElement } from './keep-matched-element.ts'
import { sliceArray } from './slice-array.ts'

type Mode = FieldsNode['mode']

/** Prepares a projection for many documents that the same filter selected. */
export function compileProjection(fields: FieldsNode, filter: FilterNode): (document: JsonObject) => JsonObject {
  return (document) => projectDocument(document, fields, filter)
}

/**
 * Leaves of a document what `fields` asks for. Fields keep the document's order, except that those of `$elemMatch` come
 * last. https://www.mongodb.com/docs/manual/reference/method/db.collection.find/#projection
 */
export function projectDocument(document: JsonObject, fields: FieldsNode, filter: FilterNode): JsonObject {
  const source = fields.positional === null ? document : keepMatchedElement(document, fields.positional, filter)
  const projected = projectObject(source, fields.tree, fields.mode)
  for (const [name, leaf] of fields.tree) {
    if (leaf.kind === 'elemMatch') addMatchedElement(projected, name, leaf.filter, ownField(document, name))
  }
  return projected
}

function projectObject(object: JsonObject, tree: FieldsTree, mode: Mode): Record<string, Json> {
  const result: Record<string, Json> = {}
  for (const key of Object.keys(object)) {
    const value = projectField(object[key] as Json, tree.get(key), mode)
    if (value !== undefined) setOwnField(result, key, value)
  }
  return result
}

function projectField(value: Json, node: FieldsBranch | FieldsLeaf | undefined, mode: Mode): Json | undefined {
  if (node === undefined) return mode === 'exclusion' ? value : undefined
  switch (node.kind) {
    case 'include':
      return value
    case 'exclude':
    // Added after the other fields.
    case 'elemMatch':
      return undefined
    case 'slice':
      return isJsonArray(value) ? sliceArray(value, node.skip, node.limit) : value
    case 'branch':
      return projectInside(value, node.children, mode)
  }
}

/** Goes on inside objects and every level of array. A scalar has nothing inside: it stays only where all but the named stays. */
function projectInside(value: Json, tree: FieldsTree, mode: Mode): Json | undefined {
  if (isJsonArray(value)) {
    return value.map((element) => projectInside(element, tree, mode)).filter((element) => element !== undefined)
  }
  if (isJsonObject(value)) return projectObject(value, tree, mode)
  return mode === 'exclusion' ? value : undefined
}

function addMatchedElement(
  projected: Record<string, Json>,
  name: string,
  filter: FilterNode,
  value: Json | undefined,
): void {
  if (!isJsonArray(value)) return
  const element = value.find((candidate) => matches(filter, { [name]: [candidate] }))
  if (element !== undefined) setOwnField(projected, name, [element])
}
