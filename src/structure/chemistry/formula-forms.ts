import type { ElementCounts } from '../formula.ts'

const LARGEST_DENOMINATOR = 1000

/** Carbon, hydrogen, then the others by symbol; without carbon all by symbol (Hill 1900). */
export function hillFormula(counts: ElementCounts): string {
  const first = counts.has('C') ? ['C', 'H'] : []
  const rank = (element: string): number => (first.includes(element) ? first.indexOf(element) : first.length)
  return join([...counts].sort(([one], [other]) => rank(one) - rank(other) || bySymbol(one, other)))
}

/** Lowest whole numbers, elements by symbol: the `chemical_formula_reduced` of OPTIMADE. */
export function alphabeticalReducedFormula(counts: ElementCounts): string {
  return join([...reducedCounts(counts)].sort(([one], [other]) => bySymbol(one, other)))
}

/** Lowest whole numbers with letters for elements, the most frequent first: `A3BC` for SrTiO3. */
export function anonymousFormula(counts: ElementCounts): string {
  const numbers = [...reducedCounts(counts).values()].sort((one, other) => other - one)
  return join(numbers.map((count, index) => [anonymousLetter(index), count]))
}

/** The elements by symbol, joined by hyphens: `O-Si-Sr`. */
export function chemicalSystem(counts: ElementCounts): string {
  return [...counts.keys()].sort(bySymbol).join('-')
}

/** The share of each element among the atoms, by symbol; shares add up to 1. */
export function elementRatios(counts: ElementCounts): ReadonlyMap<string, number> {
  const total = [...counts.values()].reduce((sum, count) => sum + count, 0)
  return new Map(
    [...counts].sort(([one], [other]) => bySymbol(one, other)).map(([element, count]) => [element, count / total]),
  )
}

/** Counts in lowest whole numbers: decimals such as those of Fe0.5Mn0.5O become whole first, where a denominator up to 1000 does it. */
export function reducedCounts(counts: ElementCounts): ElementCounts {
  const factor = wholeFactor([...counts.values()])
  const whole = new Map([...counts].map(([element, count]) => [element, Math.round(count * factor * 1e6) / 1e6]))
  const divisor = [...whole.values()].reduce(greatestCommonDivisor, 0)
  return new Map([...whole].map(([element, count]) => [element, count / divisor]))
}

function wholeFactor(values: readonly number[]): number {
  for (let factor = 1; factor <= LARGEST_DENOMINATOR; factor++) {
    if (values.every((value) => Math.abs(value * factor - Math.round(value * factor)) < 1e-6)) return factor
  }
  return 1
}

/** A to Z, then Aa, Ba, … as OPTIMADE numbers elements. */
function anonymousLetter(index: number): string {
  const letter = String.fromCharCode(65 + (index % 26))
  const round = Math.floor(index / 26)
  return round === 0 ? letter : letter + String.fromCharCode(96 + round)
}

function join(parts: readonly (readonly [string, number])[]): string {
  return parts.map(([name, count]) => (count === 1 ? name : `${name}${count}`)).join('')
}

function bySymbol(one: string, other: string): number {
  return one < other ? -1 : one > other ? 1 : 0
}

function greatestCommonDivisor(one: number, other: number): number {
  return other < 1e-9 ? one : greatestCommonDivisor(other, one % other)
}
