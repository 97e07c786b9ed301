import type { Shares, Turns } from '../../kernel/turns.ts'
import type { FilterNode } from '../../query/ast/filter.ts'
import type { Survey, SurveyFound } from '../../query/ast/survey.ts'
import { isOfRequester, type QueryPlan, type Scope } from '../../query/plan.ts'
import type { FieldKnowledge } from '../../query/warnings/field-knowledge.ts'
import type { Sign } from '../changes/audit-entries.ts'
import { storageExceeded } from '../errors.ts'
import type { Once } from '../port/answers.ts'
import type { Actor } from '../port/audit.ts'
import type {
  Change,
  ChangeResult,
  GivenUpRecords,
  GivenUpTerms,
  Page,
  ReadTerms,
  RecordStore,
  RemovedEntry,
  RemovedRecord,
  RevisionNote,
  StoredRecord,
} from '../port/record-store.ts'
import type { ChunkHandle } from '../segments/column-cache.ts'
import { ENDLESS_EFFORT, shortEffort, TooLongHere } from '../segments/effort.ts'
import { KnowledgeOfFields } from '../segments/field-knowledge.ts'
import { isAlwaysLong } from '../segments/find-records.ts'
import { chunksAtHand } from '../segments/shelf-view.ts'
import { LongReads, type NoteSlowQuery, type ReadCounts, type SlowQuery } from '../threads/long-reads.ts'
import { onceMore } from './base/back-off.ts'
import { patiently } from './base/database.ts'
import { inParts } from './base/each-home.ts'
import { patienceWith } from './base/patience.ts'
import { homesOf, readCollectionMarks } from './read/homes.ts'
import type { PostgresReaders, State } from './read/read-job.ts'
import { countMatches, readPage, surveyRecords } from './read/read-page.ts'
import { RecordHistory, readDefault, readGivenUp, readRecord } from './read/read-record.ts'
import { ask, type Reader } from './read/reader.ts'
import type { PatientEffort } from './read/within.ts'
import type { RecordWrites } from './write/record-writes.ts'

/** Changes of one bulk write that share a commit; other writers get their turn in between. */
const BULK_CHANGES = 500
/** The filter that asks for no column. */
const ALL: FilterNode = { kind: 'and', clauses: [] }

interface RecordsTerms {
  readonly readers: PostgresReaders
  /** Turns of users on the request thread; null: nobody waits for one. */
  readonly turns: Turns | null
  readonly timeBudgetMs: number
  readonly noteSlow: NoteSlowQuery
  readonly sign: Sign
  readonly bytes: Shares
}

/** Keeps records in PostgreSQL: what is short is computed here, between waiting for the server, and what is long on reader threads. */
export class PostgresRecords implements RecordStore {
  readonly #reader: Reader
  readonly #writes: RecordWrites
  readonly #terms: RecordsTerms
  readonly #long: LongReads<State>
  readonly #history: RecordHistory
  readonly #knowledge: KnowledgeOfFields

