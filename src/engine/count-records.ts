import { matcherOf } from '../query/match/matches.ts'
import { countBits, difference } from './bits.ts'
import type { PageQuestion, Working } from './page-question.ts'
import { readRows } from './read-rows.ts'
import { isExact } from './selection.ts'

/** The records that something is counted of: all that match. */
export type CountQuestion = Pick<PageQuestion, 'segments' | 'tails' | 'filter' | 'select' | 'spend'>

/** Counts the records of several homes that match: rows that are certain by their columns, all others by their documents. */
export function* countRecords(
  question: CountQuestion,
): Working<{ readonly count: number; readonly byDocument: number }> {
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
