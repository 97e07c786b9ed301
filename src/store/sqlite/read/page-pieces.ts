import { sql } from '../../../query/sql/sql-fragment.ts'
import type { Effort } from './effort.ts'
import { NO_DOCUMENTS, type PageDocuments, type PageSource, rowsOfPage } from './page-source.ts'
import type { Reader } from './reader.ts'

/** Documents that are read together, in bytes of their texts. */
const PIECE_BYTES = 1024 * 1024

interface Row {
  readonly n: number
  readonly bytes: number
  readonly place: Buffer | null
}

/** Writes the documents of the given records as the bytes of a JSON array. */
export type WriteArray = (numbers: readonly number[]) => Buffer

/**
 * Writes a page whose documents are large, a few of them at a time: to join all in one statement would take their memory several times.
 * How long the page becomes is known beforehand where documents are written as they are; of projections it is told as soon as it shows.
 */
export function writeInPieces(
  reader: Reader,
  source: PageSource,
  effort: Effort,
  { write, isWhole }: { readonly write: WriteArray; readonly isWhole: boolean },
): PageDocuments {
  const rows = reader.statements.all(
    sql`SELECT wanted.n AS n, octet_length(record.doc) AS bytes, place
        FROM (${rowsOfPage(source)}) AS wanted CROSS JOIN record ON record.n = wanted.n`,
  ) as Row[]
  if (rows.length === 0) return NO_DOCUMENTS
  const total = rows.reduce((sum, { bytes }) => sum + bytes + 1, 1)
  if (isWhole || effort.thread === 'request') effort.assertFits(total)
  const space = new Space(isWhole ? total : PIECE_BYTES)
  let read = 1
  for (const group of groupsOf(rows)) {
    space.add(write(group.map(({ n }) => n)))
    read += group.reduce((sum, { bytes }) => sum + bytes + 1, 0)
    if (effort.thread === 'reader') effort.spendBroad()
    if (space.length > effort.mostBytes) effort.assertFits(Math.ceil((space.length * total) / read))
  }
  const last = rows.at(-1)
  return {
    documents: space.whole,
    count: rows.length,
    last: last === undefined ? null : { n: last.n, place: last.place },
  }
}

const OPEN = 0x5b
const COMMA = 0x2c

/** Where a JSON array is put together from parts of it. */
class Space {
  length = 0
  #bytes: Buffer

  constructor(expected: number) {
    this.#bytes = Buffer.allocUnsafeSlow(expected)
  }

  get whole(): Buffer {
    return this.#bytes.subarray(0, this.length)
  }

  /** Adds the elements of an array: a comma takes the place of the bracket that was there before. */
  add(array: Buffer): void {
    const start = Math.max(0, this.length - 1)
    this.#growTo(start + array.length)
    array.copy(this.#bytes, start)
    this.#bytes[start] = start === 0 ? OPEN : COMMA
    this.length = start + array.length
  }

  #growTo(length: number): void {
    if (length <= this.#bytes.length) return
    const larger = Buffer.allocUnsafeSlow(Math.max(length, 2 * this.#bytes.length))
    this.#bytes.copy(larger, 0, 0, this.length)
    this.#bytes = larger
  }
}

function* groupsOf(rows: readonly Row[]): Generator<readonly Row[]> {
  let group: Row[] = []
  let bytes = 0
  for (const row of rows) {
    if (group.length > 0 && bytes + row.bytes > PIECE_BYTES) {
      yield group
      group = []
      bytes = 0
    }
    group.push(row)
    bytes += row.bytes
  }
  if (group.length > 0) yield group
}
