/** The scalar types that the leaf index tells apart; one BSON bracket each. */
export type LeafType = 'null' | 'number' | 'string' | 'boolean'
export type LeafValue = null | number | string | boolean

/** One end of a range of leaves. */
export interface LeafBound {
  readonly value: LeafValue
  readonly inclusive: boolean
}

/**
 * Which documents can match a filter, in terms of the leaf index. It may say too many, never too few; when `exact`, it
 * says precisely the documents that match and nothing has to be checked again.
 */
export type Narrowing =
  /** Every document is a candidate: the index does not help. */
  | { readonly kind: 'all'; readonly exact: boolean }
  /** No document can match. */
  | { readonly kind: 'none'; readonly exact: true }
  /** Documents with a leaf at `path` of `type`, within the bounds where there are any. Strings order by UTF-8 bytes. */
  | {
      readonly kind: 'leaf'
      readonly path: string
      readonly type: LeafType
      readonly lower: LeafBound | null
      readonly upper: LeafBound | null
      readonly exact: boolean
    }
  | { readonly kind: 'and'; readonly parts: readonly Narrowing[]; readonly exact: boolean }
  | { readonly kind: 'or'; readonly parts: readonly Narrowing[]; readonly exact: boolean }
