import { matcherOf } from '../query/match/matches.ts'
import { countBits, difference, rowsOf } from './bits.ts'
import type { PageQuestion, Working } from './find-page.ts'
import { isExact } from './selection.ts'

/** How many documents are asked for together. */
const TOGETHER = 256

/** Counts the records of several homes that match: rows that are certain by their columns, all others by their documents. */
export function* countRecords(
  question: Pick<PageQuestion, 'segments' | 'tail' | 'filter' | 'select' | 'spend'>,
): Working<{ readonly count: number; readonly byDocument: number }> {
  const { segments, tail, filter, select, spend } = question
  const matches = matcherOf(filter)
  let byDocument = 0
  let count = 0
  for (const record of tail) {
    spend(1)
    if (matches(record.document)) count += 1
  }
  for (const segment of segments) {
    const selection = select(segment)
    spend(segment.source.rows >>> 5)
    count += countBits(selection.must)
    if (isExact(selection)) continue
    const doubtful = rowsOf(difference(selection.may, selection.must))
    for (let at = 0; at < doubtful.length; at += TOGETHER) {
      const some = Array.from(doubtful.subarray(at, at + TOGETHER), (row) => ({ segment, row }))
      spend(some.length * 16)
      byDocument += some.length
      const documents = yield some
      count += documents.filter(matches).length
    }
  }
  return { count, byDocument }
}
