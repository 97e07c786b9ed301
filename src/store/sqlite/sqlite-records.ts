import type { Shares } from '../../kernel/turns.ts'
import type { Survey, SurveyFound } from '../../query/ast/survey.ts'
import { isOfRequester, type QueryPlan, type RequesterPlan, type Scope, scopeName } from '../../query/plan.ts'
import type { FieldKnowledge } from '../../query/warnings/field-knowledge.ts'
import type { Sign } from '../changes/audit-entries.ts'
import { repeated, storageExceeded } from '../errors.ts'
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
import { type Effort, shortEffort, TooLongHere } from '../segments/effort.ts'
import {
  type Asker,
  askName,
  type FieldAnswer,
  type FieldAnswers,
  type FieldAsk,
  FieldUnknown,
  KnowledgeOfFields,
  knowledgeOf,
} from '../segments/field-knowledge.ts'
import { isAlwaysLong } from '../segments/find-records.ts'
import { chunksAtHand, type ShelfView } from '../segments/shelf-view.ts'
import { LongReads, type NoteSlowQuery, type ReadCounts } from '../threads/long-reads.ts'
import { SERVER } from '../threads/reader-pool.ts'
import { type CurrentState, untilWritten } from './read/current-state.ts'
import type { SingleJob, SqliteReaders, State } from './read/read-job.ts'
import { countRecords, readPage, surveyRecords } from './read/read-page.ts'
import { type SingleReads, singleReads } from './read/read-record.ts'
import type { Reader } from './read/reader.ts'
import type { WriteQueue } from './write/write-queue.ts'

/** Changes of one bulk write that share a commit; other writers get their turn in between. */
const BULK_CHANGES = 500
/** Characters of their texts that go to the writer in one message: memory of a long one stays with the threads that had it. */
const BULK_CHARACTERS = 512 * 1024

function* bulkParts(changes: readonly Change[]): Generator<readonly Change[]> {
  let start = 0
  let characters = 0
  for (const [at, change] of changes.entries()) {
    const length = 'text' in change ? change.text.length : 0
    if (at > start && (at - start === BULK_CHANGES || characters + length > BULK_CHARACTERS)) {
      yield changes.slice(start, at)
      start = at
      characters = 0
    }
    characters += length
  }
  if (start < changes.length) yield changes.slice(start)
}

interface RecordsTerms {
  readonly pool: SqliteReaders
  readonly timeBudgetMs: number
  readonly noteSlow: NoteSlowQuery
  readonly sign: Sign
  readonly bytes: Shares
}

/** Keeps records in the SQLite file: short reads here, long ones on reader threads, writes on the writer thread. */
export class SqliteRecords implements RecordStore {
  readonly #reader: Reader
  readonly #state: CurrentState
  readonly #long: LongReads<State>
  readonly #writes: WriteQueue
  readonly #terms: RecordsTerms
  readonly #single: SingleReads
  readonly #knowledge: KnowledgeOfFields
  readonly #changes: (scope: Scope) => number

