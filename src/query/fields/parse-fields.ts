import { isJsonArray, isJsonObject, type Json, type JsonObject } from '../../kernel/json.ts'
import type { FieldPath, FilterNode } from '../ast/filter.ts'
import type { FieldsLeaf, FieldsNode, FieldsTree } from '../ast/list-request.ts'
import { atIndex, atKey, countClause, type ParseContext, refusal, show } from '../context.ts'
import { QUERY_ERRORS } from '../errors.ts'
import { parseFilterObject } from '../filter/parse-filter.ts'
import { parseFieldName } from '../paths.ts'
import { isExtendedValue, plainValue } from '../values/extended-json.ts'
import { pointsAtElements } from './project-document.ts'

/** Refuses `arr.$` when the filter does not say which element is meant. */
export function assertPositionalAnswerable(
  path: FieldPath,
  filter: FilterNode | undefined,
  context: ParseContext,
): void {
  if (filter !== undefined && pointsAtElements(filter, path)) return
  throw refusal(
    context,
    QUERY_ERRORS.invalidFields,
    `${context.place} asks for the element that matched, but the query has no condition on the elements of ${path.text}.`,
    `Add one to the query, or use {"${path.text}":{"$elemMatch":…}} in fields.`,
  )
}

interface GrowingBranch {
  readonly kind: 'branch'
  readonly children: Map<string, GrowingBranch | FieldsLeaf>
}

/** Grows the tree of a projection path by path, and refuses two paths that say different things about one field. */
export class FieldsTreeBuilder {
  readonly #root: GrowingBranch = { kind: 'branch', children: new Map() }

  add(path: FieldPath, leaf: FieldsLeaf, context: ParseContext): void {
    let branch = this.#root
    for (const part of path.parts.slice(0, -1)) {
      const next = branch.children.get(part) ?? { kind: 'branch', children: new Map() }
      if (next.kind !== 'branch') throw collision(path, context)
      branch.children.set(part, next)
      branch = next
    }
    const last = path.parts.at(-1) ?? ''
    if (branch.children.has(last)) throw collision(path, context)
    branch.children.set(last, leaf)
  }

