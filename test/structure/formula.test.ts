import { expect, test } from 'vitest'
import {
  countAtoms,
  countElements,
  densityOf,
  massOf,
  reducedFormula,
  unitCellFormula,
} from '../../src/structure/formula.ts'

const FORMULAS = [
  ['Si Si', 'Si2', 'Si'],
  ['C H H H H', 'H4C', 'H4C'],
  ['N H H H', 'H3N', 'H3N'],
  ['O O', 'O2', 'O'],
  ['Ti O O Ti O O', 'Ti2O4', 'TiO2'],
  ['O Sr Ti O O', 'SrTiO3', 'SrTiO3'],
  // Without an electronegativity an element comes first.
  ['Na Ne', 'NeNa', 'NeNa'],
  // Equal electronegativities (2.2) go by symbol.
  ['Ru Pd Os', 'OsPdRu', 'OsPdRu'],
] as const

test.each(FORMULAS)('%s is %s, reduced %s', (symbols, ofCell, reduced) => {
  const counts = countElements(symbols.split(' '))
  expect(unitCellFormula(counts)).toBe(ofCell)
  expect(reducedFormula(counts)).toBe(reduced)
})

test('density follows from contents and volume', () => {
  expect(densityOf(massOf([{ element: 'Si' }, { element: 'Si' }]), 40.8891)).toBeCloseTo(2.2811, 4)
})

const FE9O10 = [{ element: 'Fe', occurrence: 0.9 }, { element: 'O' }]
const THIRDS = [0.333, 0.3333, 0.3333].map((occurrence) => ({ element: 'Na', occurrence }))

test.each([
  [
    [
      { element: 'Cu', occurrence: 0.75 },
      { element: 'Au', occurrence: 0.25 },
    ],
    'Cu0.75Au0.25',
    'Cu3Au',
  ],
  [FE9O10, 'Fe0.9O', 'Fe9O10'],
  [[...THIRDS, { element: 'Cl' }], 'NaCl', 'NaCl'],
  [[{ element: 'Na', occurrence: 0.6667 }, { element: 'Co' }], 'Na0.6667Co', 'Na2Co3'],
  [[{ element: 'Ag', occurrence: 0.9995 }], 'Ag', 'Ag'],
])('shares of atoms are counted as shares: %j', (sites, ofCell, reduced) => {
  const counts = countAtoms(sites)
  expect([unitCellFormula(counts), reducedFormula(counts)]).toEqual([ofCell, reduced])
})

test('a mass knows shares and isotopes', () => {
  expect(massOf(FE9O10)).toBeCloseTo(0.9 * 55.845 + 15.999, 3)
  expect(massOf([{ element: 'H', isotope: 2, occurrence: 0.5 }])).toBeCloseTo(1.007051, 5)
})
