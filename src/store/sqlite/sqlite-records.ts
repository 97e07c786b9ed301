import { isOf } from '../../kernel/errors.ts'
import type { Shares } from '../../kernel/shares.ts'
import { type QueryPlan, type Scope, scopeName } from '../../query/plan.ts'
import type { FieldKnowledge } from '../../query/warnings/field-knowledge.ts'
import { repeated, STORE_ERRORS, storageExceeded } from '../errors.ts'
import { takeBytes } from '../held-bytes.ts'
import type { Once } from '../port/answers.ts'
import type { Actor } from '../port/audit.ts'
import type {
  Change,
  ChangeResult,
  GlancedRecord,
  KnownFields,
  Page,
  ReadTerms,
  RecordStore,
  RemovedEntry,
  RemovedRecord,
  RevisionNote,
  StoredRecord,
} from '../port/record-store.ts'
import type { ChunkHandle, SharedChunks } from '../segments/column-cache.ts'
import { shortEffort, TooLongHere } from '../segments/effort.ts'
import { KnowledgeOfFields } from '../segments/field-knowledge.ts'
import { chunksAtHand } from '../segments/shelf-view.ts'
import type { Sign } from '../sign.ts'
import type { NoteSlowQuery } from '../slow-queries.ts'
import { assertOpen } from './base/database.ts'
import { type CurrentState, untilWritten } from './read/current-state.ts'
import { exportStream, LongPages, type LongTask } from './read/long-pages.ts'
import { countRecords } from './read/read-backlog.ts'
import { readPage } from './read/read-page.ts'
import { type RecordHistory, type RecordReader, recordHistory, recordReader } from './read/read-record.ts'
import type { Reader } from './read/reader.ts'
import { type ReaderPool, SERVER } from './read/reader-pool.ts'
import type { WriteQueue } from './write/write-queue.ts'

/** Changes of one bulk write that share a commit; other writers get their turn in between. */
const BULK_CHANGES = 500

/** What has been read so far. */
interface ReadCounts {
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

/** How records are read where it takes long, and in whose name they are written. */
interface RecordsTerms {
  readonly pool: ReaderPool
  readonly timeBudgetMs: number
  readonly noteSlow: NoteSlowQuery
  readonly sign: Sign
  readonly bytes: Shares
  /** The columns that threads share. */
  readonly chunks: SharedChunks
}

/** Keeps records in the SQLite file: short reads here, long ones on reader threads, writes on the writer thread. */
export class SqliteRecords implements RecordStore {
  readonly #reader: Reader
  readonly #state: CurrentState
  readonly #pool: ReaderPool
  readonly #bytes: Shares
  readonly #pages: LongPages
  readonly #writes: WriteQueue
  readonly #timeBudgetMs: number
  readonly #chunks: SharedChunks
  readonly #noteSlow: NoteSlowQuery
  readonly #sign: Sign
  readonly #counts: ReadCounts = {
    pages: { request: 0, reader: 0 },
    columns: 0,
    loaded: 0,
    byDocument: 0,
    long: 0,
    timeOuts: 0,
  }
  readonly #single: RecordReader
  readonly #history: RecordHistory
  readonly #knowledge: KnowledgeOfFields
  readonly #changes: (scope: Scope) => number

  constructor(
    reader: Reader,
    state: CurrentState,
    writes: WriteQueue,
    { pool, timeBudgetMs, noteSlow, sign, bytes, chunks }: RecordsTerms,
  ) {
    this.#reader = reader
    this.#state = state
    this.#pool = pool
    this.#bytes = bytes
    this.#pages = new LongPages(pool, bytes)
    this.#writes = writes
    this.#timeBudgetMs = timeBudgetMs
    this.#chunks = chunks
    this.#noteSlow = noteSlow
    this.#sign = sign
    this.#single = recordReader(reader)
    this.#history = recordHistory(reader)
    this.#knowledge = new KnowledgeOfFields(reader.columns, (ask) => reader.columns.patiently(ask))
    this.#changes = untilWritten(state, scopeName, reader.changesOf)
  }

  /** What has been read so far. */
  get counts(): Readonly<ReadCounts> {
    return this.#counts
  }

