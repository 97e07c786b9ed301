import { Column } from '../../../src/engine/column.ts'
import { encodeColumn } from '../../../src/engine/column-parts.ts'
import type { ColumnSource } from '../../../src/engine/evaluate-values.ts'
import { ColumnGatherer } from '../../../src/engine/gather-columns.ts'
import type { JsonObject } from '../../../src/kernel/json.ts'

/** The columns of documents, by way of their bytes; only those that were asked for before can be read. */
export function columnsOf(given: readonly JsonObject[], allowed: ReadonlySet<string>): ColumnSource {
  const gatherer = new ColumnGatherer()
  for (const document of given) gatherer.add(document)
  const columns = new Map([...gatherer.finish()].map(([path, parts]) => [path, new Column(encodeColumn(parts))]))
  return {
    rows: given.length,
    column(path) {
      if (!allowed.has(path)) throw new Error(`${path} was not asked for`)
      return columns.get(path) ?? null
    },
    spend() {},
  }
}
