import { unitText } from '../../../src/page/property-words.ts'
import { type Curve, endsOf, widened } from '../../plots/curve.ts'
import type { PlotOfCurves } from '../../plots/plot-of-curves.ts'
import { axisIn, capitalized, numbersIn, readText, SPIN_WORDS, type Spin, seriesIn, spinOf } from './read-data.ts'

type Data = Readonly<Record<string, unknown>>

/** Energies around the zero that are shown at first, in eV. */
const AROUND = 10

/** Density of states: totals at first, parts of elements and orbitals for who switches them on; spin down below the axis. */
export function densityPlot(data: Data, zero: { readonly value: number; readonly name: string } | null): PlotOfCurves {
  const x = numbersIn(data['xDataArray']).map((energy) => energy - (zero?.value ?? 0))
  const xAxis = axisIn(data, 'xAxis', { label: 'energy', units: 'eV' })
  const yAxis = axisIn(data, 'yAxis', { label: 'density of states', units: '' })
  const legend = Array.isArray(data['legend']) ? data['legend'] : []
  const curves = coloured(summedUp(seriesIn(data['yDataSeries']), legend), x)
  const reach = endsOf([x]) ?? [0, 1]
  const ends = zero === null ? reach : ([Math.max(reach[0], -AROUND), Math.min(reach[1], AROUND)] as const)
  const totals = curves.filter(({ name }) => isTotal(name))
  const seen = (totals.length === 0 ? curves : totals).map(({ y }) => y.filter((_, at) => isBetween(x[at] ?? 0, ends)))
  const units = unitText(yAxis.units)
  return {
    curves,
    isShown: ({ name }) => totals.length === 0 || isTotal(name),
    x: {
      title: `${capitalized(xAxis.label)}${zero === null ? '' : ` − ${zero.name}`} / ${unitText(xAxis.units)}`,
      ends: ends[0] < ends[1] ? ends : reach,
      reach,
    },
    y: {
      title: units === '' ? capitalized(yAxis.label) : `${capitalized(yAxis.label)} / ${units}`,
      ends: widened(endsOf(seen) ?? [0, 1]),
      reach: widened(endsOf(curves.map(({ y }) => y)) ?? [0, 1]),
    },
    ...(zero === null ? {} : { rules: { x: 0, y: 0 } }),
    told: ({ name, y }, at) =>
      `${name} at ${readText(x[at] ?? Number.NaN)} ${unitText(xAxis.units)}: ${readText(Math.abs(y[at] ?? Number.NaN))} ${units}`.trim(),
  }
}

const TOTAL = 'total'

function isTotal(name: string): boolean {
  return name.startsWith(TOTAL)
}

function isBetween(value: number, [from, to]: readonly [number, number]): boolean {
  return value >= from && value <= to
}

interface Part {
  readonly name: string
  readonly spin: Spin
  readonly y: readonly number[]
}

/** Series by what they are of: orbitals of one kind of all sites of an element are one part. */
function summedUp(series: readonly (readonly number[])[], legend: readonly unknown[]): readonly Part[] {
  const parts = new Map<string, Part>()
  for (const [at, y] of series.entries()) {
    const { name, spin } = partOf(legend[at])
    const key = `${name} ${spin}`
    const there = parts.get(key)
    const sum = there === undefined ? y : y.map((value, index) => value + (there.y[index] ?? 0))
    parts.set(key, { name, spin, y: sum })
  }
  return [...parts.values()]
}

function partOf(said: unknown): Omit<Part, 'y'> {
  const { element, electronicState, spin } = typeof said === 'object' && said !== null ? (said as Data) : {}
  const shell = typeof electronicState === 'string' ? (/[spdf]/.exec(electronicState)?.[0] ?? electronicState) : ''
  const name = [element, shell].filter((word) => typeof word === 'string' && word !== '').join(' ')
  return { name: name === '' ? TOTAL : name, spin: spinOf(spin) }
}

/** A part has one colour for both spins; down is dashed and below the axis. */
function coloured(parts: readonly Part[], x: readonly number[]): readonly Curve[] {
  const names = [...new Set(parts.map(({ name }) => name))]
  const ordered = parts.toSorted((one, other) => names.indexOf(one.name) - names.indexOf(other.name))
  return ordered.map(({ name, spin, y }) => {
    const place = names.indexOf(name)
    const isDown = spin === -1
    // The totals of the two spins differ in colour too.
    const color = name === TOTAL && isDown ? 1 : place + (place > 0 ? 1 : 0)
    const words = spin === 0 ? name : `${name}, ${SPIN_WORDS[spin]}`
    return {
      name: words,
      group: words,
      x,
      y: isDown ? y.map((value) => -value) : y,
      color,
      isDashed: isDown,
    }
  })
}
