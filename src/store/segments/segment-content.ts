import { Column } from '../../engine/column.ts'
import { encodeColumn } from '../../engine/column-parts.ts'
import { countDifferences } from '../../engine/compare-columns.ts'
import { ColumnGatherer, REST_PATH, SHAPE_PATH } from '../../engine/gather-columns.ts'
import { type Catalog, type EncodedSegment, locate, readBundle, rowOf } from '../../engine/segment-chunks.ts'
import type { Bits } from '../../engine/selection.ts'
import type { JsonObject } from '../../kernel/json.ts'

/** A segment without its columns; whose it is, its store knows. */
export interface SegmentContent {
  readonly number: number
  /** The numbers of its records, ascending. */
  readonly numbers: Float64Array
  /** The rows whose records are elsewhere by now, or gone. */
  readonly dead: Bits
  readonly catalog: Catalog
}

export interface NewContent {
  readonly numbers: Float64Array
  readonly dead: Bits
  readonly encoded: EncodedSegment
}

/** The chunk of a segment that has the numbers of its records. */
export const NUMBERS_CHUNK = -1

export function bytesOf(numbers: Float64Array | Uint32Array): Buffer {
  return Buffer.from(numbers.buffer, numbers.byteOffset, numbers.byteLength)
}

export function numbersIn(bytes: Uint8Array): Float64Array {
  return new Float64Array(copyOf(bytes))
}

export function bitsIn(bytes: Uint8Array): Bits {
  return new Uint32Array(copyOf(bytes))
}

/** The bytes at the beginning of a buffer of their own, where numbers can be read in place. */
function copyOf(bytes: Uint8Array): ArrayBuffer {
  return new Uint8Array(bytes).buffer
}

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

/** Difference of columns from documents, and number of records with it. */
interface Difference {
  readonly what: string
  readonly records: number
}

/** Holds the columns of a segment against documents of its records, in the order of their numbers. */
export function* compareSegment(
  { numbers }: Pick<SegmentContent, 'numbers'>,
  loader: ColumnLoader,
  documents: Iterable<{ readonly n: number; readonly document: JsonObject }>,
): Generator<Difference> {
  const gatherer = new ColumnGatherer()
  const rows: number[] = []
  for (const { n, document } of documents) {
    gatherer.add(document)
    rows.push(rowOf(numbers, n))
  }
  const fresh = new Map([...gatherer.finish()].map(([path, parts]) => [path, new Column(encodeColumn(parts))]))
  const rests = [loader.load(REST_PATH), fresh.get(REST_PATH) ?? null]
  const isTold = (row: number, at: number) => !rests[0]?.isPresent(row) && !rests[1]?.isPresent(at)
  for (const path of new Set([...loader.paths(), ...fresh.keys()])) {
    const records = countDifferences(loader.load(path), fresh.get(path) ?? null, Uint16Array.from(rows), isTold)
    if (records > 0) yield { what: path === SHAPE_PATH ? 'the order of their fields' : path, records }
  }
}
