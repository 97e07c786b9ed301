import type { SortKey } from '../../../../query/ast/list-request.ts'
import { joinSql, oneOf, sql } from '../../../../query/sql/sql-fragment.ts'
import { inSnapshot } from '../../database.ts'
import { pathTypeRange } from '../../leaf-key.ts'
import type { Reader } from '../reader.ts'
import type { BuiltList, ListJob, RowOrder, RowSet } from './row-lists.ts'

/** Lists hold row numbers in 32 bits. */
const HIGHEST_ROW = 2 ** 32 - 1
/** A list by row number may have this many times as many places as rows before it is too wasteful. */
const MOST_PLACES_A_ROW = 32

/** Reads a list from the index, on a reader thread; null when the index does not hold it. */
export function buildList(reader: Reader, job: ListJob): BuiltList | null {
  return inSnapshot(reader.connection, () => {
    const changes = reader.changesOf(job.scope)
    const list = job.kind === 'order' ? buildOrder(reader, job) : setOf(reader.statements.column(job.rows) as number[])
    return list === null ? null : { changes, list }
  })
}

function buildOrder(reader: Reader, { collection, scope, sort }: Extract<ListJob, { kind: 'order' }>): RowOrder | null {
  const scopes = reader.names.scopes(scope)
  const keys = sort.map((key) => rankedRows(reader, collection, scopes, key))
  const [first, ...others] = keys
  if (first === undefined || first === null) return null
  if (others.some((key) => key === null)) return null
  const ranks = (others as RankedRows[]).map(({ rows, ranks: values }) => rankByRow(rows, values))
  const [lowest, highest] = boundsOf(first.rows)
  if (highest > HIGHEST_ROW || highest - lowest > MOST_PLACES_A_ROW * (first.rows.length + 1)) return null
  const numbers = shared(first.rows.length)
  breakTies(first, ranks, numbers)
  const places = shared(first.rows.length === 0 ? 0 : highest - lowest + 1)
  for (let at = 0; at < numbers.length; at += 1) places[(numbers[at] as number) - lowest] = at + 1
  return { kind: 'order', numbers, places, first: lowest }
}

/** Every row once, in the order of one key, with a number that rows that tie on it have in common. */
interface RankedRows {
  readonly rows: readonly number[]
  readonly ranks: Uint32Array
}

/** Null unless every record of the collection has exactly one value at the path, a whole scalar. */
function rankedRows(
  reader: Reader,
  collection: number,
  scopes: readonly number[] | null,
  { path: { text }, direction }: SortKey,
): RankedRows | null {
  const path = reader.names.path(collection, text)
  if (path === null || path.plain !== reader.names.recordCount(collection)) return null
  const [from, to] = pathTypeRange(path.number)
  const visible = scopes === null ? [] : [oneOf(sql`scope`, scopes)]
  const where = joinSql([sql`path_type BETWEEN ${from} AND ${to}`, ...visible], ' AND ')
  const order = direction === 1 ? sql`path_type, value` : sql`path_type DESC, value DESC`
  const rows: number[] = []
  const ranks: number[] = []
  let rank = 0
  let [type, value]: [unknown, unknown] = [null, null]
  const query = sql`SELECT n, path_type AS type, value FROM leaf WHERE ${where} ORDER BY ${order}`
  for (const row of reader.statements.rows(query) as Iterable<{ n: number; type: number; value: unknown }>) {
    if (row.value !== value || row.type !== type) {
      rank += 1
      type = row.type
      value = row.value
    }
    rows.push(row.n)
    ranks.push(rank)
  }
  return { rows, ranks: Uint32Array.from(ranks) }
}

function rankByRow(rows: readonly number[], ranks: Uint32Array): Map<number, number> {
  return new Map(rows.map((n, at) => [n, ranks[at] as number]))
}

/** Writes the rows in their final order: runs that tie on the first key by the others, then by natural order. */
function breakTies({ rows, ranks }: RankedRows, others: readonly Map<number, number>[], numbers: Uint32Array): void {
  const compare = (a: number, b: number): number => {
    for (const other of others) {
      const difference = (other.get(a) ?? 0) - (other.get(b) ?? 0)
      if (difference !== 0) return difference
    }
    return a - b
  }
  let start = 0
  for (let at = 1; at <= rows.length; at += 1) {
    if (at < rows.length && ranks[at] === ranks[start]) continue
    const run = rows.slice(start, at)
    numbers.set(run.length > 1 ? run.sort(compare) : run, start)
    start = at
  }
}

function setOf(rows: readonly number[]): RowSet | null {
  const [lowest, highest] = boundsOf(rows)
  if (highest - lowest > MOST_PLACES_A_ROW * 8 * (rows.length + 1)) return null
  const bits = new Uint8Array(new SharedArrayBuffer(((highest - lowest) >> 3) + 1))
  for (const n of rows) {
    const at = n - lowest
    bits[at >> 3] = (bits[at >> 3] ?? 0) | (1 << (at & 7))
  }
  return { kind: 'set', bits, first: lowest }
}

function boundsOf(rows: readonly number[]): readonly [lowest: number, highest: number] {
  let [lowest, highest] = [rows[0] ?? 0, rows[0] ?? 0]
  for (const n of rows) {
    if (n < lowest) lowest = n
    if (n > highest) highest = n
  }
  return [lowest, highest]
}

/** Memory that threads share, so that handing a list over copies nothing. */
function shared(length: number): Uint32Array {
  return new Uint32Array(new SharedArrayBuffer(length * Uint32Array.BYTES_PER_ELEMENT))
}
