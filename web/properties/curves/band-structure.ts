import { unitText } from '../../../src/page/property-words.ts'
import { type Curve, endsOf, widened } from '../../plots/curve.ts'
import type { PlotOfCurves } from '../../plots/plot-of-curves.ts'
import { pointText } from '../../plots/point-text.ts'
import type { Ends } from '../../plots/scale.ts'
import { type Fraction, kPathOf, type Metric } from './k-path.ts'
import { axisIn, numbersIn, readText, SPIN_WORDS, type Spin, seriesIn, spinOf } from './read-data.ts'

type Data = Readonly<Record<string, unknown>>

/** What is known beside the bands. */
export interface BandContext {
  /** Energy that counts as 0, in eV, with its name. */
  readonly zero: { readonly value: number; readonly name: string } | null
  /** Of the cell that the k-points are fractions of; null where it is not known. */
  readonly metric: Metric | null
  readonly nameOf: (point: Fraction) => string
}

/** Energies around the zero that are shown at first, in eV. */
const AROUND = 10
const UNIT_METRIC: Metric = [
  [1, 0, 0],
  [0, 1, 0],
  [0, 0, 1],
]

/** Bands of electrons or of phonons along a way through the zone. */
export function bandPlot(data: Data, { zero, metric, nameOf }: BandContext): PlotOfCurves {
  const points = pointsIn(data['xDataArray'])
  const path = points === null ? null : kPathOf(points, metric ?? UNIT_METRIC, nameOf)
  const plain = points === null ? numbersIn(data['xDataArray']) : points.map((_, index) => index + 1)
  const { x, order } = brokenUp(path?.distances ?? plain, path?.breaks ?? new Set())
  const { label, units } = axisIn(data, 'yAxis', { label: 'energy', units: 'eV' })
  const spins = Array.isArray(data['spin']) ? data['spin'].map(spinOf) : []
  const curves = seriesIn(data['yDataSeries']).map((series, band) =>
    bandCurve(
      { x, y: order.map((at) => (at === null ? Number.NaN : (series[at] ?? Number.NaN)) - (zero?.value ?? 0)) },
      {
        band: bandNumber(spins, band),
        spin: spins[band] ?? 0,
      },
    ),
  )
  const reach = widened(endsOf(curves.map(({ y }) => y)) ?? [0, 1])
  const across = endsOf([x]) ?? [0, 1]
  const from = zero === null ? '' : ` − ${zero.name}`
  const where = (at: number) => {
    const point = points?.[at]
    if (point === undefined) return readText(plain[at] ?? Number.NaN)
    const name = pointText(nameOf(point))
    const fractions = `(${point.map((part) => readText(part)).join(', ')})`
    return name === '' ? fractions : `${name} ${fractions}`
  }
  return {
    curves,
    x: {
      title: path === null ? 'k-point' : 'Wave vector',
      ends: across,
      reach: across,
      ...(path === null
        ? {}
        : { marks: path.marks.map(({ at, text }) => ({ at, text: text.split('|').map(pointText).join('|') })) }),
    },
    y: { title: `${energyTitle(label)}${from} / ${unitText(units)}`, ends: firstLook(reach, zero !== null), reach },
    ...(zero === null ? {} : { rules: { y: 0 } }),
    told: ({ name, y }, at) =>
      `${name}, k ${where(order[at] ?? 0)}: ${readText(y[at] ?? Number.NaN)} ${unitText(units)}${zero === null ? '' : ` from the ${zero.name}`}`,
    columns:
      points === null
        ? []
        : ['k1', 'k2', 'k3'].map((title, axis) => ({
            title,
            values: order.map((at) => (at === null ? '' : (points[at]?.[axis] ?? ''))),
          })),
  }
}

function energyTitle(label: string): string {
  return label === 'energy' || label === 'eigenvalue' ? 'Energy' : label.charAt(0).toUpperCase() + label.slice(1)
}

/** Deep states are left to who zooms out. */
function firstLook(reach: Ends, isFromZero: boolean): Ends {
  if (!isFromZero) return reach
  const [least, most] = [Math.max(reach[0], -AROUND), Math.min(reach[1], AROUND)]
  return least < most ? [least, most] : reach
}

/** Points with a gap before each break, so that no line leads over it. */
function brokenUp(distances: readonly number[], breaks: ReadonlySet<number>) {
  const order = distances.flatMap((_, at): (number | null)[] => (breaks.has(at) ? [null, at] : [at]))
  let last = 0
  const x = order.map((at) => {
    if (at !== null) last = distances[at] ?? last
    return last
  })
  return { x, order }
}

function bandCurve(
  line: { readonly x: readonly number[]; readonly y: readonly number[] },
  { band, spin }: { readonly band: number; readonly spin: Spin },
): Curve {
  const words = SPIN_WORDS[spin]
  return {
    ...line,
    group: words === '' ? 'bands' : words,
    name: words === '' ? `band ${band}` : `band ${band}, ${words}`,
    color: spin === -1 ? 1 : 0,
    isDashed: spin === -1,
  }
}

/** Number of a band among those of its spin. */
function bandNumber(spins: readonly Spin[], at: number): number {
  return spins.length === 0 ? at + 1 : spins.slice(0, at + 1).filter((spin) => spin === spins[at]).length
}

/** Fractions of k-points; null where the axis has plain numbers. */
export function pointsIn(value: unknown): readonly Fraction[] | null {
  if (!Array.isArray(value) || !value.every((one) => Array.isArray(one) && one.length === 3)) return null
  return value.map(numbersIn)
}
