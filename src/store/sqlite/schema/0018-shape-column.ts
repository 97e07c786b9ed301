import { crc32 } from 'node:zlib'
import type { Catalog } from '../../../engine/segment-chunks.ts'
import { columnOfShapes } from '../../segments/numbered-shapes.ts'
import type { Connection } from '../base/database.ts'
import type { Migration } from './migration.ts'

interface OldSegment {
  readonly number: number
  readonly catalog: string
  readonly shapes: string
  readonly dead: Buffer
  readonly checksum: number
}

interface OldChunk {
  readonly checksum: number
  readonly bytes: Buffer
}

/**
 * Makes the orders of fields in the records of a segment a column of it. They stood in the row of the segment, which was read, checked and
 * written with them, megabytes where records are of many chemical systems.
 */
export const shapeColumn: Migration = {
  version: 18,
  name: 'shape-column',
  script: 'ALTER TABLE segment RENAME COLUMN shapes TO numbered_shapes',
  fill(connection) {
    const numbers = connection.prepare<[], number>('SELECT number FROM segment ORDER BY number').pluck().all()
    const convert = converter(connection)
    for (const number of numbers) convert(number)
    connection.exec('ALTER TABLE segment DROP COLUMN numbered_shapes')
  },
}

/** What is damaged stays so: it keeps a checksum that does not fit, and whoever reads it is told. */
function converter(connection: Connection): (number: number) => void {
  const find = connection.prepare<[number], OldSegment>(
    'SELECT number, catalog, numbered_shapes AS shapes, dead, checksum FROM segment WHERE number = ?',
  )
  const findChunk = connection.prepare<[number, number], OldChunk>(
    'SELECT checksum, bytes FROM chunk WHERE segment = ? AND number = ?',
  )
  const putRow = connection.prepare('UPDATE segment SET catalog = ?, checksum = ? WHERE number = ?')
  const putChunk = connection.prepare(
    'INSERT OR REPLACE INTO chunk (segment, number, checksum, bytes) VALUES (?, ?, ?, ?)',
  )
  const put = ({ number, dead }: OldSegment, catalog: string) =>
    putRow.run(catalog, crc32(dead, crc32(`${number} ${catalog} `)) | 0, number)

  return (number) => {
    const segment = find.get(number) as OldSegment
    const { catalog, shapes, dead, checksum } = segment
    if (checksum !== (crc32(dead, crc32(`${number} ${catalog} ${shapes} `)) | 0)) return
    let isDamaged = false
    const read = (_: number, chunk: number): Uint8Array => {
      const found = findChunk.get(number, chunk)
      isDamaged = found?.checksum !== (crc32(found?.bytes ?? '', crc32(`${number} ${chunk} `)) | 0)
      if (isDamaged) throw new RangeError(`chunk ${chunk} of segment ${number} is damaged`)
      return found?.bytes as Buffer
    }
    try {
      const made = columnOfShapes({ number, catalog: JSON.parse(catalog) as Catalog, shapes }, read)
      if (made === null) put(segment, catalog)
      else {
        const { chunk, bytes } = made
        putChunk.run(number, chunk, crc32(bytes, crc32(`${number} ${chunk} `)) | 0, bytes)
        put(segment, JSON.stringify(made.catalog))
      }
    } catch (error) {
      if (!isDamaged) throw error
      put(segment, catalog)
    }
  }
}
