import type { MeasuredRow, QueryFigures } from './measure-queries.ts'

/** What a row of the query table costs in a small and in the large data set, where both give as many documents. */
export interface RowGrowth {
  readonly id: string
  readonly smallCpuMicros: number
  readonly largeCpuMicros: number
  readonly growth: number
}

/** The size of the small data set. */
export const SMALL_DOCUMENTS = 10_000

/** Compares the rows that an index serves, each with itself in the small data set. */
export function growthOf(small: QueryFigures, large: QueryFigures): readonly RowGrowth[] {
  return large.rows.flatMap((row) => {
    const before = small.rows.find((one) => one.row.id === row.row.id)
    if (row.row.served !== 'index' || before === undefined || resultsOf(before) !== resultsOf(row)) return []
    const [smallCpuMicros, largeCpuMicros] = [before.measurement.cpuMicros, row.measurement.cpuMicros]
    return { id: row.row.id, smallCpuMicros, largeCpuMicros, growth: largeCpuMicros / smallCpuMicros }
  })
}

/** How many documents the page of a row has. */
function resultsOf({ row, matches }: MeasuredRow): number {
  const { skip = 0, limit } = row.projection
  return Math.min(limit, Math.max(0, matches - skip))
}
