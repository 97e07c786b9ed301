import { type Bits, complement, hasBit } from '../../../engine/bits.ts'
import { WORKINGS } from '../../../engine/column.ts'
import type { ColumnSource } from '../../../engine/evaluate-values.ts'
import type { SegmentView, TailRecord } from '../../../engine/find-page.ts'
import { columnsOfFilter, columnsOfSort } from '../../../engine/needed-columns.ts'
import { locate, rowOf } from '../../../engine/segment-chunks.ts'
import { BoundedCache } from '../../../kernel/bounded-cache.ts'
import type { QueryPlan } from '../../../query/plan.ts'
import { type Connection, parseDocument } from '../base/database.ts'
import { type ChunkHandle, type ColumnCache, type SharedChunks, workedName } from './column-cache.ts'
import { recordTexts } from './record-texts.ts'
import { type SegmentRow, type Shelf, segmentReader } from './segment-rows.ts'
import { tailTable } from './tail.ts'

/** A segment as a thread sees it: with the rows that are alive, the tail considered. */
export interface LoadedSegment extends SegmentView {
  readonly row: SegmentRow
  /** Whether all of its rows are alive. */
  readonly isWhole: boolean
}

/** A record of the tail with its text. */
export interface TailDocument extends TailRecord {
  readonly bytes: Buffer
}

/** All records of a shelf, as they are at a version of its home. */
export interface ShelfView {
  /** Tells shelves apart, and the places that one has in questions. */
  readonly name: string
  readonly home: number
  readonly version: number
  readonly segments: readonly LoadedSegment[]
  readonly tail: readonly TailDocument[]
  /** How many bytes the texts of the tail have together. */
  readonly tailBytes: number
  /** Numbers above the first, up to the second, are of records that only reading them all would find; null when there are none. */
  readonly backlog: { readonly reached: number; readonly last: number } | null
}

interface HeldSegment {
  readonly deadRows: number
  readonly loaded: LoadedSegment
}

/** What a thread holds of a shelf. */
interface Held {
  /** The state of the database in which it was looked at last: while that is held, nothing has changed. */
  state: number | null
  readonly version: number
  readonly layout: number
  readonly segments: readonly HeldSegment[]
  /** By number; null: the record is gone. */
  readonly tail: ReadonlyMap<
    number,
    { readonly stamp: number; readonly bytes: Buffer | null; record: TailDocument | null }
  >
  readonly view: ShelfView
}

function lengthOf(records: readonly TailDocument[]): number {
  return records.reduce((sum, { bytes }) => sum + bytes.length, 0)
}

function nameOf({ home, collection }: Shelf, place: number): string {
  return `${home}/${collection}/${place}`
}

/** What a view takes beside its bytes: of a document of the tail, several times those of its text. */
const VIEW_BYTES = 1024
const SEGMENT_BYTES = 4096
const ROW_BYTES = 9
const TAIL_FACTOR = 5

function weightOf({ segments, tailBytes }: ShelfView): number {
  const rows = segments.reduce((sum, { row }) => sum + row.numbers.length, 0)
  return VIEW_BYTES + segments.length * SEGMENT_BYTES + rows * ROW_BYTES + tailBytes * TAIL_FACTOR
}

export interface ShelfViewsOptions {
  /** What may be remembered takes about so many. */
  readonly bytes: number
  /** Hears of every record whose text may be another one now. */
  readonly forget: (numbers: Iterable<number>) => void
  /** Tells the state apart that the connection reads, while it holds one; null where nobody knows. */
  readonly heldState: () => number | null
}

/** Follows the shelves of the database, each as far as its home has changed since it was last looked at. */
export class ShelfViews {
  readonly #columns: ColumnCache
  readonly #forget: (numbers: Iterable<number>) => void
  readonly #held: BoundedCache<Held>
  readonly #heldState: () => number | null
  /** How many records have come into tails, as far as was looked. */
  #arrivals = 0
  readonly #segments
  readonly #tail
  readonly #versionOf
  readonly #texts
  readonly #backlog

