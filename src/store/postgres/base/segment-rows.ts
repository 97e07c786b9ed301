import type { Catalog } from '../../../engine/segment-chunks.ts'
import { countBits } from '../../../engine/selection.ts'
import type { SegmentSize } from '../../segments/merge-content.ts'
import {
  bitsIn,
  bytesOf,
  type NewContent,
  NUMBERS_CHUNK,
  numbersIn,
  type SegmentContent,
} from '../../segments/segment-content.ts'
import type { Shelf } from '../../shelf.ts'
import type { Statements, Transaction } from './database.ts'
import { inParts } from './each-home.ts'

interface SegmentRow {
  readonly number: number
  readonly catalog: string
  readonly dead: Uint8Array
}

/** The segments of a shelf, by their numbers. */
export function listSegments(sql: Statements, { home, collection }: Shelf<string>): Promise<readonly SegmentSize[]> {
  return sql<SegmentSize[]>`
    SELECT number, rows, dead_rows AS "deadRows" FROM segment
    WHERE home = ${home} AND collection = ${collection} ORDER BY number`
}

/** Bytes of the largest chunk of segments of a home, by their numbers. */
export async function largestChunks(
  sql: Statements,
  home: string,
  numbers: readonly number[],
): Promise<ReadonlyMap<number, number>> {
  const rows = await sql<{ segment: number; bytes: number }[]>`
    SELECT segment, max(octet_length(bytes)) AS bytes FROM chunk
    WHERE home = ${home} AND segment = ANY(${numbers as number[]}::bigint[]) GROUP BY segment`
  return new Map(rows.map(({ segment, bytes }) => [segment, bytes]))
}

/** Some segments of a shelf, as far as they are there. */
export async function readSegments(
  sql: Statements,
  { home, collection }: Shelf<string>,
  numbers: readonly number[],
): Promise<readonly SegmentContent[]> {
  if (numbers.length === 0) return []
  const [rows, chunks] = await Promise.all([
    sql<SegmentRow[]>`
      SELECT number, catalog, dead FROM segment
      WHERE home = ${home} AND collection = ${collection} AND number = ANY(${numbers as number[]}::bigint[]) ORDER BY number`,
    sql<{ segment: number; bytes: Uint8Array }[]>`
      SELECT segment, bytes FROM chunk
      WHERE home = ${home} AND segment = ANY(${numbers as number[]}::bigint[]) AND number = ${NUMBERS_CHUNK}`,
  ])
  const numbersOf = new Map(chunks.map(({ segment, bytes }) => [segment, bytes]))
  return rows.flatMap(({ number, catalog, dead }) => {
    const bytes = numbersOf.get(number)
    if (bytes === undefined) return []
    return [{ number, numbers: numbersIn(bytes), dead: bitsIn(dead), catalog: JSON.parse(catalog) as Catalog }]
  })
}

/** The statement that gives chunks of a segment, as far as they are there. */
export function chunksOf(sql: Statements, home: string, segment: number, numbers: readonly number[]) {
  return sql<{ number: number; bytes: Uint8Array }[]>`
    SELECT found.number, found.bytes FROM unnest(${[...numbers]}::integer[]) asked (number) CROSS JOIN LATERAL (
      SELECT number, bytes FROM chunk
      WHERE home = ${home} AND segment = ${segment} AND chunk.number = asked.number LIMIT 1
    ) found`
}

export async function readAllChunks(
  sql: Statements,
  home: string,
  segment: number,
): Promise<ReadonlyMap<number, Uint8Array>> {
  const rows = await sql<{ number: number; bytes: Uint8Array }[]>`
    SELECT number, bytes FROM chunk WHERE home = ${home} AND segment = ${segment}`
  return new Map(rows.map(({ number, bytes }) => [number, bytes]))
}

/** Chunks that are written with one statement. */
const CHUNKS_TOGETHER = 64

/** Writes a segment, under the lock of its home. */
export async function insertSegment(
  sql: Transaction,
  { home, collection }: Shelf<string>,
  content: NewContent,
): Promise<void> {
  const { numbers, dead, encoded } = content
  const [row] = await sql<{ number: number }[]>`SELECT nextval('segment_number') AS number`
  const { number } = row as { number: number }
  const chunks = [
    [NUMBERS_CHUNK, bytesOf(numbers)] as const,
    ...encoded.chunks.map((bytes, at) => [at, Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength)] as const),
  ]
  await Promise.all([
    sql`
      INSERT INTO segment (home, collection, number, rows, dead_rows, first_n, last_n, catalog, dead)
      VALUES (${home}, ${collection}, ${number}, ${numbers.length}, ${countBits(dead)}, ${numbers[0] ?? 0}, ${numbers.at(-1) ?? 0},
        ${JSON.stringify(encoded.catalog)}, ${bytesOf(dead)})`,
    ...inParts(chunks, CHUNKS_TOGETHER).map(
      (part) =>
        sql`INSERT INTO chunk ${sql(part.map(([at, bytes]) => ({ home, segment: number, number: at, bytes })))}`,
    ),
  ])
}

export async function removeSegment(
  sql: Transaction,
  { home, collection }: Shelf<string>,
  number: number,
): Promise<void> {
  await Promise.all([
    sql`DELETE FROM chunk WHERE home = ${home} AND segment = ${number}`,
    sql`DELETE FROM segment WHERE home = ${home} AND collection = ${collection} AND number = ${number}`,
  ])
}
