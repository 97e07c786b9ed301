import { type ElementCounts, plainDigits, printCount, readFormulaText, reducedCounts } from '../../page/formula.ts'
import { FORMAT_ERRORS, refusal } from '../errors.ts'
import { shorten } from '../formats/common/text.ts'

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

function join(parts: readonly (readonly [string, number])[]): string {
  return parts.map(([name, count]) => printCount(name, count)).join('')
}

function bySymbol(one: string, other: string): number {
  return one < other ? -1 : one > other ? 1 : 0
}

/** Reads formulas such as `Ca(OH)2`, `K4[Fe(CN)6]`, `CuSO4·5H2O`, `Fe0.95O`; D and T count as H. Keeps the order, refuses charges. */
export function parseFormula(text: string): ElementCounts {
  const reading = readFormulaText(text)
  if ('counts' in reading) return reading.counts
  const { fault, at } = reading
  if (at === undefined) throw refusal(FORMAT_ERRORS.malformedFormula, fault)
  throw refusal(
    FORMAT_ERRORS.malformedFormula,
    `The formula "${shorten(plainDigits(text.trim()))}" cannot be read at column ${at + 1}: ${fault}`,
    { column: at + 1, hint: 'A formula is written as Ca(OH)2, K4[Fe(CN)6] or CuSO4·5H2O.' },
  )
}