  /** `_id` belongs to every inclusion that does not mention it. */
  includeIdUnlessNamed(): void {
    if (!this.#root.children.has('_id')) this.#root.children.set('_id', { kind: 'include' })
  }

  build(): FieldsTree {
    return this.#root.children
  }
}

function collision(path: FieldPath, context: ParseContext): Error {
  return refusal(
    context,
    QUERY_ERRORS.invalidFields,
    `${show(path.text)} at ${context.place} collides with another path: one is the same field or lies within the other.`,
    'Name each field once, by the shorter or by the longer path.',
  )
}

/** One field of a projection after its value was read: at most one of the forms that MongoDB's `find` has. */
type ProjectionEntry =
  | { readonly kind: 'leaf'; readonly path: FieldPath; readonly leaf: FieldsLeaf; readonly context: ParseContext }
  | { readonly kind: 'positional'; readonly path: FieldPath; readonly context: ParseContext }

const ALLOWED = 'A field takes 1 or 0 (true or false), {"$slice":…}, {"$elemMatch":…} or an object of fields.'

/** Reads `fields`; null when it is empty and so asks for whole documents. `filter` is what `arr.$` refers to. */
export function parseFields(json: Json, context: ParseContext, filter?: FilterNode): FieldsNode | null {
  if (!isJsonObject(json)) {
    throw refusal(context, QUERY_ERRORS.notAnObject, `${context.place} must be an object, given ${show(json)}.`)
  }
  const entries = [...readEntries(json, '', context)]
  if (entries.length === 0) return null
  const mode = modeOf(entries)
  const builder = new FieldsTreeBuilder()
  for (const entry of entries) {
    assertFits(entry, mode, entry.context)
    builder.add(entry.path, entry.kind === 'leaf' ? entry.leaf : { kind: 'include' }, entry.context)
  }
  if (mode === 'inclusion') builder.includeIdUnlessNamed()
  const positional = positionalOf(entries)
  if (positional !== null) assertPositionalAnswerable(positional.path, filter, positional.context)
  return { mode, tree: builder.build(), positional: positional?.path ?? null }
}

/** Lists the fields with their whole paths, the nested form `{"a":{"b":1}}` taken apart into `a.b`. */
function* readEntries(object: JsonObject, prefix: string, context: ParseContext): Generator<ProjectionEntry> {
  for (const [name, value] of Object.entries(object)) {
    const at = atKey(context, name)
    countClause(at)
    const text = prefix + name
    if (name === '$' || name.endsWith('.$')) yield positionalEntry(text, value, at)
    else if (isJsonObject(value) && !isExtendedValue(value))
      yield* readObject(parseFieldName(text, at), value, at, context)
    else yield { kind: 'leaf', path: parseFieldName(text, at), leaf: parseFlag(value, at), context: at }
  }
}

/** A nested object is either one operator or the fields below; depth is bounded by the length of the path it makes. */
function* readObject(
  path: FieldPath,
  value: JsonObject,
  context: ParseContext,
  parent: ParseContext,
): Generator<ProjectionEntry> {
  const names = Object.keys(value)
  if (names.length === 0) throw refuse(context, `${context.place} is an empty object, which names no field.`, ALLOWED)
  if (!names.some((name) => name.startsWith('$') && name !== '$')) {
    yield* readEntries(value, `${path.text}.`, context)
    return
  }
  if (names.length > 1) {
    throw refuse(
      context,
      `${context.place} has an operator and other keys: ${show(value)}.`,
      'Give the operator alone.',
    )
  }
  const operator = names[0] ?? ''
  const operand = value[operator] ?? null
  if (operator === '$slice') {
    yield { kind: 'leaf', path, leaf: parseSlice(operand, atKey(context, operator)), context }
  } else if (operator === '$elemMatch') {
    yield { kind: 'leaf', path, leaf: parseElemMatch(path, value, context, parent), context }
  } else throw refuseOperator(operator, context)
}

function parseFlag(operand: Json, context: ParseContext): FieldsLeaf {
  const value = plainValue(operand, context)
  if (typeof value === 'boolean' || typeof value === 'number') return { kind: value ? 'include' : 'exclude' }
  throw refuse(context, `${context.place} is ${show(value)}: computed fields are not supported.`, ALLOWED)
}

function refuseOperator(operator: string, context: ParseContext): Error {
  return refusal(
    atKey(context, operator),
    QUERY_ERRORS.unsupportedOperator,
    `${show(operator)} at ${context.place} is not supported: fields cannot be computed.`,
    ALLOWED,
  )
}

function parseSlice(given: Json, context: ParseContext): FieldsLeaf {
  const operand = isJsonArray(given)
    ? given.map((item, index) => plainValue(item, atIndex(context, index)))
    : plainValue(given, context)
  if (Number.isInteger(operand)) return { kind: 'slice', skip: null, limit: operand as number }
  if (isJsonArray(operand) && operand.length === 2 && operand.every(Number.isInteger)) {
    const [skip, limit] = operand as readonly [number, number]
    if (limit > 0) return { kind: 'slice', skip, limit }
    throw refuse(context, `The number of elements at ${context.place} must be positive, given ${limit}.`)
  }
  throw refuse(context, `${context.place} must be an integer or a pair [skip, limit] of them, given ${show(operand)}.`)
}

/** Reads the condition in the words of a filter on the field, so that it means and refuses the same. */
function parseElemMatch(path: FieldPath, value: JsonObject, context: ParseContext, parent: ParseContext): FieldsLeaf {
  if (path.parts.length > 1) {
    throw refuse(context, `$elemMatch at ${context.place} is on a nested field.`, 'It works on top-level fields only.')
  }
  return { kind: 'elemMatch', filter: parseFilterObject({ [path.text]: value }, parent) }
}

function positionalEntry(text: string, operand: Json, context: ParseContext): ProjectionEntry {
  const value = plainValue(operand, context)
  if (text === '$') throw refuse(context, `${context.place} names no array before the $.`)
  const path = parseFieldName(text.slice(0, -2), context)
  if (value === true || (typeof value === 'number' && value !== 0)) return { kind: 'positional', path, context }
  throw refuse(context, `${context.place} must be 1, given ${show(value)}.`, 'A positional field can only be included.')
}

/** Inclusion or exclusion, as the first plain field says; else as `_id` does; `$slice` alone keeps other fields, `$elemMatch` does not. */
function modeOf(entries: readonly ProjectionEntry[]): FieldsNode['mode'] {
  const kinds = (list: readonly ProjectionEntry[]) =>
    list.map((entry) => (entry.kind === 'leaf' ? entry.leaf.kind : 'include'))
  const others = kinds(entries.filter((entry) => entry.path.text !== '_id'))
  const plain = others.find((kind) => kind === 'include' || kind === 'exclude')
  if (plain !== undefined) return plain === 'include' ? 'inclusion' : 'exclusion'
  if (kinds(entries).includes('include')) return 'inclusion'
  return others.includes('elemMatch') && !others.includes('slice') ? 'inclusion' : 'exclusion'
}

function assertFits(entry: ProjectionEntry, mode: FieldsNode['mode'], context: ParseContext): void {
  const kind = entry.kind === 'positional' ? 'positional' : entry.leaf.kind
  if (kind === 'slice' || kind === 'elemMatch' || entry.path.text === '_id') return
  if ((kind === 'exclude') === (mode === 'exclusion')) return
  const what = kind === 'exclude' ? 'excludes a field' : kind === 'include' ? 'includes a field' : 'includes an element'
  throw refuse(
    context,
    `${context.place} ${what}, but another field is ${mode === 'exclusion' ? 'excluded' : 'included'}.`,
    'Use all 1 or all 0; only _id may differ.',
  )
}

function positionalOf(entries: readonly ProjectionEntry[]): ProjectionEntry | null {
  const [first, second] = entries.filter((entry) => entry.kind === 'positional')
  if (first === undefined) return null
  if (second !== undefined) {
    throw refuse(second.context, `${second.context.place} is the second positional field; only one is possible.`)
  }
  const elemMatch = entries.find((entry) => entry.kind === 'leaf' && entry.leaf.kind === 'elemMatch')
  if (elemMatch !== undefined) {
    throw refuse(elemMatch.context, `${elemMatch.context.place} has $elemMatch beside a positional field.`, 'Use one.')
  }
  return first
}

function refuse(context: ParseContext, message: string, hint?: string): Error {
  return refusal(context, QUERY_ERRORS.invalidFields, message, hint)
}
