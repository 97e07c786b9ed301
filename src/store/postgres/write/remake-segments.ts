import { type Bits, countBits, setBit } from '../../../engine/selection.ts'
import { bytesOf, type SegmentContent } from '../../segments/segment-content.ts'
import type { Shelf } from '../../shelf.ts'
import type { Statements, Transaction } from '../base/database.ts'
import { insertSegment, readSegments, removeSegment } from '../base/segment-rows.ts'
import { lockHomes } from './load-records.ts'
import { gatherInSlices, sealTail } from './seal.ts'

/** Says how far the making anew of segments is, for as long as it goes on. */
export const REMAKING_MARK = 'reindex'

/** Carries work out in a transaction, one of its own or a larger one. */
export type Commit = <Result>(work: (sql: Transaction) => Promise<Result>) => Promise<Result>

interface RemakingTerms {
  readonly commit: Commit
  /** Records that are made into a segment at a time: whoever writes to their home waits for it. */
  readonly together: number
  readonly progress: (done: number, total: number) => void
  /** Hears of each shelf whose segments have been made, outside of any transaction. */
  readonly onShelf?: (shelf: Shelf<string>) => Promise<void>
}

/** The shelf whose segments are being made, and the number up to which its records are in new ones. */
interface RemakingPlace extends Shelf<string> {
  readonly reached: number
}

const NONE = -1
const ALL = Number.MAX_SAFE_INTEGER

/**
 * Makes all segments anew, each step under the lock of a home: the records behind a number get a segment, and older rows of them die.
 * So every record is in one place throughout. What was interrupted goes on; of two that do it at once, each takes the next step.
 */
export async function remakeSegments(
  sql: Statements,
  { commit, together, progress, onShelf }: RemakingTerms,
): Promise<void> {
  const [counted] = await sql<{ total: number }[]>`SELECT count(*) AS total FROM record`
  const total = counted?.total ?? 0
  let done = 0
  for (const shelf of await listShelves(sql)) {
    for (let place: RemakingPlace | null = { ...shelf, reached: NONE }; place !== null && place.reached < ALL; ) {
      const step = await commit((transaction) => remakeNext(transaction, shelf, together))
      done += step.records
      progress(Math.min(done, total), total)
      place = step.place
    }
    await onShelf?.(shelf)
  }
  await commit((transaction) => transaction`DELETE FROM mark WHERE name = ${REMAKING_MARK}`)
}

async function listShelves(sql: Statements): Promise<readonly Shelf<string>[]> {
  const shelves = await sql<Shelf<string>[]>`
    SELECT home, collection FROM record UNION SELECT home, collection FROM segment UNION SELECT home, collection FROM tail`
  return [...shelves].sort(compareShelves)
}

function compareShelves(a: Shelf<string>, b: Shelf<string>): number {
  const [first, second] = a.home === b.home ? [a.collection, b.collection] : [a.home, b.home]
  return first < second ? -1 : Number(first > second)
}

interface RemakingStep {
  /** Null: what is marked is past the shelf. */
  readonly place: RemakingPlace | null
  readonly records: number
}

async function remakeNext(sql: Transaction, shelf: Shelf<string>, together: number): Promise<RemakingStep> {
  const { home, collection } = shelf
  await lockHomes(sql, [home])
  const marked = await readPlace(sql)
  const order = marked === null ? -1 : compareShelves(marked, shelf)
  if (order > 0) return { place: null, records: 0 }
  const reached = order === 0 && marked !== null ? marked.reached : NONE
  // The tail itself may be wrong: it is sealed first.
  if (reached === NONE) await sealTail(sql, shelf)
  const records = await sql<{ n: number; doc: string }[]>`
    SELECT n, doc FROM record WHERE home = ${home} AND collection = ${collection} AND n > ${reached} ORDER BY n LIMIT ${together}`
  const to = records.length < together ? ALL : (records.at(-1)?.n ?? ALL)
  await buryRange(sql, shelf, { reached, to })
  for (const segment of await gatherInSlices(records)) await insertSegment(sql, shelf, segment)
  const place = { home, collection, reached: to }
  await Promise.all([
    sql`UPDATE home SET layout = layout + 1 WHERE home = ${home}`,
    sql`
      INSERT INTO mark (name, value) VALUES (${REMAKING_MARK}, ${JSON.stringify(place)})
      ON CONFLICT (name) DO UPDATE SET value = excluded.value`,
  ])
  return { place, records: records.length }
}

async function readPlace(sql: Transaction): Promise<RemakingPlace | null> {
  const [row] = await sql<{ value: string }[]>`SELECT value FROM mark WHERE name = ${REMAKING_MARK}`
  return row === undefined ? null : (JSON.parse(row.value) as RemakingPlace)
}

interface RemadeRange {
  readonly reached: number
  readonly to: number
}

/** Lets the rows die that segments have of the numbers of a range, whether or not there are such records; at the end, segments that cannot be read go. */
async function buryRange(sql: Transaction, shelf: Shelf<string>, { reached, to }: RemadeRange): Promise<void> {
  const { home, collection } = shelf
  const around = await sql<{ number: number }[]>`
    SELECT number FROM segment WHERE home = ${home} AND collection = ${collection}
      AND (last_n > ${reached} AND first_n <= ${to} OR ${to} = ${ALL})`
  for (const { number } of around) {
    const [segment] = await readSegments(sql, shelf, [number])
    const left = segment === undefined ? (to === ALL ? 'none' : null) : withoutRange(segment, { reached, to })
    if (left === 'none') await removeSegment(sql, shelf, number)
    else if (left !== null) {
      await sql`
        UPDATE segment SET dead = ${bytesOf(left)}, dead_rows = ${countBits(left)}
        WHERE home = ${home} AND collection = ${collection} AND number = ${number}`
    }
  }
}

/** Null: the segment has nothing of the range; `none`: and of nothing else any more. */
function withoutRange({ numbers, dead }: SegmentContent, { reached, to }: RemadeRange): Bits | 'none' | null {
  const left = dead.slice()
  for (const [row, n] of numbers.entries()) if (n > reached && n <= to) setBit(left, row)
  const deadRows = countBits(left)
  if (deadRows === numbers.length) return 'none'
  return deadRows === countBits(dead) ? null : left
}
