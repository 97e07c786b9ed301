import type { Selection } from '../../../query/sql/selection.ts'

/** Where a plan looks: a collection as one asker sees it, and the candidates there. */
export interface Target {
  readonly collection: number
  readonly scopes: readonly number[] | null
  /** Every record that the asker sees. */
  readonly everything: Selection
  readonly selection: Selection
  /** The asker's change counter in the state of the database that this is about. */
  readonly changes: number
}
