import { compileProjection } from '../../../query/fields/project-document.ts'
import { describeNarrowing } from '../../../query/narrow/describe-narrowing.ts'
import type { QueryPlan } from '../../../query/plan/query-plan.ts'
import { type SqlFragment, sql } from '../../../query/sql/sql-fragment.ts'
import type { Page } from '../../port/record-store.ts'
import { inSnapshot } from '../database.ts'
import { nextCursor, positionOf } from './after.ts'
import { bodyProjection } from './body-projection.ts'
import { chooseRecords } from './choose-records.ts'
import { targetOf } from './compile-target.ts'
import type { Effort } from './effort.ts'
import { parseDocument, type Reader } from './reader.ts'

const EMPTY = Buffer.from('[]')

/** Runs a list plan against one state of the database. */
export function readPage(reader: Reader, plan: QueryPlan, effort: Effort): Page {
  const started = performance.now()
  return inSnapshot(reader.connection, () => {
    const after = positionOf(reader, plan)
    const target = targetOf(reader, plan, effort)
    const narrowed = performance.now()
    const { numbers, rechecked, plan: name } = chooseRecords(reader, plan, target, after, effort)
    const chosen = performance.now()
    const documents = plan.fields === null ? spliceDocuments(reader, numbers) : projectDocuments(reader, plan, numbers)
    const ended = performance.now()
    return {
      documents,
      count: numbers.length,
      next: nextCursor(reader, plan, numbers),
      report: {
        plan: name,
        indexed: target === null ? [] : describeNarrowing(plan.narrowing),
        candidates: target?.selection.size ?? 0,
        rechecked,
        thread: effort.thread,
        milliseconds: ended - started,
        stations: { narrow: narrowed - started, choose: chosen - narrowed, documents: ended - chosen },
      },
    }
  })
}

/** Joins stored texts inside SQLite, so that the page crosses into JavaScript once and as bytes. */
function spliceDocuments(reader: Reader, numbers: readonly number[]): Buffer {
  if (numbers.length === 0) return EMPTY
  return reader.statements.value(
    sql`SELECT CAST('[' || group_concat(record.doc, ',') || ']' AS BLOB)
        FROM json_each(${JSON.stringify(numbers)}) AS wanted CROSS JOIN record ON record.n = wanted.value`,
  ) as Buffer
}

/** Projects inside SQLite where that gives the same bytes, else document by document. */
function projectDocuments(reader: Reader, plan: QueryPlan, numbers: readonly number[]): Buffer {
  if (numbers.length === 0) return EMPTY
  const key = JSON.stringify([plan.collection, plan.scope, plan.fields?.source ?? null])
  const changes = reader.changesOf(plan.scope)
  const expression = reader.projections.remember(key, changes, () => bodyProjection(reader, plan))
  return (
    (expression === null ? null : projectBodies(reader, expression, numbers)) ??
    Buffer.from(`[${numbers.map(projectionOf(reader, plan)).join(',')}]`)
  )
}

/** Null when one of the documents cannot be projected this way. */
function projectBodies(reader: Reader, expression: SqlFragment, numbers: readonly number[]): Buffer | null {
  const [row] = reader.statements.all(
    sql`SELECT CAST('[' || group_concat(document, ',') || ']' AS BLOB) AS bytes, count(document) AS count
        FROM (SELECT ${expression} AS document FROM json_each(${JSON.stringify(numbers)}) AS wanted
              CROSS JOIN body ON body.n = wanted.value)`,
  ) as { bytes: Buffer; count: number }[]
  return row?.count === numbers.length ? row.bytes : null
}

/** Gives the text of a record, or of what `fields` leaves of it. */
export function projectionOf(reader: Reader, plan: QueryPlan): (n: number) => string {
  if (plan.fields === null) return (n) => reader.textOf(n)
  const project = compileProjection(plan.fields, plan.filter)
  return (n) => JSON.stringify(project(parseDocument(reader.textOf(n))))
}
