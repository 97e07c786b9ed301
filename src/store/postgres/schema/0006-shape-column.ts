import { SHAPE_PATH } from '../../../engine/gather-columns.ts'
import { type Catalog, locate } from '../../../engine/segment-chunks.ts'
import { columnOfShapes } from '../../segments/numbered-shapes.ts'
import type { Transaction } from '../base/database.ts'
import { chunksOf } from '../base/segment-rows.ts'
import { lockHomes } from '../write/load-records.ts'
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
  async prepare(sql) {
    for (const { home } of await sql<{ home: string }[]>`SELECT DISTINCT home FROM segment ORDER BY home`) {
      // Nobody merges its segments meanwhile; they are read.
      await lockHomes(sql, [home])
      for (const segment of await sql<Key[]>`SELECT home, collection, number FROM segment WHERE home = ${home}`)
        await convert(sql, segment)
    }
  },
  script: `ALTER TABLE segment ALTER COLUMN shapes SET DEFAULT '[]'`,
}

/** What is damaged is left as it is: a check tells of it, and it is made anew as ever. */
async function convert(sql: Transaction, { home, collection, number }: Key): Promise<void> {
  const [segment] = await sql<OldSegment[]>`
    SELECT catalog, shapes FROM segment WHERE home = ${home} AND collection = ${collection} AND number = ${number}`
  const made = segment === undefined ? null : await madeOf(sql, home, { number, ...segment })
  if (made === null) return
  const bytes = Buffer.from(made.bytes.buffer, made.bytes.byteOffset, made.bytes.byteLength)
  await sql`
    INSERT INTO chunk (home, segment, number, bytes) VALUES (${home}, ${number}, ${made.chunk}, ${bytes})
    ON CONFLICT (home, segment, number) DO UPDATE SET bytes = excluded.bytes`
  await sql`
    UPDATE segment SET catalog = ${JSON.stringify(made.catalog)}, shapes = '[]'
    WHERE home = ${home} AND collection = ${collection} AND number = ${number}`
}

async function madeOf(sql: Transaction, home: string, { number, catalog, shapes }: OldSegment & Pick<Key, 'number'>) {
  const parsed = JSON.parse(catalog) as Catalog
  const place = locate(parsed, SHAPE_PATH)
  const [chunk] = await chunksOf(sql, home, number, place === null ? [] : [place.chunk])
  if (chunk === undefined) return null
  try {
    return columnOfShapes({ number, catalog: parsed, shapes }, () => chunk.bytes)
  } catch {
    return null
  }
}
