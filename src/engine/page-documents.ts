import type { JsonObject } from '../kernel/json.ts'
import type { SortKey } from '../query/ast/list-request.ts'
import { matcherOf } from '../query/match/matches.ts'
import { compareSortKeys } from '../query/order/compare-sort-keys.ts'
import { sortKeyOf } from '../query/order/sort-key.ts'
import type { SortKeyValues } from '../query/order/sort-key-values.ts'
import { type Bits, hasBit, rowsOf } from './bits.ts'
import type {
  FoundRecord,
  PagePosition,
  PageQuestion,
  RowPlace,
  SegmentView,
  SortedRecord,
  Working,
} from './page-question.ts'
import type { Selection } from './selection.ts'

/** How many rows of a segment are looked at ahead, so that their documents can be asked for together. */
export const AHEAD = 64

/** What is done with the documents of one question: they are held against its filter, and put into its order. */
export class PageFinder {
  readonly #question: PageQuestion
  readonly #matches: (document: JsonObject) => boolean
  documents = 0

  constructor(question: PageQuestion) {
    this.#question = question
    this.#matches = matcherOf(question.filter)
  }

  /** Reads the documents of rows that columns cannot put into the order. */
  *byDocument(segment: SegmentView, selection: Selection, rows: Bits): Working<SortedRecord[]> {
    const found: SortedRecord[] = []
    const all = rowsOf(rows)
    for (let at = 0; at < all.length; at += AHEAD) {
      const some = Array.from(all.subarray(at, at + AHEAD))
      yield* this.read(
        some.map((row) => ({ segment, row })),
        (document, index) => {
          const row = some[index] as number
          if (!hasBit(selection.must, row) && !this.#matches(document)) return
          const n = segment.numbers[row] as number
          found.push({ key: this.keyOf(document), record: { home: segment.home, n, segment, row } })
        },
      )
    }
    return found
  }

  *read(places: readonly RowPlace[], take: (document: JsonObject, at: number) => void): Working<void> {
    this.documents += places.length
    this.#question.spend(places.length * 16)
    yield { places, take }
  }

  isMatch(document: JsonObject): boolean {
    return this.#matches(document)
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

export function compareRecords(a: SortedRecord, b: SortedRecord, sort: readonly SortKey[]): number {
  return compareSortKeys(a.key, b.key, sort) || compareNumbers(a.record, b.record)
}

/** Natural order: by number, then by home. */
export function compareNumbers(a: FoundRecord, b: FoundRecord): number {
  return a.n - b.n || a.home - b.home
}
