import { Column, LEAST_KEPT, type Working, type Workings } from '../../engine/column.ts'
import { REST_PATH, SHAPE_PATH } from '../../engine/gather-columns.ts'
import { type ChunkPlace, locate, readBundle } from '../../engine/segment-chunks.ts'
import { BoundedCache } from '../../kernel/bounded-cache.ts'
import { type Effort, TooLongHere } from './effort.ts'
import type { ReadChunk, SegmentContent } from './segment-content.ts'

/** Bytes of a segment on their way between threads. */
export interface ChunkHandle {
  readonly segment: number
  /** Of a column, of a bundle of small ones, or of what was worked out from a column. */
  readonly name: string
  /** In memory that threads share. */
  readonly bytes: Uint8Array
}

/** Before the first path of a bundle, in its name. */
export const BUNDLE = '#'

export function columnName(path: string): string {
  return `/${path}`
}

/** The name of what is worked out from the column of a path. */
export function workedName(path: string, working: Working): string {
  return `${working}/${path}`
}

export function chunkName({ path, isBundle }: ChunkPlace): string {
  return isBundle ? `${BUNDLE}${path}` : columnName(path)
}

export function keyOf(segment: number, name: string): string {
  return `${segment} ${name}`
}

/** A column is not at hand: whoever may wait reads it. */
export class ColumnNotLoaded extends TooLongHere {
  readonly segment: number
  readonly place: ChunkPlace

  constructor(segment: number, place: ChunkPlace) {
    super()
    this.segment = segment
    this.place = place
  }
}

/** Bytes of segments by their keys. */
export type HeldChunks = ReadonlyMap<string, Uint8Array>

/** Work of one question on columns. */
export interface ColumnWork {
  readonly spend: (steps: number) => void
  readonly looked: Set<string>
  loaded: number
  /** Bytes that are at hand for as long as the question lasts, however little memory there is for all. */
  readonly held: HeldChunks
}

const NO_EFFORT: Pick<Effort, 'spend'> = { spend() {} }
const NOTHING_HELD: HeldChunks = new Map()

function workWith({ spend }: Pick<Effort, 'spend'>, held: HeldChunks): ColumnWork {
  return { spend, looked: new Set(), loaded: 0, held }
}

/** Bytes, and what they were taken for. */
interface ColumnCacheEntry {
  readonly bytes: Uint8Array
  /** Null where no row of the segment has anything at the path. */
  readonly column?: Column | null
  readonly bundle?: ReadonlyMap<string, Uint8Array>
}

/** Memory of an entry beside its bytes. */
const ENTRY_BYTES = 512
/** Sets of rows of a column, which lie beside its bytes. */
const BYTES_OF_A_ROW = 1
const NO_BYTES = new Uint8Array()

function weightOf({ bytes, column = null, bundle }: ColumnCacheEntry): number {
  const derived = column === null ? 0 : BYTES_OF_A_ROW * column.rows + LEAST_KEPT
  return ENTRY_BYTES * (1 + (bundle?.size ?? 0)) + bytes.length + derived
}

/** How a thread hands over what it reads for another. */
export interface Handing {
  /** Bytes of one job: what is handed over pushes other columns out. */
  readonly most: number
  readonly over: (chunks: readonly ChunkHandle[]) => void
}

const HANDS_NOTHING: Handing = { most: 0, over() {} }
const HANDED_AT_A_TIME = 4 * 2 ** 20

/** The columns that a thread has at hand and what was worked out from them, within a number of bytes; those that were not used for longest go first. Their bytes are in memory once, whichever thread looks at them. */
export class ColumnCache {
  readonly #kept: BoundedCache<ColumnCacheEntry>
  readonly #read: ReadChunk | null
  readonly #handing: Handing
  #work = workWith(NO_EFFORT, NOTHING_HELD)
  #lent = NOTHING_HELD
  /** What was read for a job and is not handed over yet; null: nothing is. */
  #added: ChunkHandle[] | null = null
  #addedBytes = 0
  #handedBytes = 0
  /** Columns live longer than questions: what they cost is the present one's. */
  readonly #tell = (steps: number): void => this.#work.spend(steps)

  /** `read`: of a thread that may wait for what it does not have. `handing`: of one that reads for another. */
  constructor(bytes: number, read: ReadChunk | null, handing: Handing = HANDS_NOTHING) {
    this.#kept = new BoundedCache({ most: bytes })
    this.#read = read
    this.#handing = handing
  }

  /** Lends chunks to the questions of a job, and hands over from here on what is read for it, unless that is for this thread alone. */
  lend(handles: readonly ChunkHandle[], isForOwner = true): void {
    this.#lent = new Map(handles.map(({ segment, name, bytes }) => [keyOf(segment, name), bytes]))
    this.#added = isForOwner ? [] : null
    this.#addedBytes = 0
    this.#handedBytes = 0
  }

  /** Ends a job: what was lent, and what was read, is held for nobody any more. */
  release(): void {
    this.#handOver()
    this.#lent = NOTHING_HELD
    this.#added = null
    this.#work = workWith(NO_EFFORT, NOTHING_HELD)
  }

  get lent(): HeldChunks {
    return this.#lent
  }

