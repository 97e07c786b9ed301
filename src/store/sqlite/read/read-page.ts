import type { FoundPage, FoundRecord, PagePosition } from '../../../engine/find-page.ts'
import { lostCursor, readCursor, writeCursor } from '../../../query/order/cursor.ts'
import { sortKeyOf } from '../../../query/order/sort-key.ts'
import type { QueryPlan } from '../../../query/plan/query-plan.ts'
import type { Page } from '../../port/record-store.ts'
import { inSnapshot } from '../database.ts'
import { findRecords } from '../segments/find-records.ts'
import type { ShelfView } from '../segments/shelf-views.ts'
import type { Effort } from './effort.ts'
import { parseDocument } from './parse-document.ts'
import { backlogOf } from './read-backlog.ts'
import type { Reader } from './reader.ts'
import { writeDocuments } from './write-documents.ts'

/** Runs a list plan against one state of the database. */
export function readPage(reader: Reader, plan: QueryPlan, effort: Effort): Page {
  const started = performance.now()
  return inSnapshot(reader.connection, () => {
    const shelves = reader.shelvesOf(plan)
    const looked = performance.now()
    reader.columns.begin(effort)
    const found = choose(reader, plan, { shelves, effort })
    const chosen = performance.now()
    const documents = writeDocuments(reader, plan, found.records, effort)
    const ended = performance.now()
    return {
      documents,
      count: found.records.length,
      next: cursorOf(plan, found),
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
  return findRecords(shelves, question, { texts: reader.texts, memory: reader.selections, effort, extra })
}

/** Where the page begins; null for a first page. */
function positionOf(reader: Reader, plan: QueryPlan, homes: number): PagePosition | null {
  if (plan.after === undefined || plan.after === null) return null
  const { key, numbers, home } = readCursor(plan.after, plan.sort)
  const n = numbers[home] as number
  return {
    key: key ?? keyOf(reader, plan, home, n),
    numbers: seesAll(plan) ? new Array<number>(homes).fill(n) : numbers,
  }
}

/**
 * Who sees all homes has one place in all of them: a record that goes from one to another is not new to him, and there can be thousands
 * of homes, and more before the next page.
 */
function seesAll({ scope }: QueryPlan): boolean {
  return scope.kind === 'operator'
}

/** A number in a cursor is the client's: of a record that the asker does not see, nothing is told. */
function keyOf(reader: Reader, plan: QueryPlan, home: number, n: number) {
  const homes = reader.names.homes(plan.scope)
  const row = reader.connection
    .prepare<[number, number | null], { scope: number; doc: string }>(
      'SELECT scope, doc FROM record WHERE n = ? AND collection = ?',
    )
    .get(n, reader.names.collection(plan.collection))
  if (row === undefined || (homes !== null && row.scope !== homes[home])) throw lostCursor()
  return sortKeyOf(parseDocument(row.doc), plan.sort)
}

function cursorOf(plan: QueryPlan, { next, records }: FoundPage): string | null {
  const last: FoundRecord | undefined = records.at(-1)
  if (next === null || last === undefined) return null
  return writeCursor(plan.sort, seesAll(plan) ? { ...next, numbers: [last.n], home: 0 } : { ...next, home: last.home })
}
