import type { Occupancy } from './crystal.ts'
import { findElement, isotopeMass } from './elements/element.ts'
import { GRAM_PER_CM3_OF_DALTON_PER_ANGSTROM3 } from './lattice.ts'
import { greatestCommonDivisor } from './linear-algebra.ts'
import { exactShare, occupancyOf } from './occupancy.ts'

/** Atoms of each element, in the order in which formulas name them. */
export type ElementCounts = ReadonlyMap<string, number>

/** Counts elements, least electronegative first, then by symbol. One without a value counts as 0: so clients order formulas too. */
export function countElements(symbols: Iterable<string>): ElementCounts {
  const counts = new Map<string, number>()
  for (const symbol of symbols) counts.set(symbol, (counts.get(symbol) ?? 0) + 1)
  return inFormulaOrder(counts)
}

/** Counts what is in a cell, shares of atoms as shares, in the order in which formulas name elements. */
export function countAtoms(sites: Iterable<Atom>): ElementCounts {
  const counts = new Map<string, number>()
  for (const site of sites) counts.set(site.element, (counts.get(site.element) ?? 0) + occupancyOf(site))
  return inFormulaOrder(new Map([...counts].map(([element, count]) => [element, tidyCount(count)])))
}

type Atom = { readonly element: string } & Occupancy

/** Rounds a count to nine decimals: thirds do not add up to whole numbers to the last digit. */
export function tidyCount(count: number): number {
  return Math.round(count * 1e9) / 1e9
}

/** Puts the elements into the order in which formulas name them. */
export function inFormulaOrder(counts: ElementCounts): ElementCounts {
  return new Map([...counts].sort(([one], [other]) => compareInFormula(one, other)))
}

/** The contents of the cell: `Si2`, `H4C`, `Ti2O4`. */
export function unitCellFormula(counts: ElementCounts): string {
  return printFormula(counts, 1)
}

/** The contents of the cell in lowest terms: `Si`, `TiO2`; shares of atoms become whole numbers, too: `Cu3Au`. */
export function reducedFormula(counts: ElementCounts): string {
  return printFormula(reducedCounts(counts), 1)
}

/** Beyond this denominator shares are rounded. */
const LARGEST_DENOMINATOR = 1000

/** Counts in lowest whole numbers: decimals such as those of Fe0.5Mn0.5O become whole first, rounded to thousandths where nothing simpler fits. */
export function reducedCounts(counts: ElementCounts): ElementCounts {
  const exact = new Map([...counts].map(([element, count]) => [element, exactCount(count)]))
  const factor = wholeFactor([...exact.values()])
  const whole = new Map([...exact].map(([element, count]) => [element, Math.max(1, Math.round(count * factor))]))
  const divisor = [...whole.values()].reduce(greatestCommonDivisor, 0)
  return new Map([...whole].map(([element, count]) => [element, count / divisor]))
}

function exactCount(count: number): number {
  const whole = Math.floor(count)
  return Number.isInteger(count) ? count : whole + exactShare(Math.round((count - whole) * 1e9) / 1e9)
}

function wholeFactor(values: readonly number[]): number {
  for (let factor = 1; factor <= LARGEST_DENOMINATOR; factor++) {
    if (values.every((value) => Math.abs(value * factor - Math.round(value * factor)) < 1e-6)) return factor
  }
  return LARGEST_DENOMINATOR
}

function printFormula(counts: ElementCounts, divisor: number): string {
  let text = ''
  for (const [symbol, count] of counts) text += printCount(symbol, count / divisor)
  return text
}

/** `O2`, `O`, `O1.75`: at most four decimals. */
export function printCount(symbol: string, count: number): string {
  const rounded = Math.round(count * 1e4) / 1e4
  return rounded === 1 ? symbol : `${symbol}${rounded}`
}

function compareInFormula(one: string, other: string): number {
  const byElectronegativity = electronegativityOf(one) - electronegativityOf(other)
  if (byElectronegativity !== 0) return byElectronegativity
  return one < other ? -1 : 1
}

function electronegativityOf(symbol: string): number {
  return findElement(symbol)?.electronegativity ?? 0
}

/** The mass of the contents of a cell in Da, by shares and isotopes. Elements must be known. */
export function massOf(sites: Iterable<Atom>): number {
  let mass = 0
  for (const site of sites) {
    const { element, isotope } = site
    const atom = isotope === undefined ? findElement(element)?.mass : isotopeMass(element, isotope)
    mass += (atom ?? Number.NaN) * occupancyOf(site)
  }
  return mass
}

/** Mass density in g/cm³ of a mass in Da within a volume in Å³. */
export function densityOf(mass: number, volume: number): number {
  return (mass / volume) * GRAM_PER_CM3_OF_DALTON_PER_ANGSTROM3
}
