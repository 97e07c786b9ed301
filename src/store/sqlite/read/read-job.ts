import type { ErrorData, ErrorSpec } from '../../../kernel/errors.ts'
import type { QueryPlan } from '../../../query/plan/query-plan.ts'
import type { Page } from '../../port/record-store.ts'
import type { ExportSlice, ExportStart, SliceMakes } from './export-slice.ts'
import type { ReadPage } from './read-page.ts'
import type { BuiltList, ListJob } from './rows/row-lists.ts'

/** What a reader thread is started with. */
export interface ReadThreadData {
  readonly file: string
  readonly usesCompounds: boolean
}

/** What a reader thread is asked to do; plain data, so that it can cross threads. */
export type ReadJob =
  /** Gives how large the page would be when that is more than `mostBytes`. */
  | { readonly kind: 'page'; readonly plan: QueryPlan; readonly budgetMs: number; readonly mostBytes: number }
  | { readonly kind: 'count'; readonly plan: QueryPlan; readonly budgetMs: number }
  | { readonly kind: 'export-begin'; readonly plan: QueryPlan }
  | {
      readonly kind: 'export-slice'
      readonly plan: QueryPlan
      readonly from: ExportStart
      readonly makes: SliceMakes
    }
  | { readonly kind: 'export-order'; readonly parts: readonly Uint8Array[] }
  | { readonly kind: 'list'; readonly of: ListJob }
  | { readonly kind: 'check' }
  | { readonly kind: 'backup'; readonly target: string }

/** What each kind of job answers. */
export interface ReadResults {
  page:
    | ({ readonly page: Omit<Page, 'documents'> & { readonly documents: Uint8Array } } & Pick<ReadPage, 'compound'>)
    | { readonly tooLarge: number }
  count: number
  'export-begin': ExportStart
  'export-slice': ExportSlice
  'export-order': Float64Array
  list: BuiltList | null
  check: readonly string[]
  backup: null
}

export type ReadResult = ReadResults[ReadJob['kind']]

/** An error on its way back: one of the catalogue, or one that nobody foresaw. */
export type ReadFailure =
  | { readonly known: true; readonly spec: ErrorSpec; readonly message: string; readonly data: ErrorData }
  | { readonly known: false; readonly reason: string }

export interface ReadRequest {
  readonly number: number
  readonly job: ReadJob
  /** When a query has taken too long, in milliseconds of Unix time; null where it may take as long as it takes. */
  readonly deadline: number | null
}

export type ReadAnswer =
  | { readonly number: number; readonly progress: readonly [done: number, total: number] }
  | { readonly number: number; readonly result: ReadResult }
  | { readonly number: number; readonly failure: ReadFailure }
