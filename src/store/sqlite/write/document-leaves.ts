import type { JsonObject } from '../../../kernel/json.ts'
import { type Leaf, walkLeaves } from '../../../query/narrow/leaves.ts'
import { pathTypeOf, storedLeafValue } from '../leaf-key.ts'

/** A row of the leaf index, without the record that it belongs to. */
export interface LeafEntry {
  readonly pathType: number
  readonly value: number | string
}

/** What one document puts into the leaf index and its counters. */
export interface DocumentLeaves {
  /** By a key that is equal for equal entries. */
  readonly entries: ReadonlyMap<string, LeafEntry>
  /** The paths at which the document has exactly one value, a whole scalar. */
  readonly plainPaths: ReadonlySet<number>
  /** The paths at which it has values in an array. */
  readonly severalPaths: ReadonlySet<number>
  /** The paths at which values were left out. */
  readonly partialPaths: ReadonlySet<number>
}

/** Works out what a document puts into the index; `numberOf` gives paths their numbers. */
export function documentLeaves(document: JsonObject, numberOf: (path: string) => number): DocumentLeaves {
  const entries = new Map<string, LeafEntry>()
  const plainPaths = new Set<number>()
  const severalPaths = new Set<number>()
  const partialPaths = new Set<number>()
  const leaf = (found: Leaf): void => {
    const path = numberOf(found.path)
    const pathType = pathTypeOf(path, found.type)
    const value = storedLeafValue(found.value)
    entries.set(`${pathType} ${value}`, { pathType, value })
    if (!found.plain) severalPaths.add(path)
    else if (!found.truncated) plainPaths.add(path)
  }
  walkLeaves(document, { leaf, leftOut: (path) => partialPaths.add(numberOf(path)) })
  return { entries, plainPaths, severalPaths, partialPaths }
}

/** What a record without a document has in the index. */
export const NO_LEAVES: DocumentLeaves = {
  entries: new Map(),
  plainPaths: new Set(),
  severalPaths: new Set(),
  partialPaths: new Set(),
}
