import { Column, LEAST_KEPT, type Working, type Workings } from '../../engine/column.ts'
import { REST_PATH, SHAPE_PATH } from '../../engine/gather-columns.ts'
import { locate, readBundle } from '../../engine/segment-chunks.ts'
import { BoundedCache } from '../../kernel/bounded-cache.ts'
import { type Effort, TooLongHere } from './effort.ts'
import type { ReadChunk, SegmentContent } from './segment-content.ts'

/** Source of a thread's chunks. */
export interface ChunkSource {
  /** The bytes of a chunk; null when they would have to be waited for. */
  find(segment: number, chunk: number): Uint8Array | null
  /** The same, waiting for them. */
  read(segment: number, chunk: number): Uint8Array
  /** Data that a thread has derived from a column. */
  findWorked(segment: number, name: string): Uint8Array | null
  keepWorked(segment: number, name: string, bytes: Uint8Array): void
}

/** The name of what is worked out from the column of a path. */
export function workedName(path: string, working: Working): string {
  return `${path} ${working}`
}

/** A column is not at hand: whoever may wait reads it. */
export class ColumnNotLoaded extends TooLongHere {
  readonly segment: number
  readonly chunk: number

  constructor(segment: number, chunk: number) {
    super()
    this.segment = segment
    this.chunk = chunk
  }
}

/** Work of one question on columns. */
export interface ColumnWork {
  readonly spend: (steps: number) => void
  readonly looked: Set<string>
  loaded: number
}

function lookFor({ spend }: Pick<Effort, 'spend'>): ColumnWork {
  return { spend, looked: new Set(), loaded: 0 }
}

const NO_EFFORT: Pick<Effort, 'spend'> = { spend() {} }

type ColumnCacheEntry = { readonly column: Column | null } | { readonly bundle: ReadonlyMap<string, Uint8Array> }

/** Memory of an entry beside its bytes. */
const ENTRY_BYTES = 512
/** Sets of rows, and what is worked out from a small column: what threads share is counted where they share it. */
const BYTES_OF_A_ROW = 1

function weightOf(column: Column | null): number {
  if (column === null) return ENTRY_BYTES
  return ENTRY_BYTES + BYTES_OF_A_ROW * column.rows + LEAST_KEPT
}

/** The columns that a thread has at hand, within a number of bytes; those that were not used for longest go first. */
export class ColumnCache {
  readonly #kept: BoundedCache<ColumnCacheEntry>
  readonly #chunks: ChunkSource
  #look = lookFor(NO_EFFORT)
  /** Columns live longer than questions: what they cost is the present one's. */
  readonly #tell = (steps: number): void => this.#look.spend(steps)
  readonly #isPatient: boolean

  /** A thread that is patient reads what it does not have. */
  constructor(bytes: number, chunks: ChunkSource, isPatient: boolean) {
    this.#isPatient = isPatient
    this.#kept = new BoundedCache({ most: bytes })
    this.#chunks = chunks
  }

  /** Begins with a question: what is spent, looked at and loaded from here on is its own. */
  begin(effort: Pick<Effort, 'spend'>): ColumnWork {
    this.#look = lookFor(effort)
    return this.#look
  }

  /** Goes on with a question that has waited. */
  resume(look: ColumnWork): void {
    this.#look = look
  }

  /** Columns that the question has looked at, and those that had to be loaded for it. */
  get used(): { readonly columns: number; readonly loaded: number } {
    return { columns: this.#look.looked.size, loaded: this.#look.loaded }
  }

  /** Is told of work on columns before it is done. */
  spend(steps: number): void {
    this.#look.spend(steps)
  }

  /** The column of a path, or else that of the rest; null when no row of the segment has anything there. */
  column(segment: SegmentContent, path: string): Column | null {
    const own = this.#own(segment, path)
    return own === null && segment.catalog.hasRest === true && path !== SHAPE_PATH ? this.#own(segment, REST_PATH) : own
  }

  #own({ number, catalog }: SegmentContent, path: string): Column | null {
    const key = `${number}/${path}`
    this.#look.looked.add(key)
    const known = this.#kept.get(key)
    if (known !== undefined && 'column' in known) return known.column
    const place = locate(catalog, path)
    if (place === null) return null
    const bytes = place.isBundle ? this.#bundle(number, place.chunk).get(path) : this.#read(number, place.chunk)
    const terms = { spend: this.#tell, workings: this.#workingsOf(number, path) }
    const column = bytes === undefined ? null : new Column(bytes, terms)
    this.#kept.set(key, { column }, weightOf(column))
    return column
  }

  /** The paths below the first ones of bundles, with their columns. */
  *bundled({ number, catalog }: SegmentContent): Generator<readonly [string, Column]> {
    for (const [, chunk] of catalog.bundles) {
      for (const [path, bytes] of this.#bundle(number, chunk)) yield [path, new Column(bytes, { spend: this.#tell })]
    }
  }

  #workingsOf(segment: number, path: string): Workings {
    const chunks = this.#chunks
    return {
      find: (working) => chunks.findWorked(segment, workedName(path, working)),
      keep: (working, bytes) => chunks.keepWorked(segment, workedName(path, working), bytes),
    }
  }

  #bundle(segment: number, chunk: number): ReadonlyMap<string, Uint8Array> {
    const key = `${segment}#${chunk}`
    const known = this.#kept.get(key)
    if (known !== undefined && 'bundle' in known) return known.bundle
    const bytes = this.#read(segment, chunk)
    const bundle = readBundle(bytes)
    this.#kept.set(key, { bundle }, ENTRY_BYTES * (1 + bundle.size) + bytes.length)
    return bundle
  }

