import type { FoundPage, PagePosition } from '../../../engine/page-documents.ts'
import { Budget } from '../../../kernel/clock.ts'
import { parseDocument } from '../../../kernel/json.ts'
import type { Survey, SurveyFound } from '../../../query/ast/survey.ts'
import { lostCursor } from '../../../query/order/cursor.ts'
import { sortKeyOf } from '../../../query/order/sort-key.ts'
import type { QueryPlan } from '../../../query/plan.ts'
import type { Page } from '../../port/record-store.ts'
import type { Effort } from '../../segments/effort.ts'
import { type Asker, answerOf, askName, type FieldAnswers, type FieldAsk } from '../../segments/field-knowledge.ts'
import { drive, findRecords, questionOf, surveyShelves } from '../../segments/find-records.ts'
import type { ShelfView } from '../../segments/shelf-view.ts'
import { cursorBehind, positionAt, readPlace, seesAll, writeDocuments } from '../../segments/write-documents.ts'
import { inSnapshot } from '../base/database.ts'
import { backlogOf } from './read-backlog.ts'
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
  const budget = new Budget(survey.budgetMs)
  const { columns, texts, selections } = reader
  return inSnapshot(reader.connection, () => {
    const shelves = reader.shelvesOf(plan, effort)
    columns.begin(effort)
    const tools = { texts, selections, effort, extra: [] }
    const asked = questionOf(shelves, plan.filter, tools)
    return drive(surveyShelves(survey, { shelves, columns, asked, budget }), { ...tools, filter: plan.filter })
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
  const key = place.key ?? keyOf(reader, plan, reader.names.homes(plan.scope)?.[place.home], place.n)
  return positionAt(plan, place, key, homes)
}

/** The record may have gone to another home since, which the requester may not see: of that one nothing is told. */
function keyOf(reader: Reader, plan: QueryPlan, home: number | undefined, n: number) {
  const row = reader.connection
    .prepare<[number, number | null], { scope: number; doc: string }>(
      'SELECT scope, doc FROM record WHERE n = ? AND collection = ?',
    )
    .get(n, reader.names.collection(plan.collection))
  if (row === undefined || !(seesAll(plan) || row.scope === home)) throw lostCursor()
  return sortKeyOf(parseDocument(row.doc), plan.sort)
}
