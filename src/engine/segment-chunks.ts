import { type ColumnParts, encodeColumn, padded } from './column-parts.ts'
import { REST_PATH } from './gather-columns.ts'
import { countBefore } from './selection.ts'

/** A segment as it is stored: chunks of bytes by their numbers, and what tells which column is where. */
export interface EncodedSegment {
  readonly catalog: Catalog
  readonly chunks: readonly Uint8Array[]
}

/** Places of the columns of a segment: large ones in chunks of their own, small ones together in bundles; each list by its paths. */
export interface Catalog {
  /** `present`: in how many rows there is something at the path. */
  readonly columns: readonly (readonly [path: string, chunk: number, present: number])[]
  /** The first path of each bundle. */
  readonly bundles: readonly (readonly [first: string, chunk: number])[]
  /** Where not all paths have columns. */
  readonly hasRest?: true
}

/** Columns of fewer bytes share a chunk. Most columns are small: units, flags, fields that few records have. */
const SMALL_BYTES = 1024
const BUNDLE_BYTES = 64 * 1024

export function encodeSegment(columns: Iterable<readonly [string, ColumnParts]>): EncodedSegment {
  const encoded = Array.from(columns, ([path, parts]) => {
    return { path, bytes: encodeColumn(parts), present: parts.present.length }
  })
  encoded.sort((a, b) => (a.path < b.path ? -1 : 1))
  const chunks: Uint8Array[] = []
  const large: [string, number, number][] = []
  const bundles: [string, number][] = []
  let bundle: (readonly [string, Uint8Array])[] = []
  let size = 0
  const closeBundle = (): void => {
    const [first] = bundle
    if (first === undefined) return
    bundles.push([first[0], chunks.length])
    chunks.push(encodeBundle(bundle))
    bundle = []
    size = 0
  }
  for (const { path, bytes, present } of encoded) {
    if (bytes.length >= SMALL_BYTES) {
      large.push([path, chunks.length, present])
      chunks.push(bytes)
      continue
    }
    bundle.push([path, bytes])
    size += bytes.length
    if (size >= BUNDLE_BYTES) closeBundle()
  }
  closeBundle()
  const hasRest = encoded.some(({ path }) => path === REST_PATH)
  return { catalog: { columns: large, bundles, ...(hasRest ? { hasRest } : {}) }, chunks }
}

/** A chunk with the path of its column, or with the first one of a bundle. */
export interface ChunkPlace {
  readonly chunk: number
  readonly path: string
  readonly isBundle: boolean
}

/** Finds the chunk of the column of a path, if any: its own, or a bundle that may hold it. */
export function locate(catalog: Catalog, path: string): ChunkPlace | null {
  const column = lastUpTo(catalog.columns, path)
  if (column !== undefined && column[0] === path) return { chunk: column[1], path, isBundle: false }
  const bundle = lastUpTo(catalog.bundles, path)
  return bundle === undefined ? null : { chunk: bundle[1], path: bundle[0], isBundle: true }
}

/** The chunks that are needed to know what rows have at some paths. */
export function placesOf(catalog: Catalog, paths: Iterable<string>): readonly ChunkPlace[] {
  const all = catalog.hasRest === true ? [...paths, REST_PATH] : [...paths]
  const places = all.map((path) => locate(catalog, path)).filter((place) => place !== null)
  return [...new Map(places.map((place) => [place.chunk, place])).values()]
}

function lastUpTo<Entry extends readonly [string, ...number[]]>(
  list: readonly Entry[],
  path: string,
): Entry | undefined {
  return list[countBefore(list.length, (at) => (list[at]?.[0] as string) <= path) - 1]
}

/** A directory as JSON, its length before it, then the columns; each begins at a multiple of eight bytes. */
function encodeBundle(columns: readonly (readonly [string, Uint8Array])[]): Uint8Array {
  let end = 0
  const directory = columns.map(([path, bytes]) => {
    const start = end
    end += padded(bytes.length)
    return [path, start, bytes.length] as const
  })
  const head = Buffer.from(JSON.stringify(directory))
  const base = padded(4 + head.length)
  const bundle = new Uint8Array(base + end)
  new DataView(bundle.buffer).setUint32(0, head.length, true)
  bundle.set(head, 4)
  for (const [at, [, bytes]] of columns.entries()) bundle.set(bytes, base + (directory[at]?.[1] as number))
  return bundle
}

/** The columns of a bundle, by their paths, as parts of its bytes. */
export function readBundle(bundle: Uint8Array): ReadonlyMap<string, Uint8Array> {
  const length = new DataView(bundle.buffer, bundle.byteOffset).getUint32(0, true)
  const directory = JSON.parse(Buffer.from(bundle.buffer as ArrayBuffer, bundle.byteOffset + 4, length).toString()) as [
    string,
    number,
    number,
  ][]
  const base = padded(4 + length)
  return new Map(directory.map(([path, start, size]) => [path, bundle.subarray(base + start, base + start + size)]))
}

/** The first row whose number is not below another: the count of rows when there is none. The numbers of a segment's rows ascend. */
export function firstFrom(numbers: Float64Array, n: number): number {
  return countBefore(numbers.length, (row) => (numbers[row] as number) < n)
}

/** The row of a number; -1 when no row has it. */
export function rowOf(numbers: Float64Array, n: number): number {
  const row = firstFrom(numbers, n)
  return numbers[row] === n ? row : -1
}
