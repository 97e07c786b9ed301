import type { JsonObject } from '../kernel/json.ts'
import type { FilterNode } from '../query/ast/filter.ts'
import type { SortKey } from '../query/ast/list-request.ts'
import { matcherOf } from '../query/filter/match.ts'
import { compareSortKeys, type SortKeyValues, sortKeyOf } from '../query/order/sort-key.ts'
import type { ColumnSource } from './evaluate-values.ts'
import { type Bits, hasBit, rowsOf, type Selection } from './selection.ts'

/** Rows of a segment to look at ahead, so that their documents can be asked for together. */
export const AHEAD = 64
/** Number of documents in one request. */
const TOGETHER = 256
/** A document takes about as long as so many looks at a value. */
export const DOCUMENT_STEPS = 16

/** Reads the documents of some rows of a segment, many at a time; gives how many they were. */
export function* readRows(
  segment: SegmentView,
  rows: Uint16Array,
  spend: (steps: number) => void,
  take: (document: JsonObject, row: number) => void,
): EngineWork<number> {
  for (let at = 0; at < rows.length; at += TOGETHER) {
    const some = Array.from(rows.subarray(at, at + TOGETHER))
    spend(some.length * DOCUMENT_STEPS)
    // A failure over a document is thrown here, not where the documents come from.
    let failure: { readonly error: unknown } | null = null
    yield {
      places: some.map((row) => ({ segment, row })),
      take(document, index) {
        try {
          if (failure === null) take(document, some[index] as number)
        } catch (error) {
          failure = { error }
        }
      },
    }
    if (failure !== null) throw (failure as { readonly error: unknown }).error
  }
  return rows.length
}

/** Work on the documents of one question: they are held against its filter, and put into its order. */
export class PageFinder {
  readonly #question: PageQuestion
  readonly isMatch: (document: JsonObject) => boolean
  documents = 0

  constructor(question: PageQuestion) {
    this.#question = question
    this.isMatch = matcherOf(question.filter)
  }

  /** Reads the documents of rows that columns cannot put into the order. */
  *byDocument(segment: SegmentView, selection: Selection, rows: Bits): EngineWork<SortedRecord[]> {
    const found: SortedRecord[] = []
    yield* this.read(segment, rowsOf(rows), (document, row) => {
      if (!hasBit(selection.must, row) && !this.isMatch(document)) return
      const n = segment.numbers[row] as number
      found.push({ key: this.keyOf(document), record: { home: segment.home, n, segment, row } })
    })
    return found
  }

  *read(segment: SegmentView, rows: Uint16Array, take: (document: JsonObject, row: number) => void): EngineWork<void> {
    this.documents += yield* readRows(segment, rows, this.#question.spend, take)
  }

  keyOf(document: JsonObject): SortKeyValues {
    return this.#question.sort.length === 0 ? [] : sortKeyOf(document, this.#question.sort)
  }

  /** Sorts records, without those before the page's position. */
  inOrder(loose: readonly SortedRecord[]): readonly SortedRecord[] {
    return this.behind(loose).toSorted((a, b) => compareRecords(a, b, this.#question.sort))
  }

  /** The records that are not before the page's position. */
  behind(records: readonly SortedRecord[]): readonly SortedRecord[] {
    const { sort, after } = this.#question
    return after === null ? records : records.filter((one) => isBehind(one, after, sort))
  }
}

function isBehind({ key, record }: SortedRecord, after: PagePosition, sort: readonly SortKey[]): boolean {
  return (compareSortKeys(key, after.key, sort) || record.n - (after.numbers[record.home] ?? -1)) > 0
}

/** Compares by key; ties in natural order: by number, then by home. */
export function compareRecords(a: SortedRecord, b: SortedRecord, sort: readonly SortKey[]): number {
  return compareSortKeys(a.key, b.key, sort) || a.record.n - b.record.n || a.record.home - b.record.home
}

/** A segment of a home, with its columns at hand. */
export interface SegmentView {
  /** The place of its home among those of the question. */
  readonly home: number
  /** Its columns. */
  readonly source: ColumnSource
  /** The numbers of its rows, ascending. */
  readonly numbers: Float64Array
  /** The rows that no newer version or removal has taken out. */
  readonly live: Bits
}

/** A record that no segment holds in its present version. */
export interface TailRecord {
  /** The place of its home among those of the question. */
  readonly home: number
  /** Its number. */
  readonly n: number
  /** Higher than that of all records that have come into the same tail before; another version of a record is another one. */
  readonly arrival: number
  /** The whole record. */
  readonly document: JsonObject
}

/** One row of a segment, whose document is needed. */
export interface RowPlace {
  readonly segment: SegmentView
  readonly row: number
}

/** Asks for the documents of some rows; whoever has them gives them one after the other, so that none has to be kept for the others. */
export interface DocumentRequest {
  /** The rows whose documents are needed. */
  readonly places: readonly RowPlace[]
  /** Is given the documents, one after the other; `at` is the place in `places`. */
  readonly take: (document: JsonObject, at: number) => void
}

/** Work of the engine, which goes on when all documents of a request have been given. */
export type EngineWork<Result> = Generator<DocumentRequest, Result, void>

/** Start of a page: behind a sort key, and among records that have it, behind a number in each home. */
export interface PagePosition {
  readonly key: SortKeyValues
  readonly numbers: readonly number[]
}

/** The records of a tail that match a filter. */
export interface MatchingTail {
  readonly records: readonly TailRecord[]
  /** The records in the order of a sort; ties by number, then by home. */
  inOrder(sort: readonly SortKey[]): readonly SortedRecord[]
}

export interface PageQuestion {
  readonly segments: readonly SegmentView[]
  /** Matching records that no segment holds. */
  readonly tails: readonly MatchingTail[]
  /** Number of homes. */
  readonly homes: number
  readonly filter: FilterNode
  /** Selects by the columns of a segment, live rows only. */
  readonly select: (segment: SegmentView) => Selection
  readonly sort: readonly SortKey[]
  readonly skip: number
  readonly limit: number
  readonly after: PagePosition | null
  /** From how many records on skipping jumps. */
  readonly far?: number
  /** Is called now and then; throws when the work has taken too long. */
  readonly spend: (rows: number) => void
}

/** One record of a page: a row of a segment, or of the tail. */
export type FoundRecord = { readonly home: number; readonly n: number } & (
  | { readonly segment: SegmentView; readonly row: number }
  | { readonly tail: TailRecord }
)

export interface SortedRecord {
  readonly key: SortKeyValues
  readonly record: FoundRecord
}

export interface FoundPage {
  readonly records: readonly FoundRecord[]
  /** Start of the page after this one; null when there is none. */
  readonly next: PagePosition | null
  /** Rows whose documents were read to tell. */
  readonly byDocument: number
}
