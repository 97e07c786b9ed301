import type { Ends } from './scale.ts'

/** Colours that curves have; more of them begin anew. */
export const CURVE_COLORS = 8

/** Line of a plot. */
export interface Curve {
  readonly name: string
  /** Curves that are switched together in the legend. */
  readonly group: string
  readonly x: readonly number[]
  /** As many as there are of x; where there is no number the line is broken. */
  readonly y: readonly number[]
  /** Place among the colours of the theme. */
  readonly color: number
  readonly isDashed: boolean
}

/** Curve and the place on it that somebody points at. */
export interface Picked {
  readonly curve: number
  readonly point: number
}

/** Least and most of numbers; null where there is none. */
export function endsOf(lists: readonly (readonly number[])[]): Ends | null {
  let [least, most] = [Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY]
  for (const list of lists) {
    for (const value of list) {
      if (value < least) least = value
      if (value > most) most = value
    }
  }
  return Number.isFinite(least) && Number.isFinite(most) ? [least, most] : null
}

/** Ends with some room on both sides, and never of no width. */
export function widened([least, most]: Ends, share = 0.04): Ends {
  const room = (most - least) * share || Math.abs(most) * share || 1
  return [least - room, most + room]
}

/** Ends after a zoom about one place, which stays where it is, within what there is. */
export function zoomed(
  ends: Ends,
  reach: Ends,
  { factor, about }: { readonly factor: number; readonly about: number },
): Ends {
  return within([about + (ends[0] - about) / factor, about + (ends[1] - about) / factor], reach)
}

/** Ends moved by a share of their width, within what there is. */
export function moved([least, most]: Ends, reach: Ends, share: number): Ends {
  const by = (most - least) * share
  return within([least + by, most + by], reach)
}

/** Ends brought back into what there is, as wide as before where that is possible. */
function within([least, most]: Ends, [from, to]: Ends): Ends {
  const width = Math.min(most - least, to - from)
  const start = Math.min(Math.max(least, from), to - width)
  return [start, start + width]
}

/** Pixels of numbers. */
export interface Places {
  readonly x: (value: number) => number
  readonly y: (value: number) => number
}

/** Point of any curve that is nearest to a place, within so many pixels; null where there is none. */
export function nearestPoint(
  curves: readonly Curve[],
  places: Places,
  { x, y, most }: { readonly x: number; readonly y: number; readonly most: number },
): Picked | null {
  let [least, found]: [number, Picked | null] = [most * most, null]
  for (const [curve, { x: xs, y: ys }] of curves.entries()) {
    for (const [point, value] of xs.entries()) {
      const across = places.x(value) - x
      // Most points are too far to the side.
      if (across * across > least) continue
      const up = places.y(ys[point] ?? Number.NaN) - y
      const distance = across * across + up * up
      if (distance <= least) [least, found] = [distance, { curve, point }]
    }
  }
  return found
}

/** Place that a key leads to: along the curve by left and right, to the next curve above or below by up and down. */
export function pickedAfter(key: string, picked: Picked | null, curves: readonly Curve[]): Picked | null {
  if (picked === null) return curves.length === 0 ? null : { curve: 0, point: 0 }
  const { curve, point } = picked
  const last = (curves[curve]?.x.length ?? 1) - 1
  if (key === 'ArrowRight') return { curve, point: Math.min(last, point + 1) }
  if (key === 'ArrowLeft') return { curve, point: Math.max(0, point - 1) }
  return nextCurve(picked, curves, key === 'ArrowUp' ? 1 : -1)
}

function nextCurve(picked: Picked, curves: readonly Curve[], direction: 1 | -1): Picked {
  const here = curves[picked.curve]?.x[picked.point] ?? 0
  const ordered = curves
    .map(({ x, y }, curve) => {
      const point = x[picked.point] === here ? picked.point : nearestIndex(x, here)
      return { curve, point, value: y[point] ?? Number.NaN }
    })
    .sort((one, other) => one.value - other.value || one.curve - other.curve)
  const at = ordered.findIndex(({ curve }) => curve === picked.curve)
  const { curve, point } = ordered[Math.min(ordered.length - 1, Math.max(0, at + direction))] ?? picked
  return { curve, point }
}

function nearestIndex(values: readonly number[], sought: number): number {
  return values.reduce(
    (best, value, index) => (Math.abs(value - sought) < Math.abs((values[best] ?? 0) - sought) ? index : best),
    0,
  )
}

/** Points of a line in pixels, a list for each of its parts. */
export function linesOf({ x, y }: Curve, places: Places): readonly string[] {
  const lines: string[][] = [[]]
  for (const [index, value] of x.entries()) {
    const height = places.y(y[index] ?? Number.NaN)
    if (Number.isFinite(height)) lines.at(-1)?.push(`${places.x(value).toFixed(1)},${height.toFixed(1)}`)
    else if (lines.at(-1)?.length !== 0) lines.push([])
  }
  return lines.filter(({ length }) => length > 0).map((points) => points.join(' '))
}

/** The first curve of each group. */
export function firstOfEach(curves: readonly Curve[]): ReadonlyMap<string, Curve> {
  const groups = new Map<string, Curve>()
  for (const curve of curves) if (!groups.has(curve.group)) groups.set(curve.group, curve)
  return groups
}
