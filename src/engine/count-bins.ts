import type { CountedRecords } from './count-values.ts'
import type { Working } from './page-question.ts'
import { type PathQuestion, tallyValues } from './tally-values.ts'

/** A histogram: of every bin the number of records that have a number in it. */
export interface BinCounts extends CountedRecords {
  readonly counts: readonly number[]
}

export interface NumberRange {
  readonly least: number
  readonly most: number
}

/**
 * Counts the records that match by the numbers that they have at a path. Bin `i` is from `edges[i]`, which belongs to it, to `edges[i + 1]`,
 * which belongs to it only where there is no bin after it. Edges ascend, no two are the same, and there are two of them at least.
 */
export function* countBins(question: PathQuestion, edges: readonly number[]): Working<BinCounts> {
  const classOf = (value: unknown): number | undefined => (typeof value === 'number' ? binOf(edges, value) : undefined)
  const { counts, ...records } = yield* tallyValues(question, classOf)
  return { counts: edges.slice(1).map((_, bin) => counts.get(bin) ?? 0), ...records }
}

function binOf(edges: readonly number[], value: number): number | undefined {
  let low = 0
  let high = edges.length
  while (low < high) {
    const middle = (low + high) >>> 1
    if ((edges[middle] as number) <= value) low = middle + 1
    else high = middle
  }
  if (low < edges.length) return low === 0 ? undefined : low - 1
  return value === edges.at(-1) ? edges.length - 2 : undefined
}

/** Finds the least and the greatest number that matching records have at a path; null when there is none. */
export function* findRange(question: PathQuestion): Working<NumberRange | null> {
  let least = Number.POSITIVE_INFINITY
  let most = Number.NEGATIVE_INFINITY
  yield* tallyValues(question, (value) => {
    if (typeof value !== 'number') return
    least = Math.min(least, value)
    most = Math.max(most, value)
  })
  return least <= most ? { least, most } : null
}

/**
 * The edges of so many bins of equal width; of fewer where no more numbers lie between. Around a single number the bins are one wide in
 * all, as in NumPy's `histogram`, or as much as there must be to hold it.
 */
export function evenEdges(range: NumberRange, bins: number): readonly number[] {
  const { least, most } = range.least === range.most ? around(range.least) : range
  const edges = [least]
  for (let bin = 1; bin < bins; bin++) {
    // Not by the width, which may be beyond all numbers.
    const edge = least * (1 - bin / bins) + most * (bin / bins)
    if (edge > (edges.at(-1) as number) && edge < most) edges.push(edge)
  }
  return [...edges, most]
}

function around(number: number): NumberRange {
  const half = Math.max(0.5, Math.abs(number) * 2 ** -50)
  const bounded = (edge: number): number => Math.min(Math.max(edge, -Number.MAX_VALUE), Number.MAX_VALUE)
  return { least: bounded(number - half), most: bounded(number + half) }
}
