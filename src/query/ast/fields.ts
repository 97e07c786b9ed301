import type { FilterNode } from './filter.ts'

/** Which fields an answer carries, after parsing: a tree along the paths. */
export interface FieldsNode {
  /** Inclusion keeps only the named fields; exclusion keeps all but the named ones. */
  readonly mode: 'inclusion' | 'exclusion'
  readonly includeId: boolean
  readonly tree: FieldsTree
  /** `arr.$`: the path of the array of which the first element that the filter matched is kept; null without it. */
  readonly positional: string | null
}

export interface FieldsTree {
  readonly [key: string]: FieldsLeaf | { readonly kind: 'branch'; readonly children: FieldsTree }
}

export type FieldsLeaf =
  | { readonly kind: 'include' }
  | { readonly kind: 'exclude' }
  /** `$slice`: `skip` null is the first (or, negative, the last) `limit` elements. */
  | { readonly kind: 'slice'; readonly skip: number | null; readonly limit: number }
  | { readonly kind: 'elemMatch'; readonly predicate: import('./filter.ts').PredicateOf<'$elemMatch'> }
  | { readonly kind: 'positional'; readonly filter: FilterNode | null }