  constructor(reader: Reader, writes: RecordWrites, terms: RecordsTerms) {
    this.#reader = reader
    this.#writes = writes
    this.#terms = terms
    this.#long = new LongReads(terms.readers, {
      ...terms,
      atHand: (plan, survey) => this.#atHand(plan, survey),
    })
    this.#history = new RecordHistory(reader)
    this.#knowledge = new KnowledgeOfFields(reader.columns)
  }

  get counts(): ReadCounts {
    return this.#long.counts
  }

  async find(plan: QueryPlan, terms?: ReadTerms): Promise<Page> {
    const query = { task: 'page', plan, terms, started: performance.now() } as const
    const asked = { plan, since: terms?.since }
    const page = await this.#here(query, (effort) => readPage(this.#reader, asked, effort))
    if (page === null) return this.#long.page(plan, terms, query.started)
    this.#long.notePage(page)
    this.#terms.noteSlow(query, 'answered', page.report)
    return page
  }

  async count(plan: QueryPlan, terms?: ReadTerms): Promise<number> {
    const query = { task: 'count', plan, terms, started: performance.now() } as const
    const asked = { plan, since: terms?.since }
    const count = await this.#here(query, (effort) => countMatches(this.#reader, asked, effort))
    if (count === null) return this.#long.count(plan, terms, query.started)
    this.#terms.noteSlow(query, 'answered')
    return count
  }

  async survey<Asked extends Survey>(plan: QueryPlan, survey: Asked, terms?: ReadTerms): Promise<SurveyFound<Asked>> {
    const query = { task: 'survey', plan, terms, started: performance.now() } as const
    const asked = { plan, survey, since: terms?.since }
    const here = isAlwaysLong(survey)
      ? null
      : await this.#here(query, (effort) => surveyRecords(this.#reader, asked, effort))
    if (here === null) return this.#long.survey(plan, survey, terms, query.started)
    this.#terms.noteSlow(query, 'answered')
    return here as SurveyFound<Asked>
  }

  stream(plan: QueryPlan, terms?: ReadTerms): AsyncIterable<Buffer> {
    return this.#long.stream(plan, terms)
  }

  async read(collection: string, scope: Scope, id: string): Promise<StoredRecord | null> {
    return onceMore(() => readRecord(this.#reader, collection, scope, id))
  }

  async readGivenUp(collection: string, terms: GivenUpTerms): Promise<GivenUpRecords> {
    return readGivenUp(this.#reader, collection, terms)
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
    this.#reader.homes.noteWritten()
    const full = results.find((result) => result.outcome === 'full')
    if (full !== undefined) throw storageExceeded(full)
    return results
  }

  async applyEach(changes: readonly Change[], by?: Actor): Promise<readonly ChangeResult[]> {
    const deed = this.#terms.sign(by)
    const parts = inParts(changes, BULK_CHANGES)
    const results = await Promise.all(
      parts.map((part) => this.#writes.submit({ kind: 'applyEach', changes: part, deed })),
    )
    this.#reader.homes.noteWritten()
    return results.flat()
  }

  async namedFiles(hashes: readonly string[], signal?: AbortSignal): Promise<ReadonlySet<string>> {
    return new Set(
      await this.#terms.readers.run({ kind: 'named-files', hashes }, signal === undefined ? {} : { signal }),
    )
  }

  async readChangeCounter(scope: Scope, since?: number): Promise<number> {
    const states = await this.#reader.homes.ask(homesOf(scope), since)
    return states.reduce((sum, { version }) => sum + version, 0)
  }

  readCollectionMarks(scope: Scope): Promise<ReadonlyMap<string, string>> {
    return onceMore(() => readCollectionMarks(this.#reader.sql, homesOf(scope)))
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
      return find(this.#knowledge.of(question.shelves.views, { effort: ENDLESS_EFFORT }))
    })
  }

  /** Asks a question on this thread, in turns with other users; null where it takes longer than the thread may give it. */
  async #here<Result>(query: SlowQuery, run: (effort: PatientEffort) => Promise<Result>): Promise<Result | null> {
    const { plan, terms } = query
    if (!isOfRequester(plan)) return null
    const { timeBudgetMs } = this.#terms
    const { sql } = this.#reader
    const patience = patienceWith(sql, { budgetMs: timeBudgetMs }, terms?.signal)
    try {
      return await patiently(sql, run({ ...shortEffort(), patience, ...this.#turnOf(terms) }), timeBudgetMs)
    } catch (error) {
      if (error instanceof TooLongHere) return null
      this.#long.noteFailure(query, error)
      throw error
    } finally {
      patience.close()
    }
  }

  #turnOf(terms: ReadTerms | undefined): Pick<PatientEffort, 'turn'> {
    const { turns } = this.#terms
    return turns === null || terms === undefined ? {} : { turn: () => turns.whenItMayGoOn(terms.user) }
  }

  #atHand(plan: QueryPlan, survey: Survey | undefined): readonly ChunkHandle[] {
    const known = this.#reader.shelves.known(plan.collection, homesOf(plan.scope) ?? [])
    return chunksAtHand({ ...plan, survey }, known, this.#reader.columns)
  }
}
