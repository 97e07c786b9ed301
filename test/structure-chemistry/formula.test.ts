import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { anonymousFormula } from '../../src/page/formula-spelling.ts'
import {
  alphabeticalReducedFormula,
  chemicalSystem,
  elementRatios,
  hillFormula,
  parseFormula,
} from '../../src/structure/chemistry/formula-forms.ts'

describe('parseFormula', () => {
  it.each([
    ['SrTiO3', { Sr: 1, Ti: 1, O: 3 }],
    ['Ca(OH)2', { Ca: 1, O: 2, H: 2 }],
    ['K4[Fe(CN)6]', { K: 4, Fe: 1, C: 6, N: 6 }],
    ['CuSO4·5H2O', { Cu: 1, S: 1, O: 9, H: 10 }],
    ['CuSO4.5H2O', { Cu: 1, S: 1, O: 9, H: 10 }],
    ['CuSO4*5H2O', { Cu: 1, S: 1, O: 9, H: 10 }],
    ['CaSO4.0.5H2O', { Ca: 1, S: 1, O: 4.5, H: 1 }],
    ['Na2CO3.10H2O', { Na: 2, C: 1, O: 13, H: 20 }],
    ['La0.7Sr0.3MnO3', { La: 0.7, Sr: 0.3, Mn: 1, O: 3 }],
    ['YBa2Cu3O6.5', { Y: 1, Ba: 2, Cu: 3, O: 6.5 }],
    ['2H2O', { H: 4, O: 2 }],
    ['H₂O', { H: 2, O: 1 }],
    ['D2O', { H: 2, O: 1 }],
    ['{[Co(NH3)6]Cl3}2', { Co: 2, N: 12, H: 36, Cl: 6 }],
    ['CO', { C: 1, O: 1 }],
    ['Co', { Co: 1 }],
    ['CH3CH2OH', { C: 2, H: 6, O: 1 }],
  ])('reads %s', (text, counts) => {
    expect(Object.fromEntries(parseFormula(text))).toEqual(counts)
  })

  it.each([
    ['', 'empty', 1],
    ['foo', '"f" was not expected', 1],
    ['Xy2', '"Xy" is no chemical element', 1],
    ['Fe(OH', 'not closed', 3],
    ['Fe(OH]2', '"]" was not expected', 6],
    ['SO4-', 'charge', 4],
    ['Fe+3', 'charge', 3],
    ['SO4²⁻', 'charge', 4],
    ['H0', 'not a positive number', 2],
    ['()', 'not expected', 2],
    ['NaCl·', 'ends too early', 6],
    ['__proto__', 'not expected', 1],
    ['('.repeat(40), 'nested deeper', 18],
  ])('refuses "%s" and names the column', (text, part, column) => {
    expect(() => parseFormula(text)).toThrow(
      expect.objectContaining({
        code: 42234,
        message: expect.stringContaining(part),
        data: expect.objectContaining({ column }),
      }),
    )
  })

  it('reads whatever the Hill order writes', () => {
    const counts = fc.uniqueArray(
      fc.tuple(fc.constantFrom('C', 'H', 'O', 'Co', 'Os', 'N', 'S', 'Sc', 'Si'), fc.integer({ min: 1, max: 40 })),
      {
        minLength: 1,
        selector: ([element]) => element,
      },
    )
    fc.assert(
      fc.property(counts, (pairs) => {
        expect(new Map([...parseFormula(hillFormula(new Map(pairs)))].sort())).toEqual(new Map([...pairs].sort()))
      }),
    )
  })
})

describe('forms of a formula', () => {
  const forms = (text: string) => {
    const counts = parseFormula(text)
    return [hillFormula(counts), alphabeticalReducedFormula(counts), anonymousFormula(counts), chemicalSystem(counts)]
  }

  it.each([
    ['SrTiO3', ['O3SrTi', 'O3SrTi', 'A3BC', 'O-Sr-Ti']],
    ['C6H12O6', ['C6H12O6', 'CH2O', 'A2BC', 'C-H-O']],
    ['H2O', ['H2O', 'H2O', 'A2B', 'H-O']],
    ['Si8', ['Si8', 'Si', 'A', 'Si']],
    ['Fe0.5Mn0.5O', ['Fe0.5Mn0.5O', 'FeMnO2', 'A2BC', 'Fe-Mn-O']],
  ])('writes %s in every form', (text, expected) => {
    expect(forms(text)).toEqual(expected)
  })

  it('names more than 26 elements as OPTIMADE does', () => {
    const counts = new Map(Array.from({ length: 28 }, (_, index) => [`E${index}`, 1]))
    expect(anonymousFormula(counts).endsWith('ZAaBa')).toBe(true)
  })

  it('gives shares that add up to one', () => {
    expect([...elementRatios(parseFormula('SrTiO3'))]).toEqual([
      ['O', 0.6],
      ['Sr', 0.2],
      ['Ti', 0.2],
    ])
  })
})
