import type { Curve } from './curve.ts'
import type { CsvColumn } from './curves-csv.ts'
import type { PlotAxis } from './plot-axis.ts'

/** Curves with their axes, and how they are read. */
export interface PlotOfCurves {
  readonly curves: readonly Curve[]
  /** Which curves are drawn at first; all where it is left out. */
  readonly isShown?: (curve: Curve, index: number) => boolean
  readonly x: PlotAxis
  readonly y: PlotAxis
  /** Lines at values that are known, such as the Fermi energy. */
  readonly rules?: { readonly x?: number; readonly y?: number }
  /** A point in words. */
  readonly told: (curve: Curve, point: number) => string
  readonly columns?: readonly CsvColumn[]
}
