import { unitText } from '../../../src/page/property-words.ts'
import { type Curve, endsOf, widened } from '../../plots/curve.ts'
import type { PlotOfCurves } from '../../plots/plot-of-curves.ts'
import { capitalized, readText } from './read-data.ts'

type Data = Readonly<Record<string, unknown>>

/** A quantity that is followed from step to step, in one line or several one after the other. */
export interface Followed {
  readonly title: string
  readonly units: string
  readonly runs: readonly (readonly number[])[]
}

/** Quantities that the steps of a convergence have. */
export function followedIn(data: Data): readonly Followed[] {
  const steps = Array.isArray(data['data']) ? data['data'] : []
  const units = typeof data['units'] === 'string' ? data['units'] : ''
  if (steps.every((step) => typeof step === 'number')) return [{ title: 'energy', units, runs: [steps] }]
  if (steps.every(Array.isArray)) return [{ title: 'energy', units, runs: steps }]
  const objects = steps.filter((step): step is Data => typeof step === 'object' && step !== null)
  const names = [...new Set(objects.flatMap(Object.keys))].filter((name) =>
    objects.some((step) => typeof step[name] === 'number'),
  )
  return names.map((name) => ({
    title: name === 'maxForce' ? 'largest force' : name,
    units: /force/i.test(name) ? 'eV/angstrom' : units,
    runs: [objects.map((step) => (typeof step[name] === 'number' ? step[name] : Number.NaN))],
  }))
}

/** Steps as they are, or by how far each is from the last one, on a logarithmic axis. */
export function convergencePlot({ title, units, runs }: Followed, isDistance: boolean): PlotOfCurves {
  let begun = 0
  const curves = runs.map((run, index): Curve => {
    const x = run.map((_, step) => begun + step + 1)
    begun += run.length
    const name = runs.length === 1 ? title : `ionic step ${index + 1}`
    return {
      name,
      group: name,
      x,
      y: isDistance ? distances(run) : run,
      color: index,
      isDashed: index % 2 === 1,
    }
  })
  const across = widened([1, Math.max(2, begun)], 0.02)
  const ends = endsOf(curves.map(({ y }) => y)) ?? [isDistance ? 1e-3 : 0, 1]
  const reach = isDistance ? ([ends[0] / 2, ends[1] * 2] as const) : widened(ends)
  const unit = units === '' ? '' : ` / ${unitText(units)}`
  return {
    curves,
    x: { title: 'Step', ends: across, reach: across },
    y: {
      title: isDistance ? `Distance from the last ${title}${unit}` : `${capitalized(title)}${unit}`,
      ends: reach,
      reach,
      ...(isDistance ? { isLog: true } : {}),
    },
    told: ({ name, x, y }, at) =>
      `${runs.length === 1 ? '' : `${name}, `}step ${x[at]}: ${readText(y[at] ?? Number.NaN, 5)} ${unitText(units)}`.trim(),
  }
}

/** Distances from the last value; those of nothing are left out, since they have no logarithm. */
function distances(run: readonly number[]): readonly number[] {
  const last = run.at(-1) ?? 0
  return run.map((value) => Math.abs(value - last) || Number.NaN)
}
