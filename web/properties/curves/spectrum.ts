import { type Curve, endsOf, widened } from '../../plots/curve.ts'
import type { PlotOfCurves } from '../../plots/plot-of-curves.ts'
import { numbersIn, readText, seriesIn } from './read-data.ts'

type Data = Readonly<Record<string, unknown>>

const COMPONENTS = ['xx', 'yy', 'zz', 'xy', 'yz', 'zx']

/** Tensors over frequencies: a curve for each part and component that is anything; equal components are one curve. */
export function spectrumPlot({ values }: Data): PlotOfCurves {
  const parts = (Array.isArray(values) ? values : []).filter(
    (one): one is Data => typeof one === 'object' && one !== null,
  )
  const curves = parts.flatMap((part, at) => curvesOf(part, at))
  const reach = endsOf(curves.map(({ x }) => x)) ?? [0, 1]
  const heights = widened(endsOf(curves.map(({ y }) => y)) ?? [0, 1])
  return {
    curves,
    x: { title: 'Energy / eV', ends: reach, reach },
    y: { title: 'Component', ends: heights, reach: heights },
    rules: { y: 0 },
    told: ({ name, x, y }, point) => `${name} at ${readText(x[point] ?? 0)} eV: ${readText(y[point] ?? 0)}`,
  }
}

function curvesOf({ part, frequencies, components }: Data, place: number): readonly Curve[] {
  const x = numbersIn(frequencies)
  const rows = seriesIn(components)
  const columns = COMPONENTS.map((name, at) => ({ name, y: rows.map((row) => row[at] ?? Number.NaN) }))
  const kept: { names: string[]; y: readonly number[] }[] = []
  for (const { name, y } of columns) {
    if (!y.some((value) => Math.abs(value) > 1e-6)) continue
    const same = kept.find((one) => one.y.every((value, at) => Math.abs(value - (y[at] ?? 0)) < 1e-6))
    if (same === undefined) kept.push({ names: [name], y })
    else same.names.push(name)
  }
  return kept.map(({ names, y }, index) => {
    const name = `${String(part)} ${names.join(' = ')}`
    return { name, group: name, x, y, color: place + 2 * index, isDashed: place % 2 === 1 }
  })
}