  constructor(reader: Reader, state: CurrentState, writes: WriteQueue, terms: RecordsTerms) {
    this.#reader = reader
    this.#state = state
    this.#terms = terms
    this.#long = new LongReads(terms.pool, {
      ...terms,
      atHand: (plan, survey) =>
        isOfRequester(plan) ? chunksAtHand({ ...plan, survey }, heldShelves(reader, plan), reader.columns) : [],
    })
    this.#writes = writes
    this.#single = singleReads(reader)
    this.#knowledge = new KnowledgeOfFields(reader.columns, unlessTooLongFor)
    this.#changes = untilWritten(state, scopeName, reader.changesOf)
  }

  get counts(): ReadCounts {
    return this.#long.counts
  }

  async find(plan: QueryPlan, terms?: ReadTerms): Promise<Page> {
    const started = performance.now()
    this.#enter()
    const page = isOfRequester(plan) ? unlessTooLong(() => readPage(this.#reader, plan, shortEffort())) : null
    if (page === null) return this.#long.page(plan, terms, started)
    this.#long.notePage(page)
    return page
  }

  async count(plan: QueryPlan, terms?: ReadTerms): Promise<number> {
    const started = performance.now()
    this.#enter()
    const count = isOfRequester(plan) ? unlessTooLong(() => countRecords(this.#reader, plan, shortEffort())) : null
    return count ?? this.#long.count(plan, terms, started)
  }

  async survey<Asked extends Survey>(plan: QueryPlan, survey: Asked, terms?: ReadTerms): Promise<SurveyFound<Asked>> {
    const started = performance.now()
    this.#enter()
    const here =
      isAlwaysLong(survey) || !isOfRequester(plan)
        ? null
        : unlessTooLong(() => surveyRecords(this.#reader, { plan, survey }, shortEffort()))
    return (here as SurveyFound<Asked> | null) ?? this.#long.survey(plan, survey, terms, started)
  }

  stream(plan: QueryPlan, terms?: ReadTerms): AsyncIterable<Buffer> {
    return this.#long.stream(plan, terms)
  }

  async read(collection: string, scope: Scope, id: string): Promise<StoredRecord | null> {
    return this.#readSingle('read', collection, scope, id)
  }

  async readGivenUp(collection: string, terms: GivenUpTerms): Promise<GivenUpRecords> {
    return this.#inThread(SERVER, 'readGivenUp', collection, terms)
  }

  async readDefault(collection: string, scope: Scope, accountId: string): Promise<StoredRecord | null> {
    return this.#readSingle('readDefault', collection, scope, accountId)
  }

  async history(collection: string, scope: Scope, id: string): Promise<readonly RevisionNote[] | null> {
    return this.#readSingle('notes', collection, scope, id)
  }

  async readRevision(collection: string, scope: Scope, id: string, version: number): Promise<string | null> {
    return this.#readSingle('revision', collection, scope, id, version)
  }

  async listRemoved(collection: string, scope: Scope, skip: number, limit: number): Promise<readonly RemovedEntry[]> {
    return this.#readSingle('removedEntries', collection, scope, skip, limit)
  }

  async readRemoved(collection: string, scope: Scope, id: string): Promise<RemovedRecord | null> {
    return this.#readSingle('removedRecord', collection, scope, id)
  }

  async apply(changes: readonly Change[], by?: Actor, once?: Once): Promise<readonly ChangeResult[]> {
    const results = await this.#writes.submit({ kind: 'apply', changes, deed: this.#terms.sign(by), once })
    if (results === 'repeated') throw repeated()
    const full = results.find((result) => result.outcome === 'full')
    if (full !== undefined) throw storageExceeded(full)
    return results
  }

  async applyEach(changes: readonly Change[], by?: Actor): Promise<readonly ChangeResult[]> {
    const deed = this.#terms.sign(by)
    const parts = Array.from(bulkParts(changes), (part) =>
      this.#writes.submit({ kind: 'applyEach', changes: part, deed }),
    )
    return (await Promise.all(parts)).flat()
  }

  async namedFiles(hashes: readonly string[], signal?: AbortSignal): Promise<ReadonlySet<string>> {
    return new Set(await this.#terms.pool.run({ kind: 'named-files', hashes }, signal === undefined ? {} : { signal }))
  }

  async readChangeCounter(scope: Scope): Promise<number> {
    return this.#changes(scope)
  }

  async readCollectionMarks(scope: Scope): Promise<ReadonlyMap<string, string>> {
    this.#enter()
    return this.#reader.marksOf(scope)
  }

  async askKnowledge<Found>(
    collection: string,
    scope: Scope,
    find: (knowledge: FieldKnowledge | null) => Found,
  ): Promise<Found> {
    const asker = { collection, scope }
    const given = new Map<string, FieldAnswer>()
    for (;;) {
      const effort = shortEffort()
      const shelves = this.#shelvesHere(asker, effort)
      try {
        // Anything more than what was given has to be found out first, unless it can be here.
        if (shelves === null) return find(knowledgeOf(givenBy(given)))
        return find(this.#knowledge.of(shelves, { effort, given }))
      } catch (error) {
        if (!(error instanceof FieldUnknown)) throw error
        const answers = await this.#findFields(asker, [error.ask])
        if (answers === null) return find(null)
        if (shelves !== null) this.#knowledge.learn(shelves, answers)
        for (const [name, answer] of answers) given.set(name, answer)
      }
    }
  }

  #shelvesHere({ collection, scope }: Asker, effort: Effort): readonly ShelfView[] | null {
    if (scope.kind === 'operator') return null
    this.#enter()
    return unlessTooLong(() => this.#reader.shelvesOf({ collection, scope }, effort))
  }

  /** Has a reader thread look; null while segments are being made. */
  #findFields(asker: Asker, asks: readonly FieldAsk[]): Promise<FieldAnswers | null> {
    const { pool, timeBudgetMs: budgetMs } = this.#terms
    return pool.run({ kind: 'fields', asker, asks, budgetMs }, { user: inNameOf(asker.scope) })
  }

  /** Reads here what is short. */
  async #readSingle<Method extends keyof SingleReads>(
    method: Method,
    ...parameters: Parameters<SingleReads[Method]>
  ): Promise<ReturnType<SingleReads[Method]>> {
    this.#enter()
    const read = this.#single[method] as (
      ...parameters: Parameters<SingleReads[Method]>
    ) => ReturnType<SingleReads[Method]>
    const here = unlessTooLong(() => ({ found: read(...parameters) }))
    return here === null ? this.#inThread(inNameOf(parameters[1] as Scope), method, ...parameters) : here.found
  }

  async #inThread<Method extends keyof SingleReads>(
    user: string,
    method: Method,
    ...parameters: Parameters<SingleReads[Method]>
  ): Promise<ReturnType<SingleReads[Method]>> {
    const job = { kind: 'single', method, parameters } as SingleJob
    return (await this.#terms.pool.run(job, { user })) as ReturnType<SingleReads[Method]>
  }

  /** Begins a read on the request thread. */
  #enter(): void {
    this.#state.hold()
  }
}

/** The shelves of a plan as far as nothing has to be read for them: none otherwise. */
function heldShelves(reader: Reader, plan: RequesterPlan): readonly ShelfView[] {
  return unlessTooLong(() => reader.shelvesOf(plan, NOTHING_TO_SPEND)) ?? []
}

const NOTHING_TO_SPEND: Pick<Effort, 'spend'> = {
  spend() {
    throw new TooLongHere()
  },
}

/** Gives what was found out; whatever else is asked has to be found out first. */
function givenBy(given: FieldAnswers): (ask: FieldAsk) => FieldAnswer {
  return (ask) => {
    const answer = given.get(askName(ask))
    if (answer === undefined) throw new FieldUnknown(ask)
    return answer
  }
}

/** Ends an ask that turns out to be too long for the request thread. */
function unlessTooLongFor(ask: FieldAsk, run: () => FieldAnswer): FieldAnswer {
  try {
    return run()
  } catch (error) {
    throw error instanceof TooLongHere ? new FieldUnknown(ask) : error
  }
}

/** Name under which a read waits: each account has as many places as another, and the server's own work has its own. */
function inNameOf(scope: Scope): string {
  return scope.kind === 'account' ? scope.accountId : scope.kind === 'public' ? scope.kind : SERVER
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
