import { hasBit } from '../../../engine/selection.ts'
import type { JsonObject } from '../../../kernel/json.ts'
import { ColumnLoader, compareSegment, type SegmentContent } from '../../segments/segment-content.ts'
import type { Shelf } from '../../shelf.ts'
import { IN_ONE_STATE, type Sql, type Transaction, transact } from '../base/database.ts'
import { inParts } from '../base/each-home.ts'
import { listSegments, readAllChunks, readSegments } from '../base/segment-rows.ts'

/** Documents that are held against columns at a time. */
const ROWS_AT_ONCE = 1024

/** Finds records that are not in exactly one place, and columns that contradict documents. Each shelf is looked at in one state. */
export async function checkShelves(
  sql: Sql,
  progress: (done: number, total: number) => void,
): Promise<readonly string[]> {
  const findings: string[] = []
  const [counted] = await sql<{ total: number }[]>`SELECT count(*) AS total FROM record`
  const total = counted?.total ?? 0
  const shelves = await sql<Shelf<string>[]>`
    SELECT DISTINCT home, collection FROM (
      SELECT home, collection FROM record UNION SELECT home, collection FROM segment UNION SELECT home, collection FROM tail
    ) shelf`
  let done = 0
  for (const shelf of shelves) {
    const found = await transact(sql, (transaction) => checkShelf(transaction, shelf), IN_ONE_STATE)
    findings.push(...found.findings)
    done += found.records
    progress(Math.min(done, total), total)
  }
  return findings
}

async function checkShelf(sql: Transaction, shelf: Shelf<string>) {
  const { home, collection } = shelf
  const findings: string[] = []
  const [homes, tail, records, listed] = await Promise.all([
    sql<{ changes: number }[]>`SELECT changes FROM home WHERE home = ${home}`,
    sql<{ n: number; stamp: number }[]>`SELECT n, stamp FROM tail WHERE home = ${home} AND collection = ${collection}`,
    sql<{ n: number }[]>`SELECT n FROM record WHERE home = ${home} AND collection = ${collection}`,
    listSegments(sql, shelf),
  ])
  const changes = homes[0]?.changes ?? 0
  if (tail.some(({ stamp }) => stamp > changes))
    findings.push(`The tail of ${collection} in ${home} is ahead of the home.`)
  const inTail = new Set(tail.map(({ n }) => n))
  const missing = new Set(records.map(({ n }) => n).filter((n) => !inTail.has(n)))
  for (const { number } of listed) {
    const [segment] = await readSegments(sql, shelf, [number])
    if (segment === undefined) findings.push(`Segment ${number} of ${collection} has lost its numbers.`)
    else findings.push(...(await checkSegment(sql, shelf, segment, { inTail, missing })))
  }
  if (missing.size > 0) findings.push(`${missing.size} records of ${collection} are in no segment.`)
  return { findings, records: records.length }
}

interface ExpectedNumbers {
  readonly inTail: ReadonlySet<number>
  /** The records that segments have to have; those that are found are taken out. */
  readonly missing: Set<number>
}

async function checkSegment(
  sql: Transaction,
  { home, collection }: Shelf<string>,
  segment: SegmentContent,
  { inTail, missing }: ExpectedNumbers,
): Promise<readonly string[]> {
  const name = `Segment ${segment.number} of ${collection}`
  const living = Array.from(segment.numbers).filter((n, row) => !hasBit(segment.dead, row) && !inTail.has(n))
  const unknown = living.filter((n) => !missing.delete(n))
  if (unknown.length > 0)
    return [`${name} has ${unknown.length} rows of records that are not there, or are in another segment.`]
  const chunks = await readAllChunks(sql, home, segment.number)
  const loader = new ColumnLoader(segment.number, segment.catalog, (_, chunk) => chunks.get(chunk) as Uint8Array)
  const findings: string[] = []
  for (const numbers of inParts(living, ROWS_AT_ONCE)) {
    const rows = await sql<{ n: number; doc: string }[]>`
      SELECT found.n, found.doc FROM unnest(${numbers as number[]}::bigint[]) asked (n) CROSS JOIN LATERAL (
        SELECT n, doc FROM record WHERE home = ${home} AND collection = ${collection} AND record.n = asked.n LIMIT 1
      ) found ORDER BY found.n`
    const documents = rows.map(({ n, doc }) => ({ n, document: JSON.parse(doc) as JsonObject }))
    for (const { what, records } of compareSegment(segment, loader, documents)) {
      findings.push(`${name} says something else of ${what} than ${records} of its records.`)
    }
  }
  return findings
}
