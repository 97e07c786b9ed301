import type { ElementCounts } from '../formula.ts'

const RATIO_TOLERANCE = 0.01

/** Files leave hydrogen out so often that compositions are compared without it too. */
export const HYDROGEN: ReadonlySet<string> = new Set(['H'])

/** Tells whether two compositions have the same ratios; elements in `ignored` do not count. */
export function sameRatios(
  one: ElementCounts,
  other: ElementCounts,
  ignored: ReadonlySet<string> = new Set(),
): boolean {
  const elements = new Set([...one.keys(), ...other.keys()].filter((element) => !ignored.has(element)))
  const total = (counts: ElementCounts): number =>
    [...elements].reduce((sum, element) => sum + (counts.get(element) ?? 0), 0)
  const [totalOne, totalOther] = [total(one), total(other)]
  if (totalOne === 0 || totalOther === 0) return totalOne === totalOther
  return [...elements].every((element) => {
    const [share, otherShare] = [(one.get(element) ?? 0) / totalOne, (other.get(element) ?? 0) / totalOther]
    return Math.abs(share - otherShare) <= RATIO_TOLERANCE * Math.max(share, otherShare)
  })
}

/** Writes counts in the order given: `Si1 O2`. */
export function printCounts(counts: ElementCounts): string {
  return [...counts].map(([element, count]) => `${element}${count}`).join(' ')
}
