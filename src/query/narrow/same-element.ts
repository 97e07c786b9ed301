import { compareBson } from '../values/compare-bson.ts'
import type { LeafBound, Narrowing } from './narrowing.ts'
import { allOf, NOTHING } from './narrowings.ts'

type LeafNarrowing = Extract<Narrowing, { kind: 'leaf' }>

/**
 * Joins conditions that one element must meet together: ranges at the very path of the element become one range, and
 * ranges of different types exclude each other.
 */
export function sameElement(path: string, parts: readonly Narrowing[]): Narrowing {
  const own = parts.filter((part): part is LeafNarrowing => part.kind === 'leaf' && part.path === path)
  const others = parts.filter((part) => !(part.kind === 'leaf' && part.path === path))
  const joined = own.reduce<LeafNarrowing | null | 'none'>((range, leaf) => {
    if (range === 'none') return range
    return range === null ? leaf : intersect(range, leaf)
  }, null)
  if (joined === 'none') return NOTHING
  return allOf(joined === null ? others : [joined, ...others])
}

function intersect(a: LeafNarrowing, b: LeafNarrowing): LeafNarrowing | 'none' {
  if (a.type !== b.type) return 'none'
  return {
    ...a,
    lower: tighter(a.lower, b.lower, 1),
    upper: tighter(a.upper, b.upper, -1),
    exact: a.exact && b.exact,
  }
}

/** The bound that leaves less: the larger of two lower ones (`direction` 1), the smaller of two upper ones. */
function tighter(a: LeafBound | null, b: LeafBound | null, direction: 1 | -1): LeafBound | null {
  if (a === null || b === null) return a ?? b
  const order = compareBson(a.value, b.value) * direction
  if (order !== 0) return order > 0 ? a : b
  return a.inclusive ? b : a
}
