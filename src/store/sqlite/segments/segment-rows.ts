import { crc32 } from 'node:zlib'
import { type Bits, countBits } from '../../../engine/bits.ts'
import { Column } from '../../../engine/column.ts'
import type { ShapeTable } from '../../../engine/gather-columns.ts'
import { type Catalog, type EncodedSegment, locate, readBundle } from '../../../engine/segment-chunks.ts'
import { type Connection, damageMet } from '../base/database.ts'

/** Where a segment belongs: the records of one home in one collection, both by their numbers. */
export interface Shelf {
  readonly home: number
  readonly collection: number
}

/** A segment as it stands in the database, without its columns. */
export interface SegmentRow extends Shelf {
  readonly number: number
  /** Of which size it is, in powers: segments of one level are of about one size. */
  readonly level: number
  /** The numbers of its records, ascending. */
  readonly numbers: Float64Array
  /** The rows whose records are elsewhere by now, or gone. */
  readonly dead: Bits
  readonly catalog: Catalog
  readonly shapes: ShapeTable
}

interface StoredRow extends Shelf {
  readonly number: number
  readonly level: number
  readonly rows: number
  readonly dead: Buffer
  readonly catalog: string
  readonly shapes: string
  readonly checksum: number
}

const COLUMNS = 'number, home, collection, level, rows, catalog, shapes, dead, checksum'

/** The chunk of a segment that has the numbers of its records. */
const NUMBERS_CHUNK = -1

/** Reads segments and their chunks. */
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
  const rowOf = ({ rows, dead, catalog, shapes, checksum, ...rest }: StoredRow): SegmentRow => {
    if (checksum !== segmentChecksum(rest.number, { catalog, shapes, dead })) {
      throw damageMet(`Segment ${rest.number} is damaged in the storage: it is not what was written.`)
    }
    const numbers = new Float64Array(copyOf(chunkOf(rest.number, NUMBERS_CHUNK)))
    if (numbers.length !== rows) throw damageMet(`Segment ${rest.number} has not as many numbers as rows.`)
    return {
      ...rest,
      numbers,
      dead: new Uint32Array(copyOf(dead)),
      catalog: JSON.parse(catalog) as Catalog,
      shapes: new Map(JSON.parse(shapes) as [number, string][]),
    }
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

interface Described {
  readonly catalog: string
  readonly shapes: string
  readonly dead: Buffer
}

function segmentChecksum(number: number, { catalog, shapes, dead }: Described): number {
  return crc32(dead, crc32(`${number} ${catalog} ${shapes} `)) | 0
}

/** The bytes at the beginning of a buffer of their own, where numbers can be read in place. */
function copyOf(bytes: Buffer): ArrayBuffer {
  return new Uint8Array(bytes).buffer
}

/** A segment that is to be stored. */
export interface NewSegment extends Shelf {
  readonly level: number
  readonly numbers: Float64Array
  readonly dead: Bits
  readonly encoded: EncodedSegment
  readonly shapes: ShapeTable
}

/** Writes segments inside a transaction. */
export interface SegmentWriter {
  insert(segment: NewSegment): number
  markDead(number: number, dead: Bits, deadRows: number): void
  remove(number: number): void
}

export function segmentWriter(connection: Connection): SegmentWriter {
  const insert = connection.prepare(
    `INSERT INTO segment (number, home, collection, level, rows, dead_rows, first_n, last_n, catalog, shapes, dead, checksum)
     VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`,
  )
  const insertChunk = connection.prepare('INSERT INTO chunk (segment, number, checksum, bytes) VALUES (?, ?, ?, ?)')
  const last = connection.prepare<[], number>("SELECT seq FROM sqlite_sequence WHERE name = 'segment'").pluck()
  const describe = connection.prepare('SELECT catalog, shapes FROM segment WHERE number = ?')
  const markDead = connection.prepare('UPDATE segment SET dead = ?, dead_rows = ?, checksum = ? WHERE number = ?')
  const removeChunks = connection.prepare('DELETE FROM chunk WHERE segment = ?')
  const remove = connection.prepare('DELETE FROM segment WHERE number = ?')
  return {
    insert({ home, collection, level, numbers, dead, encoded, shapes }) {
      const number = (last.get() ?? 0) + 1
      const described = {
        catalog: JSON.stringify(encoded.catalog),
        shapes: JSON.stringify([...shapes]),
        dead: bytesOf(dead),
      }
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
        described.shapes,
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
      const { catalog, shapes } = describe.get(number) as { catalog: string; shapes: string }
      const bytes = bytesOf(dead)
      markDead.run(bytes, deadRows, segmentChecksum(number, { catalog, shapes, dead: bytes }), number)
    },
    remove(number) {
      removeChunks.run(number)
      remove.run(number)
    },
  }
}

function bytesOf(numbers: Float64Array | Uint32Array): Buffer {
  return Buffer.from(numbers.buffer, numbers.byteOffset, numbers.byteLength)
}

/** Reads a chunk of a segment. */
export type ReadChunk = (segment: number, chunk: number) => Uint8Array

/** Finds columns in the chunks of one segment; each bundle is taken apart once. */
export class ColumnLoader {
  readonly #segment: number
  readonly #catalog: Catalog
  readonly #read: ReadChunk
  readonly #bundles = new Map<number, ReadonlyMap<string, Uint8Array>>()

  constructor(segment: number, catalog: Catalog, read: ReadChunk) {
    this.#segment = segment
    this.#catalog = catalog
    this.#read = read
  }

  /** The column of a path; null when no row has anything there. */
  load(path: string): Column | null {
    const place = locate(this.#catalog, path)
    if (place === null) return null
    if (!place.isBundle) return new Column(aligned(this.#read(this.#segment, place.chunk)))
    const bytes = this.#bundle(place.chunk).get(path)
    return bytes === undefined ? null : new Column(bytes)
  }

  /** All paths that have a column. */
  *paths(): Generator<string> {
    for (const [path] of this.#catalog.columns) yield path
    for (const [, chunk] of this.#catalog.bundles) yield* this.#bundle(chunk).keys()
  }

  #bundle(chunk: number): ReadonlyMap<string, Uint8Array> {
    let bundle = this.#bundles.get(chunk)
    if (bundle === undefined) {
      bundle = readBundle(aligned(this.#read(this.#segment, chunk)))
      this.#bundles.set(chunk, bundle)
    }
    return bundle
  }
}

/** Numbers can be read in place only where their bytes begin at a multiple of eight. */
function aligned(bytes: Uint8Array): Uint8Array {
  return bytes.byteOffset % 8 === 0 ? bytes : new Uint8Array(bytes)
}
