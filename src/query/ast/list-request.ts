import type { Warning } from '../../kernel/warnings.ts'
import type { FieldPath, FilterNode } from './filter.ts'

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
