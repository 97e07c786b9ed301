import type { FoundPage, FoundRecord, PagePosition } from '../../../engine/find-page.ts'
import { foreignCursor, lostCursor, readCursor, writeCursor } from '../../../query/order/cursor.ts'
import { sortKeyOf } from '../../../query/order/sort-key.ts'
import type { QueryPlan } from '../../../query/plan.ts'
import { parseDocument } from '../../document.ts'
import { EVERY_HOME, type Listed } from '../../number-cipher.ts'
import type { Page } from '../../port/record-store.ts'
import type { Effort } from '../../segments/effort.ts'
import { findRecords } from '../../segments/find-records.ts'
import type { ShelfView } from '../../segments/shelf-view.ts'
import { writeDocuments } from '../../segments/write-documents.ts'
import { inSnapshot } from '../base/database.ts'
import { backlogOf } from './read-backlog.ts'
import type { Reader } from './reader.ts'

/** Runs a list plan against one state of the database. */
export function readPage(reader: Reader, plan: QueryPlan, effort: Effort): Page {
  const started = performance.now()
  return inSnapshot(reader.connection, () => {
    const shelves = reader.shelvesOf(plan)
    const looked = performance.now()
    reader.columns.begin(effort)
    const found = choose(reader, plan, { shelves, effort })
    const chosen = performance.now()
    const documents = writeDocuments(reader.texts, plan, found.records, effort)
    const ended = performance.now()
    return {
      documents,
      count: found.records.length,
      next: cursorOf(reader, plan, found),
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

function rowsOf(shelves: readonly ShelfView[]): number {
  return shelves.reduce(
    (sum, { segments }) => sum + segments.reduce((rows, { row }) => rows + row.numbers.length, 0),
    0,
  )
}

interface Choice {
  readonly shelves: readonly ShelfView[]
  readonly effort: Effort
}

function choose(reader: Reader, plan: QueryPlan, { shelves, effort }: Choice): FoundPage {
  const { filter, sort, skip, limit } = plan
  const after = positionOf(reader, plan, shelves.length)
  const question = { filter, sort, skip, limit, after }
  const extra = backlogOf(reader, plan, { shelves, effort, after })
  return findRecords(shelves, question, { texts: reader.texts, selections: reader.selections, effort, extra })
}

/** Where the page begins; null for a first page. */
function positionOf(reader: Reader, plan: QueryPlan, homes: number): PagePosition | null {
  if (plan.after === undefined || plan.after === null) return null
  const { key, place } = readCursor(plan.after, plan.sort)
  const listed = listedBy(reader, plan)
  const position = listed === null ? null : reader.cipher.readPosition(listed, place)
  if (listed === null || position === null) throw foreignCursor()
  const { numbers, home } = position
  const n = numbers[home] as number
  return {
    key: key ?? keyOf(reader, plan, listed.homes[home] as number, n),
    numbers: seesAll(plan) ? new Array<number>(homes).fill(n) : numbers,
  }
}

/** What a plan lists; null for a collection that nobody has written to. */
function listedBy({ names }: Reader, plan: QueryPlan): Listed | null {
  const collection = names.collection(plan.collection)
  return collection === null ? null : { collection, homes: names.homes(plan.scope) ?? [EVERY_HOME] }
}

/**
 * Who sees all homes has one place in all of them: a record that goes from one to another is not new to him, and there can be thousands
 * of homes, and more before the next page.
 */
function seesAll({ scope }: QueryPlan): boolean {
  return scope.kind === 'operator'
}

/** The record may have gone to another home since, which the requester may not see: of that one nothing is told. */
function keyOf(reader: Reader, plan: QueryPlan, home: number, n: number) {
  const row = reader.connection
    .prepare<[number, number | null], { scope: number; doc: string }>(
      'SELECT scope, doc FROM record WHERE n = ? AND collection = ?',
    )
    .get(n, reader.names.collection(plan.collection))
  if (row === undefined || !(seesAll(plan) || row.scope === home)) throw lostCursor()
  return sortKeyOf(parseDocument(row.doc), plan.sort)
}

function cursorOf(reader: Reader, plan: QueryPlan, { next, records }: FoundPage): string | null {
  const last: FoundRecord | undefined = records.at(-1)
  const listed = listedBy(reader, plan)
  if (next === null || last === undefined || listed === null) return null
  const position = seesAll(plan) ? { numbers: [last.n], home: 0 } : { numbers: next.numbers, home: last.home }
  return writeCursor(plan.sort, { key: next.key, place: reader.cipher.writePosition(listed, position) })
}
