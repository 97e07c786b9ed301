import { compileProjection } from '../../../query/fields/project-document.ts'
import type { QueryPlan } from '../../../query/plan/query-plan.ts'
import { type SqlFragment, sql } from '../../../query/sql/sql-fragment.ts'
import { numberAt } from '../compound/compound-rows.ts'
import { bodyProjection } from './body-projection.ts'
import type { BodyText } from './body-text.ts'
import type { Effort } from './effort.ts'
import { type WriteArray, writeInPieces } from './page-pieces.ts'
import { NO_DOCUMENTS, type PageDocuments, type PageSource, rowsOfPage } from './page-source.ts'
import { parseDocument, type Reader } from './reader.ts'

/** What a statement says of a whole page. */
interface PageRow {
  /** Null when there is nothing to join. */
  readonly bytes: Buffer | null
  readonly count: number
  readonly place: Buffer | null
}

/** Writes the documents of a page, or what the plan's fields leave of them. */
export function writeDocuments(reader: Reader, plan: QueryPlan, source: PageSource, effort: Effort): PageDocuments {
  if (source.kind === 'numbers' && source.numbers.length === 0) return NO_DOCUMENTS
  // None is larger than its share: then all together are not too large.
  const share = Math.floor(effort.mostBytes / plan.limit)
  return plan.fields === null
    ? spliceDocuments(reader, source, share, effort)
    : projectDocuments(reader, plan, source, share, effort)
}

/** Joins stored texts inside SQLite, so that the page crosses into JavaScript once and as bytes. */
function spliceDocuments(reader: Reader, source: PageSource, share: number, effort: Effort): PageDocuments {
  const splice = (from: PageSource, most: number) => {
    const [row] = reader.statements.all(
      sql`SELECT CAST('[' || group_concat(${wholeUpTo(sql`record.doc`, most, sql`record.doc`)}, ',') || ']' AS BLOB) AS bytes,
            count(*) AS count, max(place) AS place
          FROM (${rowsOfPage(from)}) AS wanted CROSS JOIN record ON record.n = wanted.n`,
    ) as PageRow[]
    return pageOf(row as PageRow, from)
  }
  const write: WriteArray = (numbers) => splice({ kind: 'numbers', numbers }, Number.MAX_SAFE_INTEGER).documents
  return unlessTooLarge(() => splice(source, share)) ?? writeInPieces(reader, source, effort, { write, isWhole: true })
}

/** Stands for what is longer than it may be: no JSON, so that it ends the statement. */
const wholeUpTo = (body: SqlFragment, most: number, text: SqlFragment): SqlFragment =>
  sql`CASE WHEN octet_length(${body}) <= ${most} THEN ${text} ELSE json('!' || wanted.n) END`

function unlessTooLarge<T>(run: () => T): T | null {
  try {
    return run()
  } catch (error) {
    if (error instanceof Error && error.message === 'malformed JSON') return null
    throw error
  }
}

/** Projects inside SQLite where that gives the same bytes, else document by document. */
function projectDocuments(
  reader: Reader,
  plan: QueryPlan,
  source: PageSource,
  share: number,
  effort: Effort,
): PageDocuments {
  const key = JSON.stringify([plan.collection, plan.scope, plan.fields?.source ?? null])
  const changes = reader.changesOf(plan.scope)
  const projection = reader.projections.remember(key, changes, () => bodyProjection(reader, plan))
  const project = (from: PageSource, most: number) =>
    projection === null ? null : unlessTooLarge(() => projectBodies(reader, projection, from, most))
  const write: WriteArray = (numbers) =>
    project({ kind: 'numbers', numbers }, Number.MAX_SAFE_INTEGER)?.documents ?? projectTexts(reader, plan, numbers)
  return project(source, share) ?? writeInPieces(reader, source, effort, { write, isWhole: false })
}

/** Stands for a document that cannot be projected this way: no JSON text has this character. */
const UNKNOWN = 1

/** Null when one of the documents cannot be projected this way. Each is looked at once: SQLite would work out twice what is named twice. */
function projectBodies(
  reader: Reader,
  { text, open, between, close }: BodyText,
  source: PageSource,
  most: number,
): PageDocuments | null {
  const one = wholeUpTo(sql`body.doc`, most, sql`coalesce(${text}, char(${UNKNOWN}))`)
  const [row] = reader.statements.all(
    sql`SELECT CAST(${open} || group_concat(${one}, ${between}) || ${close} AS BLOB) AS bytes,
          count(*) AS count, max(place) AS place
        FROM (${rowsOfPage(source)}) AS wanted CROSS JOIN body ON body.n = wanted.n`,
  ) as PageRow[]
  return row?.bytes?.includes(UNKNOWN) ? null : pageOf(row as PageRow, source)
}

function pageOf({ bytes, count, place }: PageRow, source: PageSource): PageDocuments {
  if (bytes === null) return NO_DOCUMENTS
  const n = source.kind === 'numbers' ? source.numbers.at(-1) : place === null ? undefined : numberAt(place)
  return { documents: bytes, count, last: n === undefined ? null : { n, place } }
}

function projectTexts(reader: Reader, plan: QueryPlan, numbers: readonly number[]): Buffer {
  return Buffer.from(`[${numbers.map(projectionOf(reader, plan)).join(',')}]`)
}

/** Gives the text of a record, or of what `fields` leaves of it. */
export function projectionOf(reader: Reader, plan: QueryPlan): (n: number) => string {
  if (plan.fields === null) return (n) => reader.textOf(n)
  const project = compileProjection(plan.fields, plan.filter)
  return (n) => JSON.stringify(project(parseDocument(reader.textOf(n))))
}