  async find(plan: QueryPlan, terms?: ReadTerms): Promise<Page> {
    const started = performance.now()
    const here = terms?.isLong === true ? null : this.glanceAtPage(plan)
    if (here !== null) return here
    this.#counts.long += 1
    const user = terms?.user ?? SERVER
    const { page: read, chunks } = await this.#pages.find(this.#longTask(plan), user).catch((error: unknown) => {
      if (isTimeOut(error)) this.#counts.timeOuts += 1
      this.#noteSlow(plan, terms, { task: 'page', milliseconds: performance.now() - started, report: null })
      throw error
    })
    this.#keep(chunks)
    const report = { ...read.report, milliseconds: performance.now() - started }
    const page = { ...read, documents: asBuffer(read.documents), report }
    this.#notePage(page)
    this.#noteSlow(plan, terms, { task: 'page', milliseconds: report.milliseconds, report })
    return page
  }

  async count(plan: QueryPlan, terms?: ReadTerms): Promise<number> {
    const started = performance.now()
    this.#enter()
    const count = unlessTooLong(() => countRecords(this.#reader, plan, shortEffort()))
    if (count !== null) return count
    this.#counts.long += 1
    return this.#pool
      .run({ kind: 'count', ...this.#longTask(plan) }, terms)
      .then((counted) => {
        this.#keep(counted.chunks)
        return counted.count
      })
      .catch((error: unknown) => {
        if (isTimeOut(error)) this.#counts.timeOuts += 1
        throw error
      })
      .finally(() => {
        this.#noteSlow(plan, terms, { task: 'count', milliseconds: performance.now() - started, report: null })
      })
  }

  async *stream(plan: QueryPlan, terms?: ReadTerms): AsyncIterable<Buffer> {
    const user = terms?.user ?? SERVER
    let held = 0
    const hold = (bytes: number): void => {
      takeBytes(this.#bytes, user, bytes)
      held += bytes
    }
    try {
      const chunks = exportStream((job) => this.#pool.run(job, { user }), plan, hold)
      for await (const chunk of chunks) yield asBuffer(chunk)
    } finally {
      this.#bytes.give(user, held)
    }
  }

  async read(collection: string, scope: Scope, id: string): Promise<StoredRecord | null> {
    this.#enter()
    return this.#single.read(collection, scope, id)
  }

  glance(collection: string, scope: Scope, id: string): GlancedRecord | null {
    this.#enter()
    return this.#single.glance(collection, scope, id)
  }

  glanceAtPage(plan: QueryPlan): Page | null {
    this.#enter()
    const page = unlessTooLong(() => readPage(this.#reader, plan, shortEffort()))
    if (page !== null) this.#notePage(page)
    return page
  }

  async readDefault(collection: string, scope: Scope, accountId: string): Promise<StoredRecord | null> {
    this.#enter()
    return this.#single.readDefault(collection, scope, accountId)
  }

  async history(collection: string, scope: Scope, id: string): Promise<readonly RevisionNote[] | null> {
    this.#enter()
    return this.#history.notes(collection, scope, id)
  }

  async readRevision(collection: string, scope: Scope, id: string, version: number): Promise<string | null> {
    this.#enter()
    return this.#history.revision(collection, scope, id, version)
  }

  async listRemoved(collection: string, scope: Scope, skip: number, limit: number): Promise<readonly RemovedEntry[]> {
    this.#enter()
    return this.#history.removedEntries(collection, scope, skip, limit)
  }

  async readRemoved(collection: string, scope: Scope, id: string): Promise<RemovedRecord | null> {
    this.#enter()
    return this.#history.removedRecord(collection, scope, id)
  }

  async apply(changes: readonly Change[], by?: Actor, once?: Once): Promise<readonly ChangeResult[]> {
    const results = await this.#writes.submit({ kind: 'apply', changes, deed: this.#sign(by), once })
    if (results === 'repeated') throw repeated()
    const full = results.find((result) => result.outcome === 'full')
    if (full !== undefined) throw storageExceeded(full)
    return results
  }

  async applyEach(changes: readonly Change[], by?: Actor): Promise<readonly ChangeResult[]> {
    const deed = this.#sign(by)
    const parts: Promise<readonly ChangeResult[]>[] = []
    for (let start = 0; start < changes.length; start += BULK_CHANGES) {
      parts.push(this.#writes.submit({ kind: 'applyEach', changes: changes.slice(start, start + BULK_CHANGES), deed }))
    }
    return (await Promise.all(parts)).flat()
  }

  changeCounter(scope: Scope): number {
    assertOpen(this.#reader.connection)
    return this.#changes(scope)
  }

  async readChangeCounter(scope: Scope): Promise<number> {
    return this.changeCounter(scope)
  }

  glanceAtKnowledge(collection: string, scope: Scope): KnownFields {
    this.#enter()
    const asker = { collection, scope }
    return this.#knowledge.of(asker, this.#reader.shelvesOf(asker))
  }

  async askKnowledge<Found>(
    collection: string,
    scope: Scope,
    find: (knowledge: FieldKnowledge | null) => Found,
  ): Promise<Found> {
    return find(this.glanceAtKnowledge(collection, scope).knowledge)
  }

  /** Begins a read on the request thread. */
  #enter(): void {
    assertOpen(this.#reader.connection)
    this.#state.hold()
  }

  /** What a reader thread is told: the plan, with the columns that need not be read once more. */
  #longTask(plan: QueryPlan): LongTask {
    const chunks = chunksAtHand(plan, this.#reader.shelvesOf(plan), this.#chunks)
    return { plan, budgetMs: this.#timeBudgetMs, chunks }
  }

  /** What a reader thread has read is at hand from now on. */
  #keep(chunks: readonly ChunkHandle[]): void {
    for (const { segment, chunk, bytes } of chunks) this.#chunks.put(segment, chunk, bytes)
  }

  #notePage({ report }: Page): void {
    const counts = this.#counts
    counts.pages[report.thread] += 1
    counts.columns += report.columns
    counts.loaded += report.loaded
    counts.byDocument += report.byDocument
  }
}

/** Null when the work turns out to be too long for the request thread. */
function unlessTooLong<T>(run: () => T): T | null {
  try {
    return run()
  } catch (error) {
    if (error instanceof TooLongHere) return null
    throw error
  }
}

function asBuffer(bytes: Uint8Array): Buffer {
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength)
}

function isTimeOut(error: unknown): boolean {
  return isOf(STORE_ERRORS.timeBudget, error)
}