  #read(segment: number, chunk: number): Uint8Array {
    const found = this.#chunks.find(segment, chunk)
    if (found !== null) return found
    if (!this.#isPatient) throw new ColumnNotLoaded(segment, chunk)
    this.#look.loaded += 1
    return this.#chunks.read(segment, chunk)
  }
}

/** The number of a chunk, or the name of what was worked out from a column. */
export type ChunkName = number | string

/** Chunks that threads share, and what was worked out from them: the bytes are in memory once, whoever looks at them. */
export class SharedChunks {
  readonly #kept: BoundedCache<Uint8Array>
  #added: ChunkHandle[] | null = null

  constructor(bytes: number) {
    this.#kept = new BoundedCache({ most: bytes })
  }

  /** Takes over what another thread has at hand, and notes from here on what is added to it. */
  learn(handles: readonly ChunkHandle[]): void {
    this.#added = null
    for (const { segment, chunk, bytes } of handles) this.put(segment, chunk, bytes)
    this.#added = []
  }

  /** Chunks added since another thread was learned from. */
  get added(): readonly ChunkHandle[] {
    return this.#added ?? []
  }

  /** Puts bytes to where other threads see them, and keeps them. */
  share(segment: number, chunk: ChunkName, own: Uint8Array): Uint8Array {
    const bytes = shared(own)
    this.put(segment, chunk, bytes)
    return bytes
  }

  get(segment: number, chunk: ChunkName): Uint8Array | null {
    return this.#kept.get(`${segment}#${chunk}`) ?? null
  }

  put(segment: number, chunk: ChunkName, bytes: Uint8Array): void {
    this.#kept.set(`${segment}#${chunk}`, bytes, ENTRY_BYTES + bytes.length)
    this.#added?.push({ segment, chunk, bytes })
  }

  /** What is there, by segment. */
  get bySegment(): ReadonlyMap<number, ReadonlySet<ChunkName>> {
    const segments = new Map<number, Set<ChunkName>>()
    for (const name of this.#kept.names()) {
      const mark = name.indexOf('#')
      const [segment, chunk] = [Number(name.slice(0, mark)), name.slice(mark + 1)]
      const names = segments.get(segment) ?? new Set()
      segments.set(segment, names.add(/^\d+$/.test(chunk) ? Number(chunk) : chunk))
    }
    return segments
  }

  get bytes(): number {
    return this.#kept.weight
  }
}

/** Source of shared chunks: one that is read, and what is worked out from it, is there for all from then on. */
export function sharedSource(chunks: SharedChunks, read: ReadChunk): ChunkSource {
  return {
    find: (segment, chunk) => chunks.get(segment, chunk),
    read: (segment, chunk) => chunks.share(segment, chunk, read(segment, chunk)),
    findWorked: (segment, name) => chunks.get(segment, name),
    keepWorked: (segment, name, bytes) => void chunks.share(segment, name, bytes),
  }
}

/** A chunk on its way between threads. */
export interface ChunkHandle {
  readonly segment: number
  readonly chunk: ChunkName
  /** In memory that threads share. */
  readonly bytes: Uint8Array
}

function shared(bytes: Uint8Array): Uint8Array {
  const copy = new Uint8Array(new SharedArrayBuffer(bytes.length))
  copy.set(bytes)
  return copy
}
