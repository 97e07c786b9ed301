import { readTable } from '../../kernel/project-files.ts'

/** Data of a chemical element; sources are named in the table. */
export interface Element {
  readonly number: number
  readonly symbol: string
  readonly name: string
  /** Standard atomic weight in g/mol (the same number as the mean mass of an atom in Da). */
  readonly mass: number
  /** On Pauling's scale; null where there is no accepted value. */
  readonly electronegativity: number | null
}

/** All elements, hydrogen first; the element of atomic number Z is at index Z - 1. */
export const ELEMENTS: readonly Element[] = readTable('structure/elements/elements.tsv').map(
  ([symbol = '', name = '', mass, electronegativity = ''], index) =>
    Object.freeze({
      number: index + 1,
      symbol,
      name,
      mass: Number(mass),
      electronegativity: electronegativity === '' ? null : Number(electronegativity),
    }),
)

const bySymbol: ReadonlyMap<string, Element> = new Map(ELEMENTS.map((element) => [element.symbol, element]))

/** Looks an element up by its symbol, written as it should be (`Si`, not `SI`). */
export function findElement(symbol: string): Element | undefined {
  return bySymbol.get(symbol)
}

/** Looks an element up by its atomic number, 1 to 118. */
export function elementOfNumber(atomicNumber: number): Element | undefined {
  return ELEMENTS[atomicNumber - 1]
}

/** Tells whether a text is the symbol of an element. */
export function isElementSymbol(text: string): boolean {
  return bySymbol.has(text)
}
