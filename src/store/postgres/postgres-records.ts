import { isOf } from '../../kernel/errors.ts'
import type { Shares } from '../../kernel/shares.ts'
import type { FilterNode } from '../../query/ast/filter.ts'
import type { QueryPlan, Scope } from '../../query/plan.ts'
import type { FieldKnowledge } from '../../query/warnings/field-knowledge.ts'
import { STORE_ERRORS, storageExceeded } from '../errors.ts'
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
import { ENDLESS_EFFORT, effortUntil, PageTooLarge, timeBudgetError } from '../segments/effort.ts'
import { KnowledgeOfFields } from '../segments/field-knowledge.ts'
import { type TooLarge, withRoom } from '../segments/page-room.ts'
import type { Sign } from '../sign.ts'
import type { NoteSlowQuery } from '../slow-queries.ts'
import { heardFrom } from './base/database.ts'
import { isCanceled, outOfReach } from './base/faults.ts'
import { onceMore } from './base/once-more.ts'
import { Patience } from './base/patience.ts'
import { exportRecords } from './read/export-records.ts'
import { type Homes, homesOf } from './read/homes.ts'
import { countMatches, readPage } from './read/read-page.ts'
import { RecordHistory, readDefault, readRecord } from './read/read-record.ts'
import { ask, type PatientEffort, type Reader } from './read/reader.ts'
import type { RecordWrites } from './write/record-writes.ts'

/** Changes of one bulk write that share a commit; other writers get their turn in between. */
const BULK_CHANGES = 500
/** For whom something is read that nobody has asked for. */
const SERVER = ''
/** The filter that asks for no column. */
const ALL: FilterNode = { kind: 'and', clauses: [] }

interface RecordsTerms {
  readonly timeBudgetMs: number
  readonly noteSlow: NoteSlowQuery
  readonly sign: Sign
  readonly bytes: Shares
}

/** Keeps records in PostgreSQL: what is asked of the columns is computed here. */
export class PostgresRecords implements RecordStore {
  readonly #reader: Reader
  readonly #homes: Homes
  readonly #writes: RecordWrites
  readonly #terms: RecordsTerms
  readonly #history: RecordHistory
  readonly #knowledge: KnowledgeOfFields
  readonly counts = { pages: 0, columns: 0, loaded: 0, byDocument: 0, timeOuts: 0 }

  constructor(reader: Reader, homes: Homes, writes: RecordWrites, terms: RecordsTerms) {
    this.#reader = reader
    this.#homes = homes
    this.#writes = writes
    this.#terms = terms
    this.#history = new RecordHistory(reader)
    this.#knowledge = new KnowledgeOfFields(reader.columns, (askColumns) => askColumns())
  }

  async find(plan: QueryPlan, terms?: ReadTerms): Promise<Page> {
    const asked = { plan, since: terms?.since }
    const page = await this.#timed(plan, terms, 'page', (run) =>
      withRoom<Page>(this.#terms.bytes, terms?.user ?? SERVER, (mostBytes) =>
        readPage(this.#reader, asked, run(mostBytes)).catch(tooLarge),
      ),
    )
    this.counts.pages += 1
    this.counts.columns += page.report.columns
    this.counts.loaded += page.report.loaded
    this.counts.byDocument += page.report.byDocument
    return page
  }

  count(plan: QueryPlan, terms?: ReadTerms): Promise<number> {
    return this.#timed(plan, terms, 'count', (run) => countMatches(this.#reader, { plan, since: terms?.since }, run()))
  }

