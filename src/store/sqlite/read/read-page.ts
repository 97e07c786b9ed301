import type { FoundPage, PagePosition, TailRecord } from '../../../engine/page-documents.ts'
import { parseDocument } from '../../../kernel/json.ts'
import type { SortKey } from '../../../query/ast/list-request.ts'
import type { Survey, SurveyFound } from '../../../query/ast/survey.ts'
import { matcherOf } from '../../../query/filter/match.ts'
import { isDigest, keyOfDigest, lostCursor } from '../../../query/order/cursor.ts'
import { compareSortKeys, type SortKeyValues, sortKeyOf } from '../../../query/order/sort-key.ts'
import type { QueryPlan } from '../../../query/plan.ts'
import type { Page } from '../../port/record-store.ts'
import { type Effort, TooLongHere } from '../../segments/effort.ts'
import { type Asker, answerOf, askName, type FieldAnswers, type FieldAsk } from '../../segments/field-knowledge.ts'
import { countMatches, drive, findRecords, questionOf, surveyShelves } from '../../segments/find-records.ts'
import type { ShelfView } from '../../segments/shelf-view.ts'
import { TailDocument } from '../../segments/tail-document.ts'
import {
  type CursorPlace,
  cursorBehind,
  positionAt,
  readPlace,
  writeDocuments,
} from '../../segments/write-documents.ts'
import { inSnapshot } from '../base/database.ts'
import type { Reader } from './reader.ts'

/** Runs a list plan against one state of the database. */
export function readPage(reader: Reader, plan: QueryPlan, effort: Effort): Page {
  const started = performance.now()
  return inSnapshot(reader.connection, () => {
    const shelves = reader.shelvesOf(plan, effort)
    const looked = performance.now()
    reader.columns.begin(effort)
    const found = choose(reader, plan, { shelves, effort })
    const chosen = performance.now()
    const documents = writeDocuments(reader.texts, plan, found.records, effort)
    const ended = performance.now()
    return {
      documents,
      count: found.records.length,
      next: cursorBehind(reader.cipher, plan, found),
      report: {
        homes: shelves.length,
        segments: shelves.reduce((sum, { segments }) => sum + segments.length, 0),
        tail: shelves.reduce((sum, { tail }) => sum + tail.length, 0),
        ...reader.columns.used,
        byColumn: rowsOf(shelves) - found.byDocument,
        byDocument: found.byDocument,
        thread: effort.thread,
        milliseconds: ended - started,
        stations: { homes: looked - started, choose: chosen - looked, documents: ended - chosen },
      },
    }
  })
}

export interface SurveyedPlan {
  readonly plan: QueryPlan
  readonly survey: Survey
}

/** Runs a survey against one state of the database. */
export function surveyRecords(reader: Reader, { plan, survey }: SurveyedPlan, effort: Effort): SurveyFound {
  const { columns, texts, selections } = reader
  return inSnapshot(reader.connection, () => {
    const shelves = reader.shelvesOf(plan, effort)
    columns.begin(effort)
    const tools = { texts, selections, effort, extra: [] }
    const asked = questionOf(shelves, plan.filter, tools)
    return drive(surveyShelves(survey, { shelves, columns, asked }), { ...tools, filter: plan.filter })
  })
}

/** Finds out what is asked of fields, in one state of the database; null while segments are being made. */
export function readFields(
  reader: Reader,
  asker: Asker,
  asks: readonly FieldAsk[],
  effort: Effort,
): FieldAnswers | null {
  const { columns } = reader
  return inSnapshot(reader.connection, () => {
    const shelves = reader.shelvesOf(asker, effort)
    if (shelves.some(({ backlog }) => backlog !== null)) return null
    return new Map(asks.map((ask) => [askName(ask), answerOf(ask, { shelves, columns, effort })]))
  })
}

function rowsOf(shelves: readonly ShelfView[]): number {
  return shelves.reduce(
    (sum, { segments }) => sum + segments.reduce((rows, { row }) => rows + row.numbers.length, 0),
    0,
  )
}

interface PageSearch {
  readonly shelves: readonly ShelfView[]
  readonly effort: Effort
}

function choose(reader: Reader, plan: QueryPlan, { shelves, effort }: PageSearch): FoundPage {
  const { filter, sort, skip, limit } = plan
  const after = positionOf(reader, plan, shelves.length)
  const question = { filter, sort, skip, limit, after }
  const extra = backlogOf(reader, plan, { shelves, effort, after })
  return findRecords(shelves, question, { texts: reader.texts, selections: reader.selections, effort, extra })
}

/** Start of the page; null for a first page. */
function positionOf(reader: Reader, plan: QueryPlan, homes: number): PagePosition | null {
  const place = readPlace(reader.cipher, plan)
  if (place === null) return null
  return positionAt(plan, place, keyOf(reader, plan, place), homes)
}

/** The record may have been changed, removed or taken from the requester since: only who saw the key knows its digest, and nothing else of a version is told. */
function keyOf(reader: Reader, { collection, sort }: QueryPlan, { key, n }: CursorPlace): SortKeyValues {
  if (!isDigest(key)) return key
  const versions = reader.connection.prepare<{ n: number; collection: number | null }, { doc: string }>(
    `SELECT version, doc FROM record WHERE n = @n AND collection = @collection
     UNION ALL SELECT version, doc FROM removed WHERE n = @n AND collection = @collection
     UNION ALL SELECT version, doc FROM revision WHERE n = @n ORDER BY version DESC`,
  )
  const found = keyOfDigest(key, keysOf(versions.iterate({ n, collection: reader.names.collection(collection) }), sort))
  if (found === undefined) throw lostCursor()
  return found
}

