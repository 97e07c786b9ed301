import type { JsonObject } from '../kernel/json.ts'
import type { FieldPath } from '../query/ast/filter.ts'
import { matcherOf } from '../query/filter/match.ts'
import type { Column } from './column.ts'
import type { Kind } from './column-parts.ts'
import { columnAt, readRows, type SurveyQuestion, unclearRows } from './count-records.ts'
import type { EngineWork, SegmentView } from './page-documents.ts'
import { type Bits, countBits, difference, hasBit, intersection, isEmpty, union } from './selection.ts'

/** Reads what documents have at a path, those of rows of which its column does not tell everything. */
export interface PathReader {
  readonly path: FieldPath
  /** Kinds of values that only documents have; left out, those within which there are scalars. */
  readonly kinds?: readonly Kind[]
  readonly read: (document: JsonObject) => void
}

/** Rows of which a column has everything. */
export interface ClearRows {
  readonly column: Column | null
  /** Null: all of the column's rows. */
  readonly rows: Bits | null
}

export const NO_ROWS: ClearRows = { column: null, rows: new Uint32Array(0) }

export interface ValueRows {
  /** Of each reader's path, the matching rows that were not read as documents. */
  readonly rows: readonly ClearRows[]
  /** Number of records that match. */
  readonly count: number
}

/** Finds the matching records of a segment, and reads the documents of which columns do not tell what they have at some paths: each once. */
export function* readValues(
  segment: SegmentView,
  readers: readonly PathReader[],
  question: SurveyQuestion,
): EngineWork<ValueRows> {
  const { source } = segment
  const { select, filter, spend } = question
  const { must, may } = select(segment)
  const asked = readers.map(({ path, kinds, read }) => {
    const unclear = unclearRows(source, path, kinds)
    const column = columnAt(source, path)
    const rows = unclear === null ? must : difference(must, unclear)
    spend((source.rows >>> 5) + (column === null ? 0 : countBits(rows)))
    return { column, rows, unclear, read }
  })
  let open: Bits = must === may ? new Uint32Array(must.length) : difference(may, must)
  for (const { unclear } of asked) if (unclear !== null) open = union(open, intersection(must, unclear))
  let uncertain = 0
  if (!isEmpty(open)) {
    const matches = matcherOf(filter)
    yield* readRows(segment, open, spend, (document, row) => {
      const isCertain = hasBit(must, row)
      if (!isCertain && !matches(document)) return
      if (!isCertain) uncertain += 1
      for (const { unclear, read } of asked) {
        if (!isCertain || (unclear !== null && hasBit(unclear, row))) read(document)
      }
    })
  }
  return { rows: asked.map(({ column, rows }) => ({ column, rows })), count: countBits(must) + uncertain }
}
