import { compileProjection } from '../../../query/fields/project-document.ts'
import type { QueryPlan } from '../../../query/plan/query-plan.ts'
import { sql } from '../../../query/sql/sql-fragment.ts'
import { numberAt } from '../compound/compound-rows.ts'
import type { LastRecord } from './after.ts'
import { bodyProjection } from './body-projection.ts'
import type { BodyText } from './body-text.ts'
import { numbersOfPage, type PageSource, rowsOfPage } from './page-source.ts'
import { parseDocument, type Reader } from './reader.ts'

/** The documents of a page as they are sent. */
export interface PageDocuments {
  /** The bytes of a JSON array. */
  readonly documents: Buffer
  readonly count: number
  readonly last: LastRecord | null
}

const NO_DOCUMENTS: PageDocuments = { documents: Buffer.from('[]'), count: 0, last: null }

/** What a statement says of a whole page. */
interface PageRow {
  /** Null when there is nothing to join. */
  readonly bytes: Buffer | null
  readonly count: number
  readonly place: Buffer | null
}

/** Writes the documents of a page, or what the plan's fields leave of them. */
export function writeDocuments(reader: Reader, plan: QueryPlan, source: PageSource): PageDocuments {
  if (source.kind === 'numbers' && source.numbers.length === 0) return NO_DOCUMENTS
  return plan.fields === null ? spliceDocuments(reader, source) : projectDocuments(reader, plan, source)
}

/** Joins stored texts inside SQLite, so that the page crosses into JavaScript once and as bytes. */
function spliceDocuments(reader: Reader, source: PageSource): PageDocuments {
  const [row] = reader.statements.all(
    sql`SELECT CAST('[' || group_concat(record.doc, ',') || ']' AS BLOB) AS bytes, count(*) AS count, max(place) AS place
        FROM (${rowsOfPage(source)}) AS wanted CROSS JOIN record ON record.n = wanted.n`,
  ) as PageRow[]
  return pageOf(row as PageRow, source)
}

/** Projects inside SQLite where that gives the same bytes, else document by document. */
function projectDocuments(reader: Reader, plan: QueryPlan, source: PageSource): PageDocuments {
  const key = JSON.stringify([plan.collection, plan.scope, plan.fields?.source ?? null])
  const changes = reader.changesOf(plan.scope)
  const projection = reader.projections.remember(key, changes, () => bodyProjection(reader, plan))
  return (projection === null ? null : projectBodies(reader, projection, source)) ?? projectTexts(reader, plan, source)
}

/** Stands for a document that cannot be projected this way: no JSON text has this character. */
const UNKNOWN = 1

/** Null when one of the documents cannot be projected this way. Each is looked at once: SQLite would work out twice what is named twice. */
function projectBodies(reader: Reader, projection: BodyText, source: PageSource): PageDocuments | null {
  const { text, open, between, close } = projection
  const [row] = reader.statements.all(
    sql`SELECT CAST(${open} || group_concat(coalesce(${text}, char(${UNKNOWN})), ${between}) || ${close} AS BLOB) AS bytes,
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

function projectTexts(reader: Reader, plan: QueryPlan, source: PageSource): PageDocuments {
  const numbers = numbersOfPage(reader, source)
  const documents = Buffer.from(`[${numbers.map(projectionOf(reader, plan)).join(',')}]`)
  const n = numbers.at(-1)
  return { documents, count: numbers.length, last: n === undefined ? null : { n, place: null } }
}

/** Gives the text of a record, or of what `fields` leaves of it. */
export function projectionOf(reader: Reader, plan: QueryPlan): (n: number) => string {
  if (plan.fields === null) return (n) => reader.textOf(n)
  const project = compileProjection(plan.fields, plan.filter)
  return (n) => JSON.stringify(project(parseDocument(reader.textOf(n))))
}
