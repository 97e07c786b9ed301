import { describe, expect, it } from 'vitest'
import { withCapitals } from '../../src/page/formula-spelling.ts'
import {
  isElementList,
  readComposition,
  readElement,
  readElements,
} from '../../src/structure/chemistry/read-composition.ts'
import { reducedFormula } from '../../src/structure/formula.ts'

const reduced = (text: string): string | null => {
  const counts = readComposition(text)
  return counts === null ? null : reducedFormula(counts)
}

describe('a formula in any spelling', () => {
  it.each([
    ['NaCl', 'NaCl'],
    ['ClNa', 'NaCl'],
    ['Na Cl', 'NaCl'],
    [' O2Si ', 'SiO2'],
    ['Si2O4', 'SiO2'],
    ['SiO₂', 'SiO2'],
    ['SiO_2', 'SiO2'],
    ['SiO_{2}', 'SiO2'],
    ['$\\mathrm{SiO_2}$', 'SiO2'],
    ['SiO<sub>2</sub>', 'SiO2'],
    ['Al2 O3', 'Al2O3'],
    ['O3TiSr', 'SrTiO3'],
    ['Ca(OH)2', 'CaH2O2'],
    ['CuSO4·5H2O', 'CuH10SO9'],
    ['Si1 O2', 'SiO2'],
  ])('%s is %s', (text, formula) => {
    expect(reduced(text)).toBe(formula)
  })

  it.each(['', '  ', 'quartz', 'Xx2', 'Ti-O', 'Na+', 'Ca(OH', 'si', '225'])('is not %j', (text) => {
    expect(readComposition(text)).toBeNull()
  })
})

describe('elements', () => {
  it('are known by symbol in any case and by name', () => {
    expect(['Si', 'si', 'SI', 'silicon', ' Iron ', 'D'].map(readElement)).toEqual(['Si', 'Si', 'Si', 'Si', 'Fe', 'H'])
    expect(['Xx', '', 'quartz', 'S i', '14'].map(readElement)).toEqual(Array(5).fill(null))
  })

  it('are read from lists of them', () => {
    expect(readElements('Ti-O')).toEqual(['O', 'Ti'])
    expect(readElements(' ti, o ,Ti')).toEqual(['O', 'Ti'])
    expect(readElements('Ti-Xx')).toBeNull()
    expect([isElementList('Ti-O'), isElementList('Ti'), isElementList('TiO2')]).toEqual([true, false, false])
  })

  it('get their capitals back, two letters first', () => {
    const given = ['nacl', 'tio2', 'gan', 'sic', 'al2o3', 'ca(oh)2', 'hfo2']
    expect(given.map(withCapitals)).toEqual(['NaCl', 'TiO2', 'GaN', 'SiC', 'Al2O3', 'Ca(OH)2', 'HfO2'])
    expect(['quartz', 'NaCl', 'x'.repeat(100), 'tio_2'].map(withCapitals)).toEqual(Array(4).fill(null))
  })
})
