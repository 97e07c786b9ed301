import type { Warning } from '../../kernel/warnings.ts'
import type { FieldPath, FilterNode, PredicateNode } from './filter.ts'

/** One key of a sort; ties after the last key fall back to natural (insertion) order. */
export interface SortKey {
  readonly path: FieldPath
  readonly direction: 1 | -1
}

/** List request: stations 2 and 3 of the life of a request. */
export interface ListRequest {
  readonly filter: FilterNode
  /** Empty: natural order. */
  readonly sort: readonly SortKey[]
  /** Null: whole documents. */
  readonly fields: FieldsNode | null
  readonly skip: number
  readonly limit: number
  /** End of the page before this one, as `Page.next` told it; without it, the first page. Not together with `skip`. */
  readonly after?: string | null
  /** True: what would be answered with a warning is refused. */
  readonly strict?: boolean
  /** Warnings found while reading the request. */
  readonly remarks?: readonly Warning[]
}

/** Fields of an answer, after parsing: a tree along the paths. */
export interface FieldsNode {
  /** Inclusion keeps only what the tree names; exclusion keeps everything else. `_id` is in the tree like the others. */
  readonly mode: 'inclusion' | 'exclusion'
  readonly tree: FieldsTree
  /** `arr.$`: of the array at this path, only the first element that the filter matched is kept; null without it. */
  readonly positional: FieldPath | null
}

/** Action for each named field of an object; a map, because field names are data. */
export type FieldsTree = ReadonlyMap<string, FieldsBranch | FieldsLeaf>

/** The tree goes on inside the field. */
export interface FieldsBranch {
  readonly kind: 'branch'
  readonly children: FieldsTree
}

export type FieldsLeaf =
  | { readonly kind: 'include' }
  | { readonly kind: 'exclude' }
  /** `$slice`: `skip` null is the first (or, negative, the last) `limit` elements. */
  | { readonly kind: 'slice'; readonly skip: number | null; readonly limit: number }
  /** `$elemMatch`: `filter` is the condition on the field itself, as a filter over a document with that field only. */
  | { readonly kind: 'elemMatch'; readonly filter: FilterNode }

/** Beyond it, a shape tells nothing that is worth its place in a line. */
const LONGEST = 600

/** Tells what a list asks without values: `lattice.a $gt and (name $regex or tags $in 3); sort -lattice.a; limit 50`. */
export function describeShape({ filter, sort, fields, skip, limit }: ListRequest): string {
  const order = sort.map(({ path, direction }) => (direction === 1 ? path.text : `-${path.text}`)).join(', ')
  const parts = [
    shapeOf(filter),
    ...(order === '' ? [] : [`sort ${order}`]),
    ...(fields === null ? [] : ['fields']),
    ...(skip === 0 ? [] : [`skip ${skip}`]),
    `limit ${limit}`,
  ]
  const text = parts.join('; ')
  return text.length > LONGEST ? `${text.slice(0, LONGEST)}…` : text
}

function shapeOf(filter: FilterNode): string {
  switch (filter.kind) {
    case 'and':
      return filter.clauses.length === 0 ? 'everything' : joined(filter.clauses, ' and ')
    case 'or':
      return `(${joined(filter.clauses, ' or ')})`
    case 'nor':
      return `not (${joined(filter.clauses, ' or ')})`
    case 'field':
      return `${filter.path.text} ${predicateShape(filter.predicate)}`
    case 'expr':
      return '$expr'
  }
}

function joined(clauses: readonly FilterNode[], word: string): string {
  return clauses.map(shapeOf).join(word)
}

function predicateShape(predicate: PredicateNode): string {
  const { operator } = predicate
  switch (operator) {
    case '$in':
      return `$in ${predicate.values.length + predicate.patterns.length}`
    case '$not':
    case '$all':
      return `${operator} (${predicate.predicates.map(predicateShape).join(', ')})`
    case '$elemMatch':
      return predicate.form === 'object'
        ? `$elemMatch (${shapeOf(predicate.filter)})`
        : `$elemMatch (${predicate.predicates.map(predicateShape).join(', ')})`
    default:
      return operator
  }
}
