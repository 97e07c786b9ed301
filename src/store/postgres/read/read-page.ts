import type { PendingQuery, Row } from 'postgres'
import { countRecords } from '../../../engine/count-records.ts'
import { findPage } from '../../../engine/find-page.ts'
import type { FoundRecord } from '../../../engine/page-documents.ts'
import { parseDocument } from '../../../kernel/json.ts'
import type { Survey, SurveyFound } from '../../../query/ast/survey.ts'
import { isDigest, keyOfDigest, lostCursor } from '../../../query/order/cursor.ts'
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
  writeDocuments,
} from '../../segments/write-documents.ts'
import type { Sql } from '../base/database.ts'
import { ofEachHome } from '../base/each-home.ts'
import { homesOf } from './homes.ts'
import { ask, type Question, type Reader } from './reader.ts'
import type { PatientEffort } from './within.ts'

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
  const key = place === null ? null : await keyOf(reader, plan, place)
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
  return ask(reader, { ...plan, fields: null, sort: [], since, survey }, effort, async (question) => {
    const { views: shelves } = question.shelves
    const { columns } = reader
    return question.work(surveyShelves(survey, { shelves, columns, asked: engineQuestion(question) }))
  })
}

export function engineQuestion({ reader, shelves, asked, effort, atHand }: Question) {
  return questionOf(shelves.views, asked.filter, { texts: atHand, selections: reader.selections, effort, extra: [] })
}

/** The record may have been changed or removed since: only who saw the key knows its digest, and nothing else of a version is told. */
async function keyOf(reader: Reader, plan: QueryPlan, { key, n }: CursorPlace): Promise<SortKeyValues> {
  if (!isDigest(key)) return key
  const versions = await versionsOf(reader, plan, n)
  const found = keyOfDigest(key, versions.map(({ doc }) => sortKeyOf(parseDocument(doc), plan.sort)).values())
  if (found === undefined) throw lostCursor()
  return found
}

/** Versions of a record that are kept, in the homes that the plan sees, the newest first. */
async function versionsOf({ sql }: Reader, { collection, scope }: QueryPlan, n: number): Promise<readonly Version[]> {
  const homes = homesOf(scope)
  const newest =
    homes === null
      ? await sql<Version[]>`
          SELECT found.* FROM home CROSS JOIN LATERAL (${newestIn(sql, sql`home.home`, collection, n)}) found`
      : await ofEachHome(homes, (home) => newestIn(sql, sql`${home}`, collection, n))
  const earlier = newest.map(
    ({ owner }) => sql<Version[]>`
      SELECT home AS owner, doc FROM revision WHERE home = ${owner} AND n = ${n} ORDER BY version DESC`,
  )
  return [...newest, ...(await Promise.all(earlier)).flat()]
}

interface Version {
  readonly owner: string
  readonly doc: string
}

/** The record of a number in a home, or among those that were removed from it, which are found by their number alone: it is used once. */
function newestIn(sql: Sql, home: PendingQuery<Row[]>, collection: string, n: number) {
  return sql<Version[]>`
    SELECT owner, doc FROM record WHERE record.home = ${home} AND collection = ${collection} AND n = ${n}
    UNION ALL SELECT home, doc FROM removed WHERE removed.home = ${home} AND n = ${n}`
}

async function documentsOf(question: Question, plan: QueryPlan, records: readonly FoundRecord[]): Promise<Buffer> {
  const stored = records.flatMap((record) => ('tail' in record ? [] : [[record.home, record.n] as const]))
  if (plan.fields === null) await question.read(stored)
  const places = new Map(stored.map(([place, n]) => [n, place]))
  return question.write(places, (texts) => writeDocuments(texts, plan, records, question.effort))
}

function sumOf(views: readonly ShelfView[], of: (view: ShelfView) => number): number {
  return views.reduce((sum, view) => sum + of(view), 0)
}

function rowsOf(views: readonly ShelfView[]): number {
  return sumOf(views, ({ segments }) => segments.reduce((rows, { row }) => rows + row.numbers.length, 0))
}
