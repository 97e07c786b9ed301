import type { Json } from '../../src/kernel/json.ts'
import type { DocumentSet, FilterCase } from './case.ts'

/** A case without its documents: name, filter, the names of what it selects. */
export type FilterRow = readonly [name: string, filter: Json, selects: readonly string[]]

/** Asks many filters of one set of documents. */
export function over(documents: DocumentSet, rows: readonly FilterRow[]): FilterCase[] {
  return rows.map(([name, filter, selects]) => ({ name, documents, filter, selects }))
}

/** Names all documents of a set but some. */
export function allBut(documents: DocumentSet, names: readonly string[]): string[] {
  return Object.keys(documents).filter((name) => !names.includes(name))
}