function* keysOf(rows: Iterable<{ readonly doc: string }>, sort: readonly SortKey[]): Generator<SortKeyValues> {
  for (const { doc } of rows) yield sortKeyOf(parseDocument(doc), sort)
}

interface BacklogSearch {
  readonly shelves: readonly ShelfView[]
  readonly effort: Effort
}

/** A document takes about as long as so many looks at a value. */
const DOCUMENT_STEPS = 1000

/** Reads record by record what no segment holds yet while segments are made anew: right, but slow. Gives what can be on the page. */
export function backlogOf(
  reader: Reader,
  plan: QueryPlan,
  { shelves, effort, after }: BacklogSearch & { readonly after: PagePosition | null },
): readonly TailRecord[] {
  const compare = (a: KeyedRecord, b: KeyedRecord): number =>
    compareSortKeys(a.key, b.key, plan.sort) || a.record.n - b.record.n || a.record.home - b.record.home
  const first = new TopK<KeyedRecord>(plan.skip + plan.limit + 1, compare)
  for (const record of matchesIn(reader, plan, { shelves, effort })) {
    const key = plan.sort.length === 0 ? [] : sortKeyOf(record.document, plan.sort)
    if (after !== null && isUpTo(key, record, after, plan)) continue
    first.offer({ key, record })
  }
  return first.sorted().map(({ record }) => record)
}

export function countBacklog(reader: Reader, plan: QueryPlan, asked: BacklogSearch): number {
  let count = 0
  for (const _ of matchesIn(reader, plan, asked)) count += 1
  return count
}

interface KeyedRecord {
  readonly key: SortKeyValues
  readonly record: TailRecord
}

function isUpTo(key: SortKeyValues, { n, home }: TailRecord, after: PagePosition, { sort }: QueryPlan): boolean {
  return (compareSortKeys(key, after.key, sort) || n - (after.numbers[home] ?? -1)) <= 0
}

function* matchesIn(reader: Reader, plan: QueryPlan, { shelves, effort }: BacklogSearch): Generator<TailRecord> {
  if (shelves.every(({ backlog }) => backlog === null)) return
  if (effort.thread === 'request') throw new TooLongHere()
  const matches = matcherOf(plan.filter)
  const records = reader.connection.prepare<[number | null, number, number, number], { n: number; doc: string }>(
    'SELECT n, doc FROM record WHERE collection = ? AND scope = ? AND n > ? AND n <= ? ORDER BY n',
  )
  const collection = reader.names.collection(plan.collection)
  for (const [place, { backlog, tail }] of shelves.entries()) {
    if (backlog === null) continue
    const newer = new Set(tail.map(({ n }) => n))
    for (const { n, doc } of records.iterate(collection, backlog.home, backlog.reached, backlog.last)) {
      effort.spend(DOCUMENT_STEPS)
      if (newer.has(n)) continue
      const record = new TailDocument({ home: place, n, arrival: n, bytes: Buffer.from(doc) })
      if (matches(record.document)) yield record
    }
  }
}

/** Counts what a plan matches, against one state of the database. */
export function countRecords(reader: Reader, plan: QueryPlan, effort: Effort): number {
  return inSnapshot(reader.connection, () => {
    const shelves = reader.shelvesOf(plan, effort)
    reader.columns.begin(effort)
    const tools = { texts: reader.texts, selections: reader.selections, effort, extra: [] }
    return countMatches(shelves, plan.filter, tools).count + countBacklog(reader, plan, { shelves, effort })
  })
}

/** Keeps the first `capacity` of the items it is offered: what skip + limit needs of a sort. `compare` must be total. */
export class TopK<T> {
  readonly #capacity: number
  readonly #compare: (a: T, b: T) => number
  /** A binary heap with the last of the kept items on top. */
  readonly #heap: T[] = []

  constructor(capacity: number, compare: (a: T, b: T) => number) {
    this.#capacity = capacity
    this.#compare = compare
  }

  /** Considers one item; tells whether it is among the first so far. */
  offer(item: T): boolean {
    if (this.#heap.length < this.#capacity) {
      this.#heap.push(item)
      this.#rise(this.#heap.length - 1)
      return true
    }
    const last = this.#heap[0]
    if (last === undefined || this.#compare(item, last) >= 0) return false
    this.#heap[0] = item
    this.#sink(0)
    return true
  }

  sorted(): T[] {
    return this.#heap.toSorted(this.#compare)
  }

  #rise(from: number): void {
    let child = from
    while (child > 0) {
      const parent = (child - 1) >> 1
      if (!this.#isAfter(child, parent)) return
      this.#swap(child, parent)
      child = parent
    }
  }

  #sink(from: number): void {
    let parent = from
    for (;;) {
      const left = 2 * parent + 1
      const last = this.#isAfter(left + 1, left) ? left + 1 : left
      if (!this.#isAfter(last, parent)) return
      this.#swap(last, parent)
      parent = last
    }
  }

  #isAfter(a: number, b: number): boolean {
    if (a >= this.#heap.length || b >= this.#heap.length) return false
    return this.#compare(this.#heap[a] as T, this.#heap[b] as T) > 0
  }

  #swap(a: number, b: number): void {
    const item = this.#heap[a] as T
    this.#heap[a] = this.#heap[b] as T
    this.#heap[b] = item
  }
}
