import type { SortKey } from '../../../../query/ast/list-request.ts'
import type { Scope } from '../../../../query/plan/scope.ts'
import type { SqlFragment } from '../../../../query/sql/sql-fragment.ts'

/** All records of a collection that a scope sees, in the order of a sort. */
export interface RowOrder {
  readonly kind: 'order'
  /** Row numbers in order. */
  readonly numbers: Uint32Array
  /** The place of each row in that order, from 1, by row number less `first`; 0 where there is no such row. */
  readonly places: Uint32Array
  readonly first: number
}

/** The rows of a selection, as bits by row number less `first`. */
export interface RowSet {
  readonly kind: 'set'
  readonly bits: Uint8Array
  readonly first: number
}

/** A list and the change counter of the state that it was read from. */
export interface BuiltList<List extends RowOrder | RowSet = RowOrder | RowSet> {
  readonly changes: number
  readonly list: List
}

/** What a list is made of; plain data, so that it can cross threads. */
export type ListJob =
  | { readonly kind: 'order'; readonly collection: number; readonly scope: Scope; readonly sort: readonly SortKey[] }
  | { readonly kind: 'set'; readonly scope: Scope; readonly rows: SqlFragment }

export function bytesOf(list: RowOrder | RowSet): number {
  return list.kind === 'order' ? list.numbers.byteLength + list.places.byteLength : list.bits.byteLength
}

/** Tells whether a row is in a set. */
export function hasRow({ bits, first }: RowSet, n: number): boolean {
  const at = n - first
  return at >= 0 && ((bits[at >> 3] ?? 0) & (1 << (at & 7))) !== 0
}

/** The place of a row in an order, from 1; 0 when it is not there. */
export function placeOf({ places, first }: RowOrder, n: number): number {
  return places[n - first] ?? 0
}

/** Brings rows that come after a place into an order, each once; rows that the order does not have are left out. */
export function inOrder(order: RowOrder, rows: readonly number[], after = 0): Uint32Array {
  const places = new Uint32Array(rows.length)
  let found = 0
  for (const n of rows) {
    const place = placeOf(order, n)
    if (place > after) places[found++] = place
  }
  const sorted = places.subarray(0, found).sort()
  let kept = 0
  let previous = 0
  for (const place of sorted) {
    if (place !== previous) sorted[kept++] = order.numbers[place - 1] as number
    previous = place
  }
  return sorted.subarray(0, kept)
}
