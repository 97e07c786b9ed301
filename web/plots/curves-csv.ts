import { csvText } from './csv-text.ts'
import type { Curve } from './curve.ts'

/** Column that goes before the curves. */
export interface CsvColumn {
  readonly title: string
  readonly values: readonly (number | string)[]
}

/** Curves as CSV: a column for each over one axis; of curves with axes of their own a row for each point. */
export function curvesCsv(
  curves: readonly Curve[],
  titles: { readonly x: string; readonly y: string },
  columns: readonly CsvColumn[] = [],
): string {
  const [first] = curves
  if (first === undefined) return ''
  const isShared = curves.every(({ x }) => x === first.x)
  const rows = isShared
    ? [
        [titles.x, ...columns.map(({ title }) => title), ...curves.map(({ name }) => name)],
        ...first.x.map((x, row) => [
          x,
          ...columns.map(({ values }) => values[row] ?? ''),
          ...curves.map(({ y }) => y[row] ?? ''),
        ]),
      ]
    : [
        ['curve', titles.x, titles.y],
        ...curves.flatMap(({ name, x, y }) => x.map((at, row) => [name, at, y[row] ?? ''])),
      ]
  return csvText(rows)
}
