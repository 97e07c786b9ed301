import { findElement } from './elements/element.ts'
import { GRAM_PER_CM3_OF_DALTON_PER_ANGSTROM3 } from './units.ts'

/** How many atoms of each element, in the order in which formulas name them. */
export type ElementCounts = ReadonlyMap<string, number>

/**
 * Counts elements, least electronegative first, ties by symbol. An element without an electronegativity counts as 0 and
 * comes first: that is how clients of the wire format order formulas, and they look materials up by formula.
 */
export function countElements(symbols: Iterable<string>): ElementCounts {
  const counts = new Map<string, number>()
  for (const symbol of symbols) counts.set(symbol, (counts.get(symbol) ?? 0) + 1)
  return inFormulaOrder(counts)
}

/** Puts the elements into the order in which formulas name them. */
export function inFormulaOrder(counts: ElementCounts): ElementCounts {
  return new Map([...counts].sort(([one], [other]) => compareInFormula(one, other)))
}

/** The contents of the cell: `Si2`, `H4C`, `Ti2O4`. */
export function unitCellFormula(counts: ElementCounts): string {
  return printFormula(counts, 1)
}

/** The contents of the cell in lowest terms: `Si`, `TiO2`. */
export function reducedFormula(counts: ElementCounts): string {
  return printFormula(counts, [...counts.values()].reduce(greatestCommonDivisor, 0))
}

function printFormula(counts: ElementCounts, divisor: number): string {
  let text = ''
  for (const [symbol, count] of counts) text += count === divisor ? symbol : `${symbol}${count / divisor}`
  return text
}

function compareInFormula(one: string, other: string): number {
  const byElectronegativity = electronegativityOf(one) - electronegativityOf(other)
  if (byElectronegativity !== 0) return byElectronegativity
  return one < other ? -1 : 1
}

function electronegativityOf(symbol: string): number {
  return findElement(symbol)?.electronegativity ?? 0
}

function greatestCommonDivisor(one: number, other: number): number {
  return other === 0 ? one : greatestCommonDivisor(other, one % other)
}

/** Mass density in g/cm³ of a cell (volume in Å³) with these contents. Elements must be known. */
export function density(counts: ElementCounts, volume: number): number {
  let mass = 0
  for (const [symbol, count] of counts) mass += (findElement(symbol)?.mass ?? Number.NaN) * count
  return (mass / volume) * GRAM_PER_CM3_OF_DALTON_PER_ANGSTROM3
}
