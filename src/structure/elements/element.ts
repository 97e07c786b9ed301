import { readTable } from '../../kernel/project-files.ts'

/** Data of a chemical element; sources are named in the table. */
export interface ElementData {
  readonly number: number
  readonly symbol: string
  readonly name: string
  /** Standard atomic weight in g/mol (the same number as the mean mass of an atom in Da). */
  readonly mass: number
  /** On Pauling's scale; null where there is no accepted value. */
  readonly electronegativity: number | null
}

/** All elements, hydrogen first; the element of atomic number Z is at index Z - 1. */
export const ELEMENTS: readonly ElementData[] = readTable('structure/elements/elements.tsv').map(
  ([symbol = '', name = '', mass, electronegativity = ''], index) =>
    Object.freeze({
      number: index + 1,
      symbol,
      name,
      mass: Number(mass),
      electronegativity: electronegativity === '' ? null : Number(electronegativity),
    }),
)

const bySymbol: ReadonlyMap<string, ElementData> = new Map(ELEMENTS.map((element) => [element.symbol, element]))

/** Looks an element up by its symbol, written as it should be (`Si`, not `SI`). */
export function findElement(symbol: string): ElementData | undefined {
  return bySymbol.get(symbol)
}

/** Looks an element up by its atomic number, 1 to 118. */
export function elementOfNumber(atomicNumber: number): ElementData | undefined {
  return ELEMENTS[atomicNumber - 1]
}

export function isElementSymbol(text: string): boolean {
  return bySymbol.has(text)
}

/** Masses in Da of isotopes that people exchange in crystals: M. Wang et al., Chinese Phys. C 45, 030003 (2021). */
const MASSES: Readonly<Record<string, number>> = {
  H1: 1.007825,
  H2: 2.014102,
  H3: 3.016049,
  Li6: 6.015123,
  Li7: 7.016003,
  B10: 10.012937,
  B11: 11.009305,
  C12: 12,
  C13: 13.003355,
  N14: 14.003074,
  N15: 15.000109,
  O16: 15.994915,
  O17: 16.999132,
  O18: 17.99916,
}

/** Mass in Da of an atom, of the isotope if it names one; 0 for what is no element. */
export function massOfAtom({ element, isotope }: { readonly element: string; readonly isotope?: number }): number {
  return isotope === undefined ? (findElement(element)?.mass ?? 0) : isotopeMass(element, isotope)
}

/** The mass of one isotope; of those that are not listed the mass number, which is right to a thousandth. */
export function isotopeMass(element: string, massNumber: number): number {
  return MASSES[`${element}${massNumber}`] ?? massNumber
}

/** Programs that need no masses write 1 for all elements. */
const SMALLEST_MASS = 1.5

/** The mass number of an atom that weighs (in Da) otherwise than the natural element does; null where no isotope weighs so, nothing where it is the natural element. */
export function isotopeOfMass(symbol: string, mass: number): number | null | undefined {
  const element = findElement(symbol)
  if (element === undefined || mass < SMALLEST_MASS) return undefined
  if (Math.abs(mass - element.mass) <= 0.4 + element.mass / 100) return undefined
  const massNumber = Math.round(mass)
  // Atoms weigh a whole number to 0.1 Da; what is further from the natural element than this nobody has made.
  const isWhole = Math.abs(mass - massNumber) <= 0.11
  const isNear = Math.abs(massNumber - element.mass) <= 2.5 + element.mass / 7
  return isWhole && isNear && massNumber > element.number ? massNumber : null
}
