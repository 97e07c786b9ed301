import { WORKINGS } from '../../engine/column.ts'
import type { ColumnSource } from '../../engine/evaluate-values.ts'
import { columnsOfFilter, columnsOfSort, columnsOfSurvey } from '../../engine/needed-columns.ts'
import type { SegmentView } from '../../engine/page-documents.ts'
import { sortedBy } from '../../engine/ranks.ts'
import { type Catalog, placesOf, rowOf } from '../../engine/segment-chunks.ts'
import { type Bits, complement, hasBit } from '../../engine/selection.ts'
import type { Survey } from '../../query/ast/survey.ts'
import type { QueryPlan } from '../../query/plan.ts'
import { type ChunkHandle, type ColumnCache, chunkName, workedName } from './column-cache.ts'
import type { SegmentContent } from './segment-content.ts'
import { TailDocument, TailQuestions } from './tail-document.ts'

/** A segment as a thread sees it: with the rows that are alive, the tail considered. */
export interface LoadedSegment extends SegmentView {
  readonly row: SegmentContent
  /** Whether all of its rows are alive. */
  readonly isWhole: boolean
}

/** Numbers above the first, up to the second, of the home with a number. */
interface Backlog {
  readonly home: number
  readonly reached: number
  readonly last: number
}

/** All records of a shelf, as they are at a version of its home. */
export interface ShelfView {
  /** Tells shelves apart, and the places that one has in questions. */
  readonly name: string
  readonly version: number
  readonly segments: readonly LoadedSegment[]
  readonly tail: readonly TailDocument[]
  /** Total bytes of the texts of the tail. */
  readonly tailBytes: number
  /** What was asked of the tail. It goes with the view: what it holds of parsed records is counted there. */
  readonly questions: TailQuestions
  /** Numbers above the first, up to the second, are of records that only reading them all would find; null when there are none. */
  readonly backlog: Backlog | null
}

interface HeldSegment {
  readonly deadRows: number
  readonly loaded: LoadedSegment
}

/** Shelf as a thread holds it. */
export interface HeldShelf {
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

/** Memory of a view; a document of the tail takes several times the bytes of its text. */
const VIEW_BYTES = 1024
const SEGMENT_BYTES = 4096
const ROW_BYTES = 9
const TAIL_FACTOR = 5

export function weightOf({ segments, tailBytes }: ShelfView): number {
  return segments.reduce((sum, { row }) => sum + weightOfSegment(row), VIEW_BYTES + tailBytes * TAIL_FACTOR)
}

export function weightOfSegment({ numbers }: SegmentContent): number {
  return SEGMENT_BYTES + numbers.length * ROW_BYTES
}

/** A segment of a shelf as it is listed; it is read when nothing is known of it. */
interface ListedSegment {
  readonly number: number
  readonly deadRows: number
  /** Null where it has gone since it was listed. */
  read(): SegmentContent | null
}

/** Changes of a shelf since it was last read: as much as its store has to read. */
export interface ShelfNews {
  readonly version: number
  readonly layout: number
  /** Arrivals in the tail since, by number; all of it where the layout is another. Null: the record is gone from the home. */
  readonly added: ReadonlyMap<number, { readonly stamp: number; readonly bytes: Buffer | null }>
  /** Null where the layout is as it was. */
  readonly segments: readonly ListedSegment[] | null
  readonly backlog: Backlog | null
}

/** The stamp after which rows of the tail are news: -1 where all are. */
export function lastStampOf(known: HeldShelf | null): number {
  let last = -1
  for (const { stamp } of known?.tail.values() ?? []) last = Math.max(last, stamp)
  return last
}

/** Whether a segment is known as it is listed. */
export function isKnownSegment(known: HeldShelf | null, { number, deadRows }: Omit<ListedSegment, 'read'>): boolean {
  return (
    known?.segments.some(({ loaded, deadRows: before }) => loaded.row.number === number && before === deadRows) === true
  )
}

/** Puts together what is known of shelves and what their store reads of them. */
export class ShelfFollower {
  readonly #columns: ColumnCache
  readonly #forget: (numbers: Float64Array) => void
  /** Count of records that came into tails, as far as was looked. */
  #arrivals = 0

  /** `forget` hears of every record whose text may be another one now, ascending. */
  constructor(columns: ColumnCache, forget: (numbers: Float64Array) => void) {
    this.#columns = columns
    this.#forget = forget
  }