  constructor(connection: Connection, columns: ColumnCache, { bytes, forget, heldState }: ShelfViewsOptions) {
    this.#heldState = heldState
    this.#columns = columns
    this.#forget = forget
    this.#held = new BoundedCache({ most: bytes })
    this.#segments = segmentReader(connection)
    this.#tail = tailTable(connection)
    this.#versionOf = connection.prepare<[number], { version: number; layout: number }>(
      'SELECT changes AS version, layout FROM home WHERE number = ?',
    )
    this.#texts = recordTexts(connection)
    this.#backlog = connection.prepare<[number, number], { reached: number; last: number }>(
      'SELECT reached, last FROM backlog WHERE home = ? AND collection = ?',
    )
  }

  /** The shelf as it is in the state of the database that the connection reads. `place` is that of its home in the question. */
  view(shelf: Shelf, place: number): ShelfView {
    const name = nameOf(shelf, place)
    const known = this.#held.get(name)
    const state = this.#heldState()
    if (known !== undefined && state !== null && known.state === state) return known.view
    const now = this.#versionOf.get(shelf.home) ?? { version: 0, layout: 0 }
    if (known !== undefined && known.version === now.version && known.layout === now.layout) {
      known.state = state
      return known.view
    }
    const held = { state, ...this.#look(shelf, place, { ...now, name, known: known ?? null }) }
    this.#held.set(name, held, weightOf(held.view))
    return held.view
  }

  #look(
    shelf: Shelf,
    place: number,
    { version, layout, name, known }: { version: number; layout: number; name: string; known: Held | null },
  ): Omit<Held, 'state'> {
    const isSameLayout = known !== null && known.layout === layout
    const tail = this.#lookAtTail(shelf, isSameLayout ? known.tail : null)
    const segments = isSameLayout
      ? withoutReplaced(known.segments, tail, known.tail)
      : withoutReplaced(this.#lookAtSegments(shelf, place, known), tail, NO_TAIL)
    const records = known !== null && tail === known.tail ? known.view.tail : this.#recordsOf(tail, place)
    const backlog = this.#backlog.get(shelf.home, shelf.collection) ?? null
    return {
      version,
      layout,
      segments,
      tail,
      view: {
        name,
        home: shelf.home,
        version,
        segments: segments.map(({ loaded }) => loaded),
        tail: records,
        tailBytes: lengthOf(records),
        backlog,
      },
    }
  }

  /** Segments never change but for the rows that die: those that are known are kept. */
  #lookAtSegments(shelf: Shelf, place: number, known: Held | null): Held['segments'] {
    const old = new Map(known?.segments.map((segment) => [segment.loaded.row.number, segment]))
    return this.#segments.list(shelf).flatMap(({ number, deadRows }) => {
      const present = old.get(number)
      const isKnown = present !== undefined && present.deadRows === deadRows
      const row = isKnown ? present.loaded.row : this.#segments.read(number)
      if (row === null) return []
      // The tail that would have told of what has changed may have become this segment.
      if (present === undefined) this.#forget(row.numbers)
      const source = isKnown ? present.loaded.source : new SegmentColumns(row, this.#columns)
      const live = complement(row.dead, row.numbers.length)
      const isWhole = deadRows === 0
      return [{ deadRows, loaded: { row, home: place, source, numbers: row.numbers, live, isWhole } }]
    })
  }

  #lookAtTail(shelf: Shelf, known: Held['tail'] | null): Held['tail'] {
    let last = -1
    for (const { stamp } of known?.values() ?? []) last = Math.max(last, stamp)
    const added = this.#tail.after(shelf, last)
    if (known !== null && added.length === 0) return known
    const stamps = new Map(added.map(({ n, stamp }) => [n, stamp]))
    const texts = this.#textsOf([...stamps.keys()], shelf.home)
    this.#forget(stamps.keys())
    const tail = new Map(known ?? [])
    for (const [n, stamp] of stamps) {
      tail.set(n, { stamp, bytes: texts.get(n) ?? null, record: null })
    }
    return tail
  }

  /** The records that are there. One that was there before is the same object: nothing has to be asked of it again. */
  #recordsOf(tail: Held['tail'], home: number): readonly TailDocument[] {
    const records: TailDocument[] = []
    for (const [n, entry] of tail) {
      const { bytes } = entry
      if (bytes === null) continue
      entry.record ??= { home, n, arrival: this.#arrivals++, document: parseDocument(bytes.toString()), bytes }
      records.push(entry.record)
    }
    return records
  }

  /** The texts of those records that are in the home; one that has left it is gone from there. */
  #textsOf(numbers: readonly number[], home: number): ReadonlyMap<number, Buffer> {
    const texts = new Map<number, Buffer>()
    for (const { n, scope, text } of this.#texts.read(numbers)) {
      const whole = scope === home ? (text ?? this.#texts.readLarge(n)) : null
      if (whole !== null) texts.set(n, whole)
    }
    return texts
  }
}

