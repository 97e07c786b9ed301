import { expect, test } from 'vitest'
import { countElements, density, reducedFormula, unitCellFormula } from '../../src/structure/formula.ts'

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
  expect(density(countElements(['Si', 'Si']), 40.8891)).toBeCloseTo(2.2811, 4)
})
