import type { SortKey } from '../ast/list-request.ts'
import { compareBson } from '../values/compare-bson.ts'
import type { SortKeyValues, SortValue } from './sort-key-values.ts'

/**
 * Orders two documents by their keys; 0 is a tie, which the caller breaks by natural order, ascending whatever the
 * directions of the sort.
 */
export function compareSortKeys(a: SortKeyValues, b: SortKeyValues, sort: readonly SortKey[]): number {
  for (let position = 0; position < sort.length; position += 1) {
    const order = compareSortValues(a[position], b[position])
    if (order !== 0) return order * (sort[position]?.direction ?? 1)
  }
  return 0
}

/** Orders two values of one key in ascending direction: an empty array is before everything, null included. */
export function compareSortValues(a: SortValue, b: SortValue): number {
  if (a === undefined || b === undefined) return Number(b === undefined) - Number(a === undefined)
  return compareBson(a, b)
}
