import type { Warning } from '../../kernel/warnings.ts'
import type { FieldsNode } from './fields.ts'
import type { FilterNode } from './filter.ts'
import type { FieldPath } from './path.ts'

/** One key of a sort; ties after the last key fall back to natural (insertion) order. */
export interface SortKey {
  readonly path: FieldPath
  readonly direction: 1 | -1
}

/** What a list action asks: stations 2 and 3 of the life of a request. */
export interface ListRequest {
  readonly filter: FilterNode
  /** Empty: natural order. */
  readonly sort: readonly SortKey[]
  /** Null: whole documents. */
  readonly fields: FieldsNode | null
  readonly skip: number
  readonly limit: number
  /** Where the page before this one ended, as `Page.next` told it; without it, the first page. Not together with `skip`. */
  readonly after?: string | null
  /** True: what would be answered with a warning is refused. */
  readonly strict?: boolean
  /** What reading the request has found already that the client should know. */
  readonly remarks?: readonly Warning[]
}
