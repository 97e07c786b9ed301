import { BoundedCache } from '../../../kernel/bounded-cache.ts'
import type { ColumnCache } from '../../segments/column-cache.ts'
import type { Effort } from '../../segments/effort.ts'
import type { SegmentContent } from '../../segments/segment-content.ts'
import {
  type HeldShelf,
  lastStampOf,
  ShelfFollower,
  type ShelfNews,
  type ShelfView,
  weightOf,
  weightOfSegment,
} from '../../segments/shelf-view.ts'
import type { Shelf } from '../../shelf.ts'
import type { Connection } from '../base/database.ts'
import { recordTexts } from '../base/record-rows.ts'
import { tailTable } from './seal.ts'
import { segmentReader } from './segment-rows.ts'

/** Shelf as a thread holds it. */
interface CachedShelf {
  /** The state of the database in which it was looked at last: while that is held, nothing has changed. */
  state: number | null
  readonly shelf: HeldShelf
}

export interface ShelfViewsOptions {
  /** Approximate limit of each cache. */
  readonly bytes: number
  /** Hears of every record whose text may be another one now. */
  readonly forget: (numbers: Float64Array) => void
  /** Tells the state apart that the connection reads, while it holds one; null where nobody knows. */
  readonly state: { readonly held: number | null }
}

export interface ViewTerms {
  readonly isKept: boolean
  /** Is told of what is read: one that becomes too long is gone on with when it is asked for again. */
  readonly effort: Pick<Effort, 'spend'>
}

interface ShelfNewsTerms {
  readonly known: HeldShelf | null
  readonly effort: Pick<Effort, 'spend'>
}

interface SegmentState {
  readonly number: number
  readonly deadRows: number
}

interface ReadSegment {
  readonly deadRows: number
  readonly content: SegmentContent
}

/** Steps of reading a segment, apart from its columns, and a text of a tail. */
const STEPS_OF_A_SEGMENT = 50_000
const STEPS_OF_A_TEXT = 500

/** Part of the memory that segments of unfinished views may take. */
const READ_PART = 0.25

/** Follows the shelves of the database, each as far as its home has changed since it was last looked at. */
export class ShelfViews {
  readonly #follower: ShelfFollower
  readonly #held: BoundedCache<CachedShelf>
  /** Segments of views that became too long to make, by number: whoever asks next goes on from there. */
  readonly #read: BoundedCache<ReadSegment, number>
  readonly #state: ShelfViewsOptions['state']
  readonly #segments
  readonly #tail
  readonly #versionOf
  readonly #texts
  readonly #backlog

  constructor(connection: Connection, columns: ColumnCache, { bytes, forget, state }: ShelfViewsOptions) {
    this.#state = state
    this.#follower = new ShelfFollower(columns, forget)
    const unfinished = Math.floor(bytes * READ_PART)
    this.#held = new BoundedCache({ most: bytes - unfinished })
    this.#read = new BoundedCache({ most: unfinished })
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

  /** Views the shelf in the state that the connection reads; `place`: of its home in the question. One of many asked together is not kept. */
  view(shelf: Shelf, place: number, { isKept, effort }: ViewTerms): ShelfView {
    const name = nameOf(shelf, place)
    const known = this.#held.get(name)
    const state = this.#state.held
    if (known !== undefined && state !== null && known.state === state) return known.shelf.view
    const now = this.#versionOf.get(shelf.home) ?? { version: 0, layout: 0 }
    if (known !== undefined && known.shelf.version === now.version && known.shelf.layout === now.layout) {
      known.state = state
      return known.shelf.view
    }
    const before = known?.shelf ?? null
    const followed = this.#follower.follow(name, place, before, this.#newsOf(shelf, now, { known: before, effort }))
    for (const { row } of followed.view.segments) this.#read.delete(row.number)
    if (isKept) this.#held.set(name, { state, shelf: followed }, weightOf(followed.view))
    return followed.view
  }

  /** The shelves that are kept with their views, those asked last first. */
  *kept(): Generator<readonly [Shelf & { readonly place: number }, ShelfView]> {
    for (const name of [...this.#held.names()]) {
      const view = this.#held.get(name)?.shelf.view
      if (view !== undefined) yield [shelfOf(name), view]
    }
  }

  #newsOf(shelf: Shelf, now: { version: number; layout: number }, { known, effort }: ShelfNewsTerms): ShelfNews {
    const isSameLayout = known !== null && known.layout === now.layout
    const backlog = this.#backlog.get(shelf.home, shelf.collection)
    return {
      ...now,
      added: this.#addedTo(shelf, { known: isSameLayout ? known : null, effort }),
      segments: isSameLayout
        ? null
        : this.#segments.list(shelf).map((segment) => ({ ...segment, read: () => this.#readSegment(segment, effort) })),
      backlog: backlog === undefined ? null : { home: shelf.home, ...backlog },
    }
  }

  #readSegment({ number, deadRows }: SegmentState, effort: Pick<Effort, 'spend'>): SegmentContent | null {
    const before = this.#read.get(number)
    if (before?.deadRows === deadRows) return before.content
    effort.spend(STEPS_OF_A_SEGMENT)
    const content = this.#segments.read(number)
    if (content !== null) this.#read.set(number, { deadRows, content }, weightOfSegment(content))
    return content
  }

  #addedTo(shelf: Shelf, { known, effort }: ShelfNewsTerms): ShelfNews['added'] {
    const added = this.#tail.after(shelf, lastStampOf(known))
    if (added.length === 0) return NOTHING
    effort.spend(added.length * STEPS_OF_A_TEXT)
    const stamps = new Map(added.map(({ n, stamp }) => [n, stamp]))
    const texts = this.#textsOf([...stamps.keys()], shelf.home)
    return new Map(Array.from(stamps, ([n, stamp]) => [n, { stamp, bytes: texts.get(n) ?? null }]))
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

const NOTHING: ShelfNews['added'] = new Map()

function nameOf({ home, collection }: Shelf, place: number): string {
  return `${home}/${collection}/${place}`
}

function shelfOf(name: string): Shelf & { readonly place: number } {
  const [home, collection, place] = name.split('/').map(Number) as [number, number, number]
  return { home, collection, place }
}
