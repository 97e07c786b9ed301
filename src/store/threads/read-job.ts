import type { ErrorData, ErrorSpec } from '../../kernel/errors.ts'
import type { Survey, SurveyFound } from '../../query/ast/survey.ts'
import type { QueryPlan } from '../../query/plan.ts'
import type { Page } from '../port/record-store.ts'
import type { ChunkHandle } from '../segments/column-cache.ts'
import type { Asker, FieldAnswers, FieldAsk } from '../segments/field-knowledge.ts'

/** A question for which columns are needed: those that the asking thread has at hand come along, as bytes that both threads see. */
interface Columnar {
  readonly plan: QueryPlan
  /** Milliseconds on a processor. */
  readonly budgetMs: number
  readonly chunks: readonly ChunkHandle[]
}

/** Limits of a job, and the columns that come with it. */
export type LimitedJob = Pick<Columnar, 'budgetMs' | 'chunks'> & { readonly mostBytes?: number }

/** Gives how large the page would be when that is more than `mostBytes`. */
export type PageJob = { readonly kind: 'page'; readonly mostBytes: number } & Columnar

export type CountJob = { readonly kind: 'count' } & Columnar

export type SurveyJob = { readonly kind: 'survey'; readonly survey: Survey } & Columnar

/** Questions about fields as a requester sees them. */
export type FieldsJob = {
  readonly kind: 'fields'
  readonly asker: Asker
  readonly asks: readonly FieldAsk[]
  readonly budgetMs: number
}

/** Job for a reader thread of any store; plain data, so that it can cross threads. `State` is how far the data were, as the store tells it. */
export type LongJob<State> =
  | PageJob
  | CountJob
  | SurveyJob
  | { readonly kind: 'export-begin'; readonly plan: QueryPlan }
  | { readonly kind: 'export-slice'; readonly plan: QueryPlan; readonly from: ExportStart<State> }

export interface ExportStart<State> {
  /** The numbers of all that matches, in the order of the plan. */
  readonly numbers: Float64Array
  readonly state: State
}

export interface ExportSlice {
  readonly bytes: Uint8Array
  /** Count of the numbers that were gone through. */
  readonly done: number
}

/** Null while segments are being made. */
export type FieldsResult = FieldAnswers | null

export interface ReadPageResult {
  readonly page: Omit<Page, 'documents'> & { readonly documents: Uint8Array }
}

export interface LongResults<State> {
  page: ReadPageResult | { readonly tooLarge: number }
  count: number
  survey: SurveyFound
  'export-begin': ExportStart<State>
  'export-slice': ExportSlice
}

/** An error on its way back: one of the catalogue, or one that nobody foresaw. */
export type ReadFailure =
  | {
      readonly known: true
      readonly spec: ErrorSpec
      readonly message: string
      readonly data: ErrorData
      /** In the words of what was met first, for the log; null where that is all. */
      readonly cause: string | null
    }
  | { readonly known: false; readonly reason: string }

/** A job; null asks for the number of the thread, as the operating system has it. */
export type ReadRequest<Job> = { readonly job: Job; readonly terms: ThreadTerms } | null

/** Since when a job is done, and for whom. */
export interface ThreadTerms {
  /** Time it was given to the thread, in milliseconds of Unix time. */
  readonly began: number
  /** Its one number is no longer 0 when nobody waits for the answer any more; null where somebody always does. */
  readonly gone: Int32Array | null
}

export type ReadOutcome<Result> = { readonly result: Result } | { readonly failure: ReadFailure }
