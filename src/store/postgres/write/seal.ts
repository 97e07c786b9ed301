import { type SealedRecord, SegmentGatherer, withDead } from '../../segments/gather-segments.ts'
import { bytesOf, type NewContent } from '../../segments/segment-content.ts'
import type { Shelf } from '../../shelf.ts'
import type { Transaction } from '../base/database.ts'
import { insertSegment, readSegments, removeSegment } from '../base/segment-rows.ts'

/** Turns a shelf's tail into a segment, under the lock of its home; rows of older segments that the tail replaces or removes die. */
export async function sealTail(sql: Transaction, shelf: Shelf<string>): Promise<void> {
  const { home, collection } = shelf
  const tail = await sql<{ n: number }[]>`
    SELECT DISTINCT n FROM tail WHERE home = ${home} AND collection = ${collection} ORDER BY n`
  const numbers = tail.map(({ n }) => n)
  if (numbers.length === 0) return
  const [records] = await Promise.all([
    sql<{ n: number; doc: string }[]>`
      SELECT found.n, found.doc FROM unnest(${numbers}::bigint[]) asked (n) CROSS JOIN LATERAL (
        SELECT n, doc FROM record WHERE home = ${home} AND collection = ${collection} AND record.n = asked.n LIMIT 1
      ) found ORDER BY found.n`,
    bury(sql, shelf, numbers),
  ])
  for (const segment of await gatherInSlices(records)) await insertSegment(sql, shelf, segment)
  await Promise.all([
    sql`DELETE FROM tail WHERE home = ${home} AND collection = ${collection}`,
    sql`UPDATE home SET layout = layout + 1 WHERE home = ${home}`,
  ])
}

async function bury(sql: Transaction, shelf: Shelf<string>, numbers: readonly number[]): Promise<void> {
  const { home, collection } = shelf
  const around = await sql<{ number: number }[]>`
    SELECT number FROM segment WHERE home = ${home} AND collection = ${collection}
      AND first_n <= ${numbers.at(-1) as number} AND last_n >= ${numbers[0] as number}`
  const segments = await readSegments(
    sql,
    shelf,
    around.map(({ number }) => number),
  )
  await Promise.all(
    segments.map(async (segment) => {
      const left = withDead(segment, numbers)
      if (left === 'none') await removeSegment(sql, shelf, segment.number)
      else if (left !== null) {
        await sql`
          UPDATE segment SET dead = ${bytesOf(left.dead)}, dead_rows = ${left.deadRows}
          WHERE home = ${home} AND collection = ${collection} AND number = ${segment.number}`
      }
    }),
  )
}

/** For so long records are gathered before others on the thread have their turn. */
const SLICE_MS = 4

/** Makes segments of records, letting the event loop turn in between: writes compute on the thread that answers requests. */
export async function gatherInSlices(records: Iterable<SealedRecord>): Promise<readonly NewContent[]> {
  const gatherer = new SegmentGatherer()
  let end = performance.now() + SLICE_MS
  for (const record of records) {
    gatherer.add(record)
    if (performance.now() < end) continue
    await new Promise((resolve) => setImmediate(resolve))
    end = performance.now() + SLICE_MS
  }
  return gatherer.finish()
}
