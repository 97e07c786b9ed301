import type { ErrorData, ErrorSpec } from '../../../kernel/errors.ts'
import type { QueryPlan } from '../../../query/plan.ts'
import type { Page } from '../../port/record-store.ts'
import type { ChunkHandle } from '../../segments/column-cache.ts'
import type { MergedSegments } from '../segments/merge-segments.ts'
import type { ExportSlice, ExportStart } from './export-slice.ts'
import type { ThreadMemory } from './reader.ts'

/** What a reader thread is started with. */
export interface ReadThreadData {
  readonly file: string
  readonly memory: ThreadMemory
}

/** A question for which columns are needed: those that the asking thread has at hand come along, as bytes that both threads see. */
interface Columnar {
  readonly plan: QueryPlan
  readonly budgetMs: number
  readonly chunks: readonly ChunkHandle[]
}

/** What a reader thread is asked to do; plain data, so that it can cross threads. */
export type ReadJob =
  /** Gives how large the page would be when that is more than `mostBytes`. */
  | ({ readonly kind: 'page'; readonly mostBytes: number } & Columnar)
  | ({ readonly kind: 'count' } & Columnar)
  | { readonly kind: 'export-begin'; readonly plan: QueryPlan }
  | { readonly kind: 'export-slice'; readonly plan: QueryPlan; readonly from: ExportStart }
  | { readonly kind: 'merge'; readonly segments: readonly number[] }
  | { readonly kind: 'check' }
  | { readonly kind: 'backup'; readonly target: string }

/** The chunks that had to be read for an answer: whoever asked may keep them. */
interface Loaded {
  readonly chunks: readonly ChunkHandle[]
}

export type ReadPageResult = { readonly page: Omit<Page, 'documents'> & { readonly documents: Uint8Array } } & Loaded

/** What each kind of job answers. */
export interface ReadResults {
  page: ReadPageResult | ({ readonly tooLarge: number } & Loaded)
  count: { readonly count: number } & Loaded
  'export-begin': ExportStart
  'export-slice': ExportSlice
  merge: MergedSegments | null
  check: readonly string[]
  backup: null
}

export type ReadResult = ReadResults[ReadJob['kind']]

/** An error on its way back: one of the catalogue, or one that nobody foresaw. */
export type ReadFailure =
  | { readonly known: true; readonly spec: ErrorSpec; readonly message: string; readonly data: ErrorData }
  | { readonly known: false; readonly reason: string }

export interface ReadRequest {
  readonly job: ReadJob
  /** When a query has taken too long, in milliseconds of Unix time; null where it may take as long as it takes. */
  readonly deadline: number | null
}

export type ReadOutcome = { readonly result: ReadResult } | { readonly failure: ReadFailure }
