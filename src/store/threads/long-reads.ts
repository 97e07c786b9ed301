import { isOf } from '../../kernel/errors.ts'
import type { Log } from '../../kernel/log.ts'
import type { Reading } from '../../kernel/metrics.ts'
import type { Shares } from '../../kernel/turns.ts'
import { describeShape } from '../../query/ast/list-request.ts'
import type { Survey, SurveyFound } from '../../query/ast/survey.ts'
import type { QueryPlan } from '../../query/plan.ts'
import { STORE_ERRORS } from '../errors.ts'
import { STORE_EVENTS } from '../events.ts'
import { takeBytes, withRoom } from '../limits.ts'
import { STORE_METRICS } from '../metrics.ts'
import type { Page, ReadTerms, RunReport } from '../port/record-store.ts'
import type { ChunkHandle, ColumnCache } from '../segments/column-cache.ts'
import type { LongResults, ReadPageResult } from './read-job.ts'
import { type JobTerms, type ReaderPoolFigures, type RunJob, SERVER } from './reader-pool.ts'

export interface ReadCounts {
  /** Pages, by the thread that found them. */
  readonly pages: { request: number; reader: number }
  /** Columns that pages looked at, those of them that had to be read first, and documents that were read because columns could not tell. */
  columns: number
  loaded: number
  byDocument: number
  /** Pages and counts that went to a reader thread. */
  long: number
  timeOuts: number
}

export interface LongReadsTerms {
  readonly timeBudgetMs: number
  readonly noteSlow: NoteSlowQuery
  /** Counts what users hold in memory. */
  readonly bytes: Shares
  /** Chunks that a plan needs, as far as they are at hand. */
  readonly atHand: (plan: QueryPlan, survey?: Survey) => readonly ChunkHandle[]
}

/** Numbers that a slice is given: more than it gets through would be copied in vain. */
const NUMBERS_OF_A_SLICE = 4096

/** Reads on reader threads what takes too long for the request thread, and counts what has been read on either. */
export class LongReads<State> {
  readonly #pool: RunJob<LongResults<State>>
  readonly #terms: LongReadsTerms
  readonly counts: ReadCounts = {
    pages: { request: 0, reader: 0 },
    columns: 0,
    loaded: 0,
    byDocument: 0,
    long: 0,
    timeOuts: 0,
  }

  constructor(pool: RunJob<LongResults<State>>, terms: LongReadsTerms) {
    this.#pool = pool
    this.#terms = terms
  }

