import { type ElementCounts, formulaOrder, printCounts, reducedCounts, tidyCount } from '../page/formula.ts'
import type { Occupancy } from './crystal.ts'
import { findElement, isotopeMass } from './elements/element.ts'
import { GRAM_PER_CM3_OF_DALTON_PER_ANGSTROM3 } from './lattice.ts'
import { occupancyOf } from './occupancy.ts'

export type { ElementCounts } from '../page/formula.ts'

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

/** Puts the elements into the order in which formulas name them. */
export function inFormulaOrder(counts: ElementCounts): ElementCounts {
  return formulaOrder(counts, electronegativityOf)
}

/** The contents of the cell: `Si2`, `H4C`, `Ti2O4`. */
export function unitCellFormula(counts: ElementCounts): string {
  return printCounts(counts)
}

/** The contents of the cell in lowest terms: `Si`, `TiO2`; shares of atoms become whole numbers, too: `Cu3Au`. */
export function reducedFormula(counts: ElementCounts): string {
  return printCounts(reducedCounts(counts))
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