  /** Begins with a question: what is spent, looked at and loaded from here on is its own. */
  begin(effort: Pick<Effort, 'spend'>, held: HeldChunks = this.#lent): ColumnWork {
    this.#work = workWith(effort, held)
    return this.#work
  }

  /** Goes on with a question that has waited. */
  resume(work: ColumnWork): void {
    this.#work = work
  }

  /** Columns that the question has looked at, and those that had to be loaded for it. */
  get used(): { readonly columns: number; readonly loaded: number } {
    return { columns: this.#work.looked.size, loaded: this.#work.loaded }
  }

  /** Is told of work on columns before it is done. */
  spend(steps: number): void {
    this.#work.spend(steps)
  }

  /** The column of a path, or else that of the rest; null when no row of the segment has anything there. */
  column(segment: SegmentContent, path: string): Column | null {
    const own = this.#own(segment, path)
    return own === null && segment.catalog.hasRest === true && path !== SHAPE_PATH ? this.#own(segment, REST_PATH) : own
  }

  /** The paths below the first ones of bundles, with their columns. */
  *bundled({ number, catalog }: SegmentContent): Generator<readonly [string, Column]> {
    for (const [first, chunk] of catalog.bundles) {
      const bundle = this.#bundle(number, { chunk, path: first, isBundle: true })
      for (const [path, bytes] of bundle) yield [path, new Column(bytes, { spend: this.#tell })]
    }
  }

  /** The bytes of a name, where they are at hand. */
  find(segment: number, name: string): Uint8Array | null {
    const key = keyOf(segment, name)
    return this.#work.held.get(key) ?? this.#kept.get(key)?.bytes ?? null
  }

  /** Keeps bytes that another thread has put to where all see them. */
  put({ segment, name, bytes }: ChunkHandle): void {
    const key = keyOf(segment, name)
    if (!this.#kept.has(key)) this.#keep(key, { bytes })
  }

  readonly putAll = (chunks: readonly ChunkHandle[]): void => {
    for (const chunk of chunks) this.put(chunk)
  }

  /** Puts bytes to where other threads see them, and keeps them. */
  share(segment: number, name: string, own: Uint8Array): Uint8Array {
    const handle = { segment, name, bytes: shared(own) }
    this.put(handle)
    if (this.#added !== null && this.#handedBytes + this.#addedBytes + own.length <= this.#handing.most) {
      this.#added.push(handle)
      this.#addedBytes += own.length
      if (this.#addedBytes >= HANDED_AT_A_TIME) this.#handOver()
    }
    return handle.bytes
  }

  /** What was read is the owner's before the job is done: whoever asks next, or again after its time is over, has it. */
  #handOver(): void {
    if (this.#added === null || this.#added.length === 0) return
    this.#handing.over(this.#added)
    this.#handedBytes += this.#addedBytes
    this.#added = []
    this.#addedBytes = 0
  }

  /** What is there, by segment: those that were used last come first. */
  get bySegment(): ReadonlyMap<number, ReadonlySet<string>> {
    const segments = new Map<number, Set<string>>()
    for (const key of this.#kept.names()) {
      const mark = key.indexOf(' ')
      const segment = Number(key.slice(0, mark))
      const names = segments.get(segment) ?? new Set()
      segments.set(segment, names.add(key.slice(mark + 1)))
    }
    return segments
  }

  get bytes(): number {
    return this.#kept.weight
  }

  #own({ number, catalog }: SegmentContent, path: string): Column | null {
    const name = columnName(path)
    const key = keyOf(number, name)
    this.#work.looked.add(key)
    const known = this.#kept.get(key)
    if (known?.column !== undefined) return known.column
    const place = locate(catalog, path)
    if (place === null) return null
    const bytes = place.isBundle ? this.#bundle(number, place).get(path)?.slice() : this.#bytes(number, place)
    const column = bytes === undefined ? null : this.#columnOf(number, path, bytes)
    this.#keep(key, { bytes: bytes ?? NO_BYTES, column })
    return column
  }

  #columnOf(segment: number, path: string, bytes: Uint8Array): Column {
    const workings: Workings = {
      find: (working) => this.find(segment, workedName(path, working)),
      keep: (working, worked) => void this.share(segment, workedName(path, working), worked),
    }
    return new Column(bytes, { spend: this.#tell, workings })
  }

  #bundle(segment: number, place: ChunkPlace): ReadonlyMap<string, Uint8Array> {
    const key = keyOf(segment, chunkName(place))
    const known = this.#kept.get(key)?.bundle
    if (known !== undefined) return known
    const bytes = this.#bytes(segment, place)
    const bundle = readBundle(bytes)
    this.#keep(key, { bytes, bundle })
    return bundle
  }

  #bytes(segment: number, place: ChunkPlace): Uint8Array {
    const name = chunkName(place)
    const found = this.find(segment, name)
    if (found !== null) return found
    if (this.#read === null) throw new ColumnNotLoaded(segment, place)
    this.#work.loaded += 1
    return this.share(segment, name, this.#read(segment, place.chunk))
  }

  #keep(key: string, entry: ColumnCacheEntry): void {
    this.#kept.set(key, entry, weightOf(entry))
  }
}

function shared(bytes: Uint8Array): Uint8Array {
  const copy = new Uint8Array(new SharedArrayBuffer(bytes.length))
  copy.set(bytes)
  return copy
}
