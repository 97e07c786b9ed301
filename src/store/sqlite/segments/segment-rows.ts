import { crc32 } from 'node:zlib'
import type { Catalog } from '../../../engine/segment-chunks.ts'
import { type Bits, countBits } from '../../../engine/selection.ts'
import { damageMet } from '../../errors.ts'
import {
  bitsIn,
  bytesOf,
  type NewContent,
  NUMBERS_CHUNK,
  numbersIn,
  type SegmentContent,
} from '../../segments/segment-content.ts'
import type { Shelf } from '../../shelf.ts'
import type { Connection } from '../base/database.ts'

/** A segment as it stands in the database, without its columns. */
export interface SegmentRow extends Shelf, SegmentContent {
  /** Size in powers: segments of one level are of about one size. */
  readonly level: number
}

interface StoredRow extends Shelf {
  readonly number: number
  readonly level: number
  readonly rows: number
  readonly dead: Buffer
  readonly catalog: string
  readonly checksum: number
}

const COLUMNS = 'number, home, collection, level, rows, catalog, dead, checksum'

export interface SegmentReader {
  /** The numbers of a shelf's segments, with how many of their rows are dead: what has changed when either has. */
  list(shelf: Shelf): readonly { readonly number: number; readonly deadRows: number }[]
  read(number: number): SegmentRow | null
  /** The segments that may hold a record with a number from the first to the last. */
  around(shelf: Shelf, first: number, last: number): readonly SegmentRow[]
  chunk(segment: number, chunk: number): Buffer
}

export function segmentReader(connection: Connection): SegmentReader {
  const list = connection.prepare<[number, number], { number: number; deadRows: number }>(
    'SELECT number, dead_rows AS deadRows FROM segment WHERE home = ? AND collection = ? ORDER BY number',
  )
  const read = connection.prepare<[number], StoredRow>(`SELECT ${COLUMNS} FROM segment WHERE number = ?`)
  const around = connection.prepare<[number, number, number, number], StoredRow>(
    `SELECT ${COLUMNS} FROM segment WHERE home = ? AND collection = ? AND first_n <= ? AND last_n >= ?`,
  )
  const chunk = connection
    .prepare<[number, number], [number, Buffer]>('SELECT checksum, bytes FROM chunk WHERE segment = ? AND number = ?')
    .raw()
  const chunkOf = (segment: number, number: number): Buffer => {
    const row = chunk.get(segment, number)
    if (row === undefined) throw damageMet(`Segment ${segment} has no chunk ${number}.`)
    const [checksum, bytes] = row
    if (checksum !== chunkChecksum(segment, number, bytes)) {
      throw damageMet(`Chunk ${number} of segment ${segment} is damaged in the storage: it is not what was written.`)
    }
    return bytes
  }
  const rowOf = ({ rows, dead, catalog, checksum, ...rest }: StoredRow): SegmentRow => {
    if (checksum !== segmentChecksum(rest.number, { catalog, dead })) {
      throw damageMet(`Segment ${rest.number} is damaged in the storage: it is not what was written.`)
    }
    const numbers = numbersIn(chunkOf(rest.number, NUMBERS_CHUNK))
    if (numbers.length !== rows) throw damageMet(`Segment ${rest.number} has not as many numbers as rows.`)
    return { ...rest, numbers, dead: bitsIn(dead), catalog: JSON.parse(catalog) as Catalog }
  }
  return {
    list: ({ home, collection }) => list.all(home, collection),
    read(number) {
      const row = read.get(number)
      return row === undefined ? null : rowOf(row)
    },
    around: ({ home, collection }, first, last) => around.all(home, collection, last, first).map(rowOf),
    chunk: chunkOf,
  }
}

/** CRC-32, signed, with what names the row before it: a chunk in the place of another is as wrong as a damaged one. */
function chunkChecksum(segment: number, number: number, bytes: Uint8Array): number {
  return crc32(bytes, crc32(`${segment} ${number} `)) | 0
}

interface ChecksumParts {
  readonly catalog: string
  readonly dead: Buffer
}

function segmentChecksum(number: number, { catalog, dead }: ChecksumParts): number {
  return crc32(dead, crc32(`${number} ${catalog} `)) | 0
}

export interface NewSegment extends Shelf, NewContent {
  readonly level: number
}

/** Writes segments inside a transaction. */
export interface SegmentWriter {
  insert(segment: NewSegment): number
  markDead(number: number, dead: Bits, deadRows: number): void
  remove(number: number): void
}

export function segmentWriter(connection: Connection): SegmentWriter {
  const insert = connection.prepare(
    `INSERT INTO segment (number, home, collection, level, rows, dead_rows, first_n, last_n, catalog, dead, checksum)
     VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`,
  )
  const insertChunk = connection.prepare('INSERT INTO chunk (segment, number, checksum, bytes) VALUES (?, ?, ?, ?)')
  const last = connection.prepare<[], number>("SELECT seq FROM sqlite_sequence WHERE name = 'segment'").pluck()
  const catalogOf = connection.prepare<[number], string>('SELECT catalog FROM segment WHERE number = ?').pluck()
  const markDead = connection.prepare('UPDATE segment SET dead = ?, dead_rows = ?, checksum = ? WHERE number = ?')
  const removeChunks = connection.prepare('DELETE FROM chunk WHERE segment = ?')
  const remove = connection.prepare('DELETE FROM segment WHERE number = ?')
  return {
    insert({ home, collection, level, numbers, dead, encoded }) {
      const number = (last.get() ?? 0) + 1
      const described = { catalog: JSON.stringify(encoded.catalog), dead: bytesOf(dead) }
      insert.run(
        number,
        home,
        collection,
        level,
        numbers.length,
        countBits(dead),
        numbers[0] ?? 0,
        numbers.at(-1) ?? 0,
        described.catalog,
        described.dead,
        segmentChecksum(number, described),
      )
      const keep = (at: number, bytes: Uint8Array) =>
        insertChunk.run(number, at, chunkChecksum(number, at, bytes), bytes)
      keep(NUMBERS_CHUNK, bytesOf(numbers))
      for (const [at, bytes] of encoded.chunks.entries()) keep(at, bytes)
      return number
    },
    markDead(number, dead, deadRows) {
      const catalog = catalogOf.get(number) as string
      const bytes = bytesOf(dead)
      markDead.run(bytes, deadRows, segmentChecksum(number, { catalog, dead: bytes }), number)
    },
    remove(number) {
      removeChunks.run(number)
      remove.run(number)
    },
  }
}
