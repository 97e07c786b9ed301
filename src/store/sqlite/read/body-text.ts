import type { SqlFragment } from '../../../query/sql/sql-fragment.ts'

/** How documents of a page are written inside SQLite. */
export interface BodyText {
  /** What is left of a document, over `body.doc`; null where only parsing can tell. */
  readonly text: SqlFragment
  /** Between what is left of two documents, and around all. */
  readonly open: string
  readonly between: string
  readonly close: string
}