  /** A shelf with its news. `place` is that of its home in the question. */
  follow(name: string, place: number, known: HeldShelf | null, news: ShelfNews): HeldShelf {
    const { version, layout, backlog } = news
    const isSameLayout = known !== null && news.segments === null
    const tail = this.#withAdded(isSameLayout ? known.tail : null, news.added)
    const segments = isSameLayout
      ? withoutReplaced(known.segments, tail, known.tail)
      : withoutReplaced(this.#withRead(news.segments ?? [], place, known), tail, NO_TAIL)
    const records = known !== null && tail === known.tail ? known.view.tail : this.#recordsOf(tail, place)
    return {
      version,
      layout,
      segments,
      tail,
      view: {
        name,
        version,
        segments: segments.map(({ loaded }) => loaded),
        tail: records,
        tailBytes: lengthOf(records),
        questions: known?.view.questions ?? new TailQuestions(),
        backlog,
      },
    }
  }

  /** Segments never change but for the rows that die: those that are known are kept. */
  #withRead(listed: readonly ListedSegment[], place: number, known: HeldShelf | null): HeldShelf['segments'] {
    const old = new Map(known?.segments.map((segment) => [segment.loaded.row.number, segment]))
    return listed.flatMap((segment) => {
      const { number, deadRows } = segment
      const present = old.get(number)
      const isKnown = present !== undefined && present.deadRows === deadRows
      const row = isKnown ? present.loaded.row : segment.read()
      if (row === null) return []
      // The tail that would have told of what has changed may have become this segment.
      if (present === undefined) this.#forget(row.numbers)
      const source = isKnown ? present.loaded.source : new SegmentColumns(row, this.#columns)
      const live = complement(row.dead, row.numbers.length)
      const isWhole = deadRows === 0
      return [{ deadRows, loaded: { row, home: place, source, numbers: row.numbers, live, isWhole } }]
    })
  }

  #withAdded(known: HeldShelf['tail'] | null, added: ShelfNews['added']): HeldShelf['tail'] {
    if (known !== null && added.size === 0) return known
    this.#forget(Float64Array.from(added.keys()).sort())
    const tail = new Map(known ?? [])
    for (const [n, { stamp, bytes }] of added) tail.set(n, { stamp, bytes, record: null })
    return tail
  }

  /** The records that are there. One that was there before is the same object: nothing has to be asked of it again. */
  #recordsOf(tail: HeldShelf['tail'], home: number): readonly TailDocument[] {
    const records: TailDocument[] = []
    for (const [n, entry] of tail) {
      const { bytes } = entry
      if (bytes === null) continue
      entry.record ??= new TailDocument({ home, n, arrival: this.#arrivals++, bytes })
      records.push(entry.record)
    }
    return records
  }
}

const NO_TAIL: HeldShelf['tail'] = new Map()

/** Takes out the rows that the tail replaces; `before` has those that have been taken out already. A segment in which that is none stays the same. */
function withoutReplaced(
  segments: HeldShelf['segments'],
  tail: HeldShelf['tail'],
  before: HeldShelf['tail'],
): HeldShelf['segments'] {
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
  readonly #row: SegmentContent
  readonly #columns: ColumnCache

  constructor(row: SegmentContent, columns: ColumnCache) {
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
  { filter, sort, survey }: Pick<QueryPlan, 'filter' | 'sort'> & { readonly survey?: Survey | undefined },
  shelves: readonly ShelfView[],
  columns: ColumnCache,
): readonly ChunkHandle[] {
  const surveyed = survey === undefined ? [] : columnsOfSurvey(survey)
  const paths = [...new Set([...columnsOfFilter(filter), ...columnsOfSort(sort), ...surveyed])]
  const [first] = sort
  const sorted = first === undefined ? [] : [workedName(first.path.text, sortedBy(sort))]
  const rows = shelves.flatMap(({ segments }) => segments.map(({ row }) => row))
  return rows.flatMap(({ number, catalog }) =>
    [...new Set([...paths.flatMap((path) => namesOf(catalog, path)), ...sorted])].flatMap((name) => {
      const bytes = columns.find(number, name)
      return bytes === null ? [] : [{ segment: number, name, bytes }]
    }),
  )
}

/** The name of the chunk that has the column of a path, and of what may have been worked out from that. */
function namesOf(catalog: Catalog, path: string): readonly string[] {
  const worked = WORKINGS.map((working) => workedName(path, working))
  return [...placesOf(catalog, [path]).map(chunkName), ...worked]
}
