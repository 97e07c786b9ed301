import type { Peak } from '../../plots/peaks.ts'
import type { PlotOfCurves } from '../../plots/plot-of-curves.ts'

/** Peaks of one material. */
export interface NamedPattern {
  readonly name: string
  readonly peaks: readonly Peak[]
}

/** Of the room of a pattern, what its strongest peak takes. */
const TALLEST = 0.85
/** Numbers of a peak in a curve: its foot, its top, and where the line is broken. */
const POINTS = 3

/** Powder patterns one above the other, over the same angles: the first is the lowest. */
export function stackedPatterns(patterns: readonly NamedPattern[], range: readonly [number, number]): PlotOfCurves {
  const curves = patterns.map(({ name, peaks }, place) => ({
    name,
    group: `${place + 1} ${name}`,
    x: peaks.flatMap(({ twoTheta }) => Array<number>(POINTS).fill(twoTheta)),
    y: peaks.flatMap(({ intensity }) => [place, place + (intensity / 100) * TALLEST, Number.NaN]),
    color: place,
    isDashed: false,
  }))
  const heights = [0, patterns.length] as const
  return {
    curves,
    x: { title: '2θ / °', ends: [...range], reach: [...range] },
    y: {
      title: 'Intensity',
      ends: [...heights],
      reach: [...heights],
      marks: patterns.map((_, place) => ({ at: place, text: String(place + 1) })),
    },
    told: ({ name, color }, point) => {
      const peak = patterns[color]?.peaks[Math.floor(point / POINTS)]
      if (peak === undefined) return name
      return `${name}: ${peak.twoTheta.toFixed(2)}°, ${peak.d.toFixed(4)} Å, intensity ${peak.intensity.toFixed(1)}`
    },
  }
}
