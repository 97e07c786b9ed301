import { type SqlFragment, sql } from '../../../query/sql/sql-fragment.ts'
import type { LastRecord } from './after.ts'

/** The records of one page in order: by their numbers, or as rows of an index that are read together with the documents. */
export type PageSource =
  | { readonly kind: 'numbers'; readonly numbers: readonly number[] }
  | { readonly kind: 'ordered'; readonly rows: SqlFragment }

/** A page without records. */
export const NO_RECORDS: PageSource = { kind: 'numbers', numbers: [] }

/** The rows of a page as `n` and `place`, in order; `place` is null where no index was read. */
export function rowsOfPage(source: PageSource): SqlFragment {
  if (source.kind === 'ordered') return source.rows
  return sql`SELECT value AS n, NULL AS place FROM json_each(${JSON.stringify(source.numbers)})`
}

/** The documents of a page as they are sent. */
export interface PageDocuments {
  /** The bytes of a JSON array. */
  readonly documents: Buffer
  readonly count: number
  readonly last: LastRecord | null
}

export const NO_DOCUMENTS: PageDocuments = { documents: Buffer.from('[]'), count: 0, last: null }
