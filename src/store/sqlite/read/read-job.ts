import type { ErrorData, ErrorSpec } from '../../../kernel/errors.ts'
import type { PackedPlan } from '../../../query/plan/packed-plan.ts'
import type { Page } from '../../port/record-store.ts'
import type { ReadPage } from './read-page.ts'
import type { BuiltList, ListJob } from './rows/row-lists.ts'

/** What a reader thread is started with. */
export interface ReadThreadData {
  readonly file: string
  readonly usesCompounds: boolean
}

/** What a reader thread is asked to do; plain data, so that it can cross threads. */
export type ReadJob =
  | { readonly kind: 'page'; readonly plan: PackedPlan; readonly deadline: number; readonly budgetMs: number }
  | { readonly kind: 'count'; readonly plan: PackedPlan; readonly deadline: number; readonly budgetMs: number }
  /** Starts a stream that the thread keeps until it is read to the end or ended. */
  | { readonly kind: 'stream-start'; readonly stream: number; readonly plan: PackedPlan }
  | { readonly kind: 'stream-next'; readonly stream: number }
  | { readonly kind: 'stream-end'; readonly stream: number }
  | { readonly kind: 'list'; readonly of: ListJob }
  | { readonly kind: 'check' }
  | { readonly kind: 'backup'; readonly target: string }

/** What each kind of job answers. */
export interface ReadResults {
  page: { readonly page: Omit<Page, 'documents'> & { readonly documents: Uint8Array } } & Pick<ReadPage, 'compound'>
  count: number
  'stream-start': null
  /** Null after the last chunk; an empty chunk says that the search goes on. */
  'stream-next': Uint8Array | null
  'stream-end': null
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
}

export type ReadAnswer =
  | { readonly number: number; readonly progress: readonly [done: number, total: number] }
  | { readonly number: number; readonly result: ReadResult }
  | { readonly number: number; readonly failure: ReadFailure }
