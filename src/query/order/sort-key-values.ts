import type { Json } from '../../kernel/json.ts'

/**
 * What a document sorts by under one key. A missing field is null. `undefined` stands for an empty array, which has no
 * element to sort by and comes before null.
 */
export type SortValue = Json | undefined

/** What a document sorts by, one value per key of the sort. */
export type SortKeyValues = readonly SortValue[]
