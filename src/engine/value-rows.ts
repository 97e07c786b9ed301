import type { JsonObject } from '../kernel/json.ts'
import type { FieldPath } from '../query/ast/filter.ts'
import { matcherOf } from '../query/filter/match.ts'
import type { Column } from './column.ts'
import { columnAt, inTime, type SurveyQuestion } from './count-records.ts'
import type { ColumnSource } from './evaluate-values.ts'
import { DOCUMENT_STEPS, type EngineWork, type FoundRecord, readRows, type SegmentView } from './page-documents.ts'
import { type Bits, countBits, difference, eitherRows, hasBit, rowsOf } from './selection.ts'

/** Takes what matching records have at some paths. */
export interface RecordTaker {
  readonly paths: readonly FieldPath[]
  /** The rows of which only documents tell what they have at a path; null when there is none. */
  unclearIn(source: ColumnSource, path: FieldPath): Bits | null
  /** Takes rows of which columns have everything, those of the paths in their order. */
  takeRows(rows: Bits, columns: readonly (Column | null)[], segment: SegmentView, spend: (steps: number) => void): void
  takeDocument(document: JsonObject, of: Pick<FoundRecord, 'home' | 'n'>): void
}

/** Gives a taker all records that match until the time is up: rows where columns tell, else documents; tells of how many it was told. */
export function* takeRecords(
  question: SurveyQuestion,
  taker: RecordTaker,
): EngineWork<{ readonly records: number; readonly exact: boolean }> {
  let records = 0
  for (const { records: matching } of question.tails) {
    question.spend(matching.length * DOCUMENT_STEPS)
    for (const record of matching) taker.takeDocument(record.document, record)
    records += matching.length
  }
  const exact = yield* inTime(question, question.segments, function* (segment, { select, filter, spend }) {
    const { source, numbers, home } = segment
    const { must, may } = select(segment)
    const unclear = taker.paths.map((path) => taker.unclearIn(source, path)).reduce(eitherRows, null)
    const clear = unclear === null ? must : difference(must, unclear)
    const count = countBits(clear)
    spend((source.rows >>> 5) + count * taker.paths.length)
    const columns = taker.paths.map((path) => columnAt(source, path))
    if (count > 0) taker.takeRows(clear, columns, segment, spend)
    records += count
    const matches = matcherOf(filter)
    yield* readRows(segment, rowsOf(difference(may, clear)), spend, (document, row) => {
      if (!hasBit(must, row) && !matches(document)) return
      records += 1
      taker.takeDocument(document, { home, n: numbers[row] as number })
    })
  })
  return { records, exact }
}
