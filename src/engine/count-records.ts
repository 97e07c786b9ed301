import type { JsonObject } from '../kernel/json.ts'
import { matcherOf } from '../query/filter/match.ts'
import type { EngineWork, PageQuestion, SegmentView } from './page-documents.ts'
import { type Bits, countBits, difference, isExact, rowsOf } from './selection.ts'

/** Number of documents in one request. */
const TOGETHER = 256
/** A document takes about as long as so many looks at a value. */
const DOCUMENT_STEPS = 16

/** Reads the documents of some rows of a segment, ascending, many at a time; gives how many they were. */
export function* readRows(
  segment: SegmentView,
  rows: Bits,
  spend: (steps: number) => void,
  take: (document: JsonObject, row: number) => void,
): EngineWork<number> {
  const all = rowsOf(rows)
  for (let at = 0; at < all.length; at += TOGETHER) {
    const some = Array.from(all.subarray(at, at + TOGETHER))
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
  return all.length
}

export type CountQuestion = Pick<PageQuestion, 'segments' | 'tails' | 'filter' | 'select' | 'spend'>

/** Counts the records of several homes that match: rows that are certain by their columns, all others by their documents. */
export function* countRecords(
  question: CountQuestion,
): EngineWork<{ readonly count: number; readonly byDocument: number }> {
  const { segments, tails, filter, select, spend } = question
  const matches = matcherOf(filter)
  let byDocument = 0
  let count = tails.reduce((sum, { records }) => sum + records.length, 0)
  for (const segment of segments) {
    const selection = select(segment)
    spend(segment.source.rows >>> 5)
    if (isExact(selection)) {
      count += selection.most
      continue
    }
    count += countBits(selection.must)
    byDocument += yield* readRows(segment, difference(selection.may, selection.must), spend, (document) => {
      if (matches(document)) count += 1
    })
  }
  return { count, byDocument }
}
