import type { Catalog } from '../../../engine/segment-chunks.ts'
import { columnOfShapes } from '../../segments/numbered-shapes.ts'
import type { Transaction } from '../base/database.ts'
import type { Migration } from './migration.ts'

interface Key {
  readonly home: string
  readonly collection: string
  readonly number: number
}

interface OldSegment {
  readonly catalog: string
  readonly shapes: string
}

/**
 * Makes the orders of fields in the records of a segment a column of it. They stood in the row of the segment, which was read with them,
 * megabytes where records are of many chemical systems. A program of before reads documents where it finds none there, and this one where
 * that one has written some.
 */
export const shapeColumn: Migration = {
  version: 6,
  name: 'shape column',
  leastReader: 1,
  script: `ALTER TABLE segment ALTER COLUMN shapes SET DEFAULT '[]'`,
  async fill(sql) {
    for (const key of await sql<Key[]>`SELECT home, collection, number FROM segment ORDER BY number`)
      await convert(sql, key)
  },
}

async function convert(sql: Transaction, { home, collection, number }: Key): Promise<void> {
  const [segment] = await sql<OldSegment[]>`
    SELECT catalog, shapes FROM segment WHERE home = ${home} AND collection = ${collection} AND number = ${number}`
  if (segment === undefined) return
  const { shapes } = segment
  const catalog = JSON.parse(segment.catalog) as Catalog
  const chunks = await sql<{ number: number; bytes: Uint8Array }[]>`
    SELECT number, bytes FROM chunk WHERE home = ${home} AND segment = ${number}`
  const made = columnOfShapes(
    { number, catalog, shapes },
    (_, chunk) => chunks.find((one) => one.number === chunk)?.bytes as Uint8Array,
  )
  if (made === null) return
  const bytes = Buffer.from(made.bytes.buffer, made.bytes.byteOffset, made.bytes.byteLength)
  await sql`
    INSERT INTO chunk (home, segment, number, bytes) VALUES (${home}, ${number}, ${made.chunk}, ${bytes})
    ON CONFLICT (home, segment, number) DO UPDATE SET bytes = excluded.bytes`
  await sql`
    UPDATE segment SET catalog = ${JSON.stringify(made.catalog)}, shapes = '[]'
    WHERE home = ${home} AND collection = ${collection} AND number = ${number}`
}