  async *stream(plan: QueryPlan, terms?: ReadTerms): AsyncIterable<Buffer> {
    const user = terms?.user ?? SERVER
    const { bytes } = this.#terms
    let held = 0
    try {
      yield* exportRecords(this.#reader, plan, (size) => {
        takeBytes(bytes, user, size)
        held += size
      })
    } finally {
      bytes.give(user, held)
    }
  }

  async read(collection: string, scope: Scope, id: string): Promise<StoredRecord | null> {
    return onceMore(() => readRecord(this.#reader, collection, scope, id))
  }

  /** Nothing is found without waiting. */
  glance(): GlancedRecord | null {
    return null
  }

  glanceAtPage(): Page | null {
    return null
  }

  async readDefault(collection: string, scope: Scope, accountId: string): Promise<StoredRecord | null> {
    return readDefault(this.#reader, collection, scope, accountId)
  }

  async history(collection: string, scope: Scope, id: string): Promise<readonly RevisionNote[] | null> {
    return this.#history.notes(collection, scope, id)
  }

  async readRevision(collection: string, scope: Scope, id: string, version: number): Promise<string | null> {
    return this.#history.revision(collection, scope, id, version)
  }

  async listRemoved(collection: string, scope: Scope, skip: number, limit: number): Promise<readonly RemovedEntry[]> {
    return this.#history.removedEntries(collection, scope, skip, limit)
  }

  async readRemoved(collection: string, scope: Scope, id: string): Promise<RemovedRecord | null> {
    return this.#history.removedRecord(collection, scope, id)
  }

  async apply(changes: readonly Change[], by?: Actor, once?: Once): Promise<readonly ChangeResult[]> {
    const results = await this.#writes.submit({ kind: 'apply', changes, deed: this.#terms.sign(by), once })
    this.#homes.noteWritten()
    const full = results.find((result) => result.outcome === 'full')
    if (full !== undefined) throw storageExceeded(full)
    return results
  }

  async applyEach(changes: readonly Change[], by?: Actor): Promise<readonly ChangeResult[]> {
    const deed = this.#terms.sign(by)
    const parts: Promise<readonly ChangeResult[]>[] = []
    for (let start = 0; start < changes.length; start += BULK_CHANGES) {
      parts.push(this.#writes.submit({ kind: 'applyEach', changes: changes.slice(start, start + BULK_CHANGES), deed }))
    }
    const results = await Promise.all(parts)
    this.#homes.noteWritten()
    return results.flat()
  }

  /** It takes a look into the database. */
  changeCounter(): number | null {
    return null
  }

  async readChangeCounter(scope: Scope, since?: number): Promise<number> {
    const states = await this.#homes.ask(homesOf(scope), since)
    return states.reduce((sum, { version }) => sum + version, 0)
  }

  /** It takes a look into the database. */
  glanceAtKnowledge(): KnownFields | null {
    return null
  }

  askKnowledge<Found>(
    collection: string,
    scope: Scope,
    find: (knowledge: FieldKnowledge | null) => Found,
    since?: number,
  ): Promise<Found> {
    const asked = { collection, scope, filter: ALL, sort: [], fields: null, since }
    return ask(this.#reader, asked, ENDLESS_EFFORT, async (question) => {
      question.resume()
      return find(this.#knowledge.of(asked, question.shelves.views).knowledge)
    })
  }

  async #timed<Result>(
    plan: QueryPlan,
    terms: ReadTerms | undefined,
    task: 'page' | 'count',
    run: (begin: (mostBytes?: number) => PatientEffort) => Promise<Result>,
  ): Promise<Result> {
    const { timeBudgetMs, noteSlow } = this.#terms
    const started = performance.now()
    const took = () => performance.now() - started
    const deadline = performance.timeOrigin + started + timeBudgetMs
    const patience = new Patience(
      {
        budgetMs: timeBudgetMs,
        timeUp: () => timeBudgetError(timeBudgetMs),
        silent: outOfReach,
        heard: () => heardFrom(this.#reader.sql),
      },
      terms?.signal,
    )
    try {
      const result = await run((mostBytes) => ({
        ...effortUntil({ deadline, budgetMs: timeBudgetMs, ...(mostBytes === undefined ? {} : { mostBytes }) }),
        thread: 'request',
        patience,
      }))
      noteSlow(plan, terms, { task, milliseconds: took(), report: null })
      return result
    } catch (error) {
      if (isOf(STORE_ERRORS.timeBudget, error) || isCanceled(error)) this.counts.timeOuts += 1
      noteSlow(plan, terms, { task, milliseconds: took(), report: null })
      throw error
    } finally {
      patience.close()
    }
  }
}

function tooLarge(error: unknown): TooLarge {
  if (error instanceof PageTooLarge) return { tooLarge: error.bytes }
  throw error
}
