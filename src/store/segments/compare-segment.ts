import { Column } from '../../engine/column.ts'
import { encodeColumn } from '../../engine/column-parts.ts'
import { countDifferences } from '../../engine/compare-columns.ts'
import { ColumnGatherer, SHAPE_PATH } from '../../engine/gather-columns.ts'
import { rowOf } from '../../engine/segment-chunks.ts'
import type { JsonObject } from '../../kernel/json.ts'
import type { ColumnLoader, SegmentContent } from './segment-content.ts'

/** Difference of columns from documents, and number of records with it. */
interface Difference {
  readonly what: string
  readonly records: number
}

/** Holds the columns of a segment against documents of its records, in the order of their numbers. */
export function* compareSegment(
  { numbers }: Pick<SegmentContent, 'numbers'>,
  loader: ColumnLoader,
  documents: Iterable<{ readonly n: number; readonly document: JsonObject }>,
): Generator<Difference> {
  const gatherer = new ColumnGatherer()
  const rows: number[] = []
  for (const { n, document } of documents) {
    gatherer.add(document)
    rows.push(rowOf(numbers, n))
  }
  const fresh = new Map([...gatherer.finish()].map(([path, parts]) => [path, new Column(encodeColumn(parts))]))
  for (const path of new Set([...loader.paths(), ...fresh.keys()])) {
    const records = countDifferences(loader.load(path), fresh.get(path) ?? null, Uint16Array.from(rows))
    if (records > 0) yield { what: path === SHAPE_PATH ? 'the order of their fields' : path, records }
  }
}