const NO_TAIL: Held['tail'] = new Map()

/** Takes out the rows that the tail replaces; `before` has those that have been taken out already. A segment in which that is none stays the same. */
function withoutReplaced(segments: Held['segments'], tail: Held['tail'], before: Held['tail']): Held['segments'] {
  const numbers = [...tail.keys()].filter((n) => !before.has(n))
  if (numbers.length === 0) return segments
  return segments.map((segment) => {
    const { loaded } = segment
    const live = liveWithout(loaded, numbers)
    return live === loaded.live ? segment : { ...segment, loaded: { ...loaded, live, isWhole: false } }
  })
}

function liveWithout({ numbers, live }: LoadedSegment, replaced: readonly number[]): Bits {
  const first = numbers[0] ?? 0
  const last = numbers.at(-1) ?? -1
  let left = live
  for (const n of replaced) {
    if (n < first || n > last) continue
    const row = rowOf(numbers, n)
    if (row < 0 || !hasBit(left, row)) continue
    if (left === live) left = live.slice()
    left[row >>> 5] = (left[row >>> 5] as number) & ~(1 << (row & 31))
  }
  return left
}

class SegmentColumns implements ColumnSource {
  readonly #row: SegmentRow
  readonly #columns: ColumnCache

  constructor(row: SegmentRow, columns: ColumnCache) {
    this.#row = row
    this.#columns = columns
  }

  get rows(): number {
    return this.#row.numbers.length
  }

  column(path: string) {
    return this.#columns.column(this.#row, path)
  }

  spend(steps: number): void {
    this.#columns.spend(steps)
  }
}

/** The chunks that a plan needs and what was worked out from them, as far as they are at hand: another thread need not read them once more. */
export function chunksAtHand(
  { filter, sort }: QueryPlan,
  shelves: readonly ShelfView[],
  chunks: SharedChunks,
): readonly ChunkHandle[] {
  const paths = [...new Set([...columnsOfFilter(filter), ...columnsOfSort(sort)])]
  const found = new Map<string, ChunkHandle>()
  for (const { segments } of shelves) {
    for (const { row } of segments) {
      for (const path of paths) {
        const place = locate(row.catalog, path)
        const bytes = place === null ? null : chunks.get(row.number, place.chunk)
        if (place !== null && bytes !== null) {
          found.set(`${row.number}#${place.chunk}`, { segment: row.number, chunk: place.chunk, bytes })
        }
        for (const working of WORKINGS) {
          const chunk = workedName(path, working)
          const worked = chunks.get(row.number, chunk)
          if (worked !== null) found.set(`${row.number}#${chunk}`, { segment: row.number, chunk, bytes: worked })
        }
      }
    }
  }
  return [...found.values()]
}