  /** `started`: when the page was first asked for, as `performance.now()` has it. For a large one room is taken before it is made. */
  async page(plan: QueryPlan, terms: ReadTerms | undefined, started: number): Promise<Page> {
    const { page: read } = await this.#run(
      { task: 'page', plan, terms, started },
      (job) =>
        withRoom<ReadPageResult>(this.#terms.bytes, job.user, (mostBytes) =>
          this.#pool.run({ kind: 'page', ...this.#columnar(plan), mostBytes }, job),
        ),
      ({ page }) => page.report,
    )
    const report = { ...read.report, milliseconds: performance.now() - started }
    const page = { ...read, documents: asBuffer(read.documents), report }
    this.notePage(page)
    return page
  }

  async count(plan: QueryPlan, terms: ReadTerms | undefined, started: number): Promise<number> {
    return this.#run({ task: 'count', plan, terms, started }, (job) =>
      this.#pool.run({ kind: 'count', ...this.#columnar(plan) }, job),
    )
  }

  async survey<Asked extends Survey>(
    plan: QueryPlan,
    survey: Asked,
    terms: ReadTerms | undefined,
    started: number,
  ): Promise<SurveyFound<Asked>> {
    const found = await this.#run({ task: 'survey', plan, terms, started }, (job) =>
      this.#pool.run({ kind: 'survey', survey, ...this.#columnar(plan, survey) }, job),
    )
    return found as SurveyFound<Asked>
  }

  /** Reads all that a plan matches as NDJSON, a slice at a time; between slices neither a thread nor a state of the database is held. */
  async *stream(plan: QueryPlan, terms: ReadTerms | undefined): AsyncGenerator<Buffer, void> {
    const job = terms ?? NOBODY
    const { bytes } = this.#terms
    const { numbers, state } = await this.#pool.run({ kind: 'export-begin', plan }, job)
    takeBytes(bytes, job.user, numbers.byteLength)
    try {
      for (let at = 0; at < numbers.length; ) {
        const from = { numbers: numbers.slice(at, at + NUMBERS_OF_A_SLICE), state }
        const slice = await this.#pool.run({ kind: 'export-slice', plan, from }, job)
        if (slice.bytes.length > 0) yield asBuffer(slice.bytes)
        at += slice.done
      }
    } finally {
      bytes.give(job.user, numbers.byteLength)
    }
  }

  /** Counts a page, wherever it was found. */
  notePage({ report }: Page): void {
    const { counts } = this
    counts.pages[report.thread] += 1
    counts.columns += report.columns
    counts.loaded += report.loaded
    counts.byDocument += report.byDocument
  }

  /** Counts a query that was given up, wherever it ran, and tells of it where it took long. */
  noteFailure(query: SlowQuery, error: unknown): void {
    if (isOf(STORE_ERRORS.timeBudget, error)) this.counts.timeOuts += 1
    this.#terms.noteSlow(query, 'given up')
  }

  async #run<Read>(
    query: SlowQuery,
    run: (job: typeof NOBODY) => Promise<Read>,
    reportOf: (read: Read) => RunReport | undefined = () => undefined,
  ): Promise<Read> {
    this.counts.long += 1
    try {
      const read = await run(query.terms ?? NOBODY)
      this.#terms.noteSlow(query, 'answered', reportOf(read))
      return read
    } catch (error) {
      this.noteFailure(query, error)
      throw error
    }
  }

  /** Plan for a reader thread, with its budget and the columns that need not be read once more. */
  #columnar(plan: QueryPlan, survey?: Survey) {
    return { plan, budgetMs: this.#terms.timeBudgetMs, chunks: this.#terms.atHand(plan, survey) }
  }
}

const NOBODY: JobTerms & { readonly user: string } = { user: SERVER }

function asBuffer(bytes: Uint8Array): Buffer {
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength)
}

export function readingMetrics(
  { pages, columns, loaded, byDocument, long, timeOuts }: ReadCounts,
  { threads, busy, waiting }: ReaderPoolFigures,
  atHand: Pick<ColumnCache, 'bytes'>,
): readonly Reading[] {
  return [
    [STORE_METRICS.pages, Object.entries(pages)],
    [STORE_METRICS.columns, columns],
    [STORE_METRICS.columnsLoaded, loaded],
    [STORE_METRICS.documentsRead, byDocument],
    [STORE_METRICS.columnBytes, atHand.bytes],
    [STORE_METRICS.longReads, long],
    [STORE_METRICS.timeOuts, timeOuts],
    [STORE_METRICS.readerThreads, threads],
    [STORE_METRICS.readersBusy, busy],
    [STORE_METRICS.readersWaiting, waiting],
  ]
}

/** A query that may turn out to be slow. */
export interface SlowQuery {
  readonly task: 'page' | 'count' | 'survey'
  readonly plan: QueryPlan
  readonly terms: ReadTerms | undefined
  /** Time when it was asked, as `performance.now()` has it. */
  readonly started: number
}

/** Notes the end of a query. */
export type NoteSlowQuery = (query: SlowQuery, outcome: 'answered' | 'given up', report?: RunReport) => void

/** Makes the teller of queries that took so many milliseconds; with 0 it tells of none. Nobody waits for what the server asks by itself: that is told where it was given up. */
export function slowQueryTeller(log: Log, slowMs: number): NoteSlowQuery {
  return ({ task, plan, terms, started }, outcome, report) => {
    const milliseconds = performance.now() - started
    if (slowMs === 0 || milliseconds < slowMs) return
    if (terms === undefined && outcome === 'answered') return
    log.tell(STORE_EVENTS.querySlow, {
      request: terms?.request ?? null,
      task,
      collection: plan.collection,
      milliseconds: Math.round(milliseconds),
      shape: describeShape(plan),
      outcome,
      columnsLoaded: report?.loaded ?? null,
      byDocument: report?.byDocument ?? null,
    })
  }
}
