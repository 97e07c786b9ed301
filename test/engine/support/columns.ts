import { Column } from '../../../src/engine/column.ts'
import { encodeColumn } from '../../../src/engine/column-parts.ts'
import type { ColumnSource } from '../../../src/engine/evaluate-values.ts'
import { type ColumnBounds, ColumnGatherer, REST_PATH } from '../../../src/engine/gather-columns.ts'
import type { JsonObject } from '../../../src/kernel/json.ts'

/** So few that some of the documents of tests have more paths than columns. */
export const FEW_COLUMNS: ColumnBounds = { most: 5, ofRecord: 2 }

/** The columns of documents, by way of their bytes; only those that were asked for before can be read. */
export function columnsOf(
  given: readonly JsonObject[],
  allowed: ReadonlySet<string>,
  bounds?: ColumnBounds,
): ColumnSource {
  const gatherer = new ColumnGatherer(bounds)
  for (const document of given) gatherer.add(document)
  const columns = new Map([...gatherer.finish()].map(([path, parts]) => [path, new Column(encodeColumn(parts))]))
  return {
    rows: given.length,
    column(path) {
      if (!allowed.has(path) && path !== REST_PATH) throw new Error(`${path} was not asked for`)
      return columns.get(path) ?? columns.get(REST_PATH) ?? null
    },
    spend() {},
  }
}
