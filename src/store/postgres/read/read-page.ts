import { countRecords } from '../../../engine/count-records.ts'
import { findPage } from '../../../engine/find-page.ts'
import type { FoundRecord } from '../../../engine/page-documents.ts'
import { Budget } from '../../../kernel/clock.ts'
import { parseDocument } from '../../../kernel/json.ts'
import type { Survey, SurveyFound } from '../../../query/ast/survey.ts'
import { lostCursor } from '../../../query/order/cursor.ts'
import { type SortKeyValues, sortKeyOf } from '../../../query/order/sort-key.ts'
import type { QueryPlan } from '../../../query/plan.ts'
import type { Page } from '../../port/record-store.ts'
import { questionOf, surveyShelves } from '../../segments/find-records.ts'
import type { ShelfView } from '../../segments/shelf-view.ts'
import {
  type CursorPlace,
  cursorBehind,
  positionAt,
  readPlace,
  seesAll,
  writeDocuments,
} from '../../segments/write-documents.ts'
import { homesOf } from './homes.ts'
import { ask, type PatientEffort, type Question, type Reader } from './reader.ts'

/** A plan, and of when its answer may be. */
export interface AskedPlan {
  readonly plan: QueryPlan
  readonly since?: number | undefined
}

/** Runs a list plan against one state of its homes. */
export async function readPage(reader: Reader, asked: AskedPlan, effort: PatientEffort): Promise<Page> {
  const { plan, since } = asked
  const started = performance.now()
  const place = readPlace(reader.cipher, plan)
  const key = place === null ? null : (place.key ?? (await keyOf(reader, plan, place)))
  return ask(reader, { ...plan, since }, effort, async (question) => {
    const looked = performance.now()
    const { views } = question.shelves
    const after = place === null || key === null ? null : positionAt(plan, place, key, views.length)
    const { sort, skip, limit } = plan
    const found = await question.work(findPage({ ...engineQuestion(question), sort, skip, limit, after }))
    const chosen = performance.now()
    const documents = await documentsOf(question, plan, found.records)
    const ended = performance.now()
    return {
      documents,
      count: found.records.length,
      next: cursorBehind(reader.cipher, plan, found),
      report: {
        homes: views.length,
        segments: sumOf(views, ({ segments }) => segments.length),
        tail: sumOf(views, ({ tail }) => tail.length),
        ...question.used,
        byColumn: rowsOf(views) - found.byDocument,
        byDocument: found.byDocument,
        thread: effort.thread,
        milliseconds: ended - started,
        stations: { homes: looked - started, choose: chosen - looked, documents: ended - chosen },
      },
    }
  })
}

export function countMatches(reader: Reader, { plan, since }: AskedPlan, effort: PatientEffort): Promise<number> {
  return ask(reader, { ...plan, fields: null, sort: [], since }, effort, async (question) => {
    return (await question.work(countRecords(engineQuestion(question)))).count
  })
}

/** Runs a survey against one state of its homes. */
export function surveyRecords(
  reader: Reader,
  { plan, since, survey }: AskedPlan & { readonly survey: Survey },
  effort: PatientEffort,
): Promise<SurveyFound> {
  const budget = new Budget(survey.budgetMs)
  return ask(reader, { ...plan, fields: null, sort: [], since, survey }, effort, async (question) => {
    const { views: shelves } = question.shelves
    const { columns } = reader
    return question.work(surveyShelves(survey, { shelves, columns, asked: engineQuestion(question), budget }))
  })
}

export function engineQuestion({ reader, shelves, asked, effort, atHand }: Question) {
  return questionOf(shelves.views, asked.filter, { texts: atHand, selections: reader.selections, effort, extra: [] })
}

/** The record may have gone to another home since, which the requester may not see: of that one nothing is told. */
async function keyOf({ sql }: Reader, plan: QueryPlan, { home, n }: CursorPlace): Promise<SortKeyValues> {
  const { collection, scope } = plan
  const homes = homesOf(scope)
  const [row] = seesAll(plan)
    ? await sql<{ doc: string }[]>`
        SELECT found.doc FROM home CROSS JOIN LATERAL (
          SELECT doc FROM record WHERE record.home = home.home AND collection = ${collection} AND n = ${n} LIMIT 1
        ) found LIMIT 1`
    : await sql<{ doc: string }[]>`
        SELECT doc FROM record WHERE home = ${homes?.[home] ?? ''} AND collection = ${collection} AND n = ${n}`
  if (row === undefined) throw lostCursor()
  return sortKeyOf(parseDocument(row.doc), plan.sort)
}

async function documentsOf(question: Question, plan: QueryPlan, records: readonly FoundRecord[]): Promise<Buffer> {
  const stored = records.flatMap((record) => ('tail' in record ? [] : [[record.home, record.n] as const]))
  if (plan.fields === null) await question.readAhead(stored)
  const places = new Map(stored.map(([place, n]) => [n, place]))
  return question.write(places, (texts) => writeDocuments(texts, plan, records, question.effort))
}

function sumOf(views: readonly ShelfView[], of: (view: ShelfView) => number): number {
  return views.reduce((sum, view) => sum + of(view), 0)
}

function rowsOf(views: readonly ShelfView[]): number {
  return sumOf(views, ({ segments }) => segments.reduce((rows, { row }) => rows + row.numbers.length, 0))
}
