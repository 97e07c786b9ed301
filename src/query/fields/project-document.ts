import { AppError } from '../../kernel/errors.ts'
import { isJsonArray, isJsonObject, type Json, type JsonObject, ownField, setOwnField } from '../../kernel/json.ts'
import type { FieldNode, FieldPath, FilterNode, PredicateNode } from '../ast/filter.ts'
import type { FieldsBranch, FieldsLeaf, FieldsNode, FieldsTree } from '../ast/list-request.ts'
import { QUERY_ERRORS } from '../errors.ts'
import { compileElementFinder, matches } from '../filter/match.ts'
import { arrayIndexOf } from '../paths.ts'

/** Tells whether whatever matches the filter does so by conditions that single elements of the array can satisfy. */
export function pointsAtElements(filter: FilterNode, path: FieldPath): boolean {
  switch (filter.kind) {
    case 'and':
      return filter.clauses.some((clause) => pointsAtElements(clause, path))
    case 'or':
      return filter.clauses.every((clause) => pointsAtElements(clause, path))
    case 'field':
      return elementConditionsOf(filter, path).length > 0
    // Negations, and expressions over the whole document, point at no element.
    case 'nor':
    case 'expr':
      return false
  }
}

/** Finds the index of the element by which a document matched; -1 for none. */
export type ElementFinder = (document: JsonObject) => number

/** Prepares the search for the element that matched: by the last of several conditions, and by the foremost of the branches of `$or`. */
export function elementFinderOf(filter: FilterNode, path: FieldPath): ElementFinder {
  switch (filter.kind) {
    case 'and':
      return lastFound(filter.clauses.map((clause) => elementFinderOf(clause, path)))
    case 'or':
      return firstFound(filter.clauses.map((clause) => whereItHolds(clause, elementFinderOf(clause, path))))
    case 'field':
      return lastFound(elementConditionsOf(filter, path).map(compileElementFinder))
    case 'nor':
    case 'expr':
      return () => -1
  }
}

/** A branch of `$or` that does not hold as a whole points at nothing, whatever its parts found. */
function whereItHolds(clause: FilterNode, find: ElementFinder): ElementFinder {
  return (document) => (matches(clause, document) ? find(document) : -1)
}

function lastFound(finders: readonly ElementFinder[]): ElementFinder {
  return (document) => finders.map((find) => find(document)).findLast((index) => index >= 0) ?? -1
}

function firstFound(finders: readonly ElementFinder[]): ElementFinder {
  return (document) => {
    const found = finders.map((find) => find(document)).filter((index) => index >= 0)
    return found.length === 0 ? -1 : Math.min(...found)
  }
}

/** `$all` may be met by several elements, so each of its members is a condition of its own. */
function elementConditionsOf(condition: FieldNode, path: FieldPath): readonly FieldNode[] {
  if (!leadsThrough(condition.path, path)) return []
  const { predicate } = condition
  const predicates = predicate.operator === '$all' ? predicate.predicates : [predicate]
  return predicates
    .filter((member) => asksElements(member, condition.path))
    .map((member) => ({ ...condition, predicate: member }))
}

/** One path begins with the other; an index right after the array would pick its element and search none. */
function leadsThrough(condition: FieldPath, array: FieldPath): boolean {
  const shared = Math.min(condition.parts.length, array.parts.length)
  for (let at = 0; at < shared; at++) if (condition.parts[at] !== array.parts[at]) return false
  const after = condition.parts[array.parts.length]
  return after === undefined || arrayIndexOf(after) < 0
}

/** Negations point at nothing; a size is that of a whole array, which can lie within the elements of another. */
function asksElements(predicate: PredicateNode, { parts }: FieldPath): boolean {
  switch (predicate.operator) {
    case '$not':
      return false
    case '$exists':
      return predicate.exists
    case '$size':
      return parts.length > 1
    default:
      return true
  }
}

/** Prepares `arr.$`: of the first array on the path it leaves only the element by which the filter's condition on it holds. */
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

/** Takes elements as `$slice` does: `limit` of them from `skip` on, counted from the end if negative; without it, the first or last. */
export function sliceArray<T = Json>(array: readonly T[], skip: number | null, limit: number): readonly T[] {
  if (skip === null) return limit >= 0 ? array.slice(0, limit) : array.slice(Math.max(0, array.length + limit))
  const from = skip >= 0 ? skip : Math.max(0, array.length + skip)
  return array.slice(from, from + limit)
}

/** Prepares a projection for documents of one filter. Fields keep their order, but those of `$elemMatch` come last in an inclusion. */
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

export function projectDocument(document: JsonObject, fields: FieldsNode, filter: FilterNode): JsonObject {
  return compileProjection(fields, filter)(document)
}

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
