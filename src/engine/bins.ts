import type { BinScale } from '../query/ast/survey.ts'
import { countBefore } from './selection.ts'

/** Numbers and how often each of them is there, ascending. */
export interface NumberCounts {
  readonly numbers: ArrayLike<number>
  readonly counts: ArrayLike<number>
}

/** The edges of so many bins for some numbers; of fewer where these leave no room, of none where there is none. */
export function edgesOf(scale: BinScale, bins: number, given: readonly NumberCounts[]): readonly number[] {
  const range = rangeOf(given, scale === 'log')
  if (range === null) return []
  if (scale === 'linear') return evenEdges(range, bins)
  return scale === 'log' ? logEdges(range, bins) : quantileEdges(range, bins, given)
}

/** The bin of a number; -1: it is in none. Edges ascend, no two are the same. */
export function binOf(edges: readonly number[], value: number): number {
  const begun = countBefore(edges.length, (at) => (edges[at] as number) <= value)
  if (begun < edges.length) return begun - 1
  return value === edges.at(-1) ? edges.length - 2 : -1
}

interface NumberRange {
  readonly least: number
  readonly most: number
}

function rangeOf(given: readonly NumberCounts[], isPositive: boolean): NumberRange | null {
  let least = Number.POSITIVE_INFINITY
  let most = Number.NEGATIVE_INFINITY
  for (const { numbers, counts } of given) {
    for (let at = 0; at < numbers.length; at++) {
      const number = numbers[at] as number
      if (counts[at] === 0 || (isPositive && number <= 0)) continue
      if (number < least) least = number
      if (number > most) most = number
    }
  }
  return least <= most ? { least, most } : null
}

/** Edges of bins of equal width; fewer where no more numbers lie between. Around a single number they span one, as in NumPy. */
export function evenEdges(range: NumberRange, bins: number): readonly number[] {
  const { least, most } = range.least === range.most ? around(range.least) : range
  // Not by the width, which may be beyond all numbers.
  return between(least, most, bins, (part) => least * (1 - part) + most * part)
}

/** The edges of bins each of which is as many times as high at its end as at its beginning. */
function logEdges({ least, most }: NumberRange, bins: number): readonly number[] {
  const [from, to] = [Math.log(least), Math.log(most)]
  if (least === most) return evenEdges({ least, most }, 1)
  return between(least, most, bins, (part) => Math.exp(from * (1 - part) + to * part))
}

function between(least: number, most: number, bins: number, at: (part: number) => number): readonly number[] {
  const edges = [least]
  for (let bin = 1; bin < bins; bin++) {
    const edge = at(bin / bins)
    if (edge > (edges.at(-1) as number) && edge < most) edges.push(edge)
  }
  return [...edges, most]
}

function around(number: number): NumberRange {
  const half = Math.max(0.5, Math.abs(number) * 2 ** -50)
  const bounded = (edge: number): number => Math.min(Math.max(edge, -Number.MAX_VALUE), Number.MAX_VALUE)
  return { least: bounded(number - half), most: bounded(number + half) }
}

/** So many numbers stand for those of one part of the records: edges are chosen by them, and counts are exact all the same. */
const SAMPLED = 1024

/** The edges of bins with about as many records in each; of fewer where many have the same number. */
function quantileEdges(range: NumberRange, bins: number, given: readonly NumberCounts[]): readonly number[] {
  const samples = given.flatMap(sampleOf).sort(([one], [other]) => one - other)
  const total = samples.reduce((sum, [, count]) => sum + count, 0)
  if (range.least === range.most) return evenEdges(range, 1)
  const edges = [range.least]
  let sum = 0
  for (const [number, count] of samples) {
    const due = (total * edges.length) / bins
    if (sum >= due && edges.length < bins && number > (edges.at(-1) as number) && number < range.most)
      edges.push(number)
    sum += count
  }
  return [...edges, range.most]
}

function sampleOf({ numbers, counts }: NumberCounts): (readonly [number: number, count: number])[] {
  let distinct = 0
  for (let at = 0; at < counts.length; at++) if (counts[at] !== 0) distinct += 1
  const every = Math.ceil(distinct / SAMPLED)
  const samples: (readonly [number, number])[] = []
  let met = 0
  let weight = 0
  for (let at = 0; at < counts.length; at++) {
    const count = counts[at] as number
    if (count === 0) continue
    met += 1
    weight += count
    if (met % every !== 0 && met !== distinct) continue
    samples.push([numbers[at] as number, weight])
    weight = 0
  }
  return samples
}
