import { describe, expect, it } from 'vitest'
import { convert } from '../../src/page/units.ts'

describe('conversion of units', () => {
  it.each([
    [1, 'Ha', 'eV', 27.211386245988],
    [1, 'Ry', 'eV', 13.605693122994],
    [1, 'eV', 'meV', 1000],
    [1, 'eV', 'J', 1.602176634e-19],
    [1, 'eV', 'kJ/mol', 96.48533212331002],
    [1, 'eV', 'kcal/mol', 23.06054783061903],
    [1, 'eV', 'cm^-1', 8065.543937349212],
    [1, 'THz', 'meV', 4.135667696923859],
    [1, 'GPa', 'kbar', 10],
    [1, 'eV/Å^3', 'GPa', 160.2176634],
    [1, 'Ry/bohr^3', 'kbar', 147105.0784826103],
    [1, 'Ha/bohr^3', 'GPa', 29421.01569652206],
    [1, 'atm', 'Pa', 101325],
    [1, 'dyn/cm²', 'Pa', 0.1],
    [1, 'MPa', 'bar', 10],
    [1, 'Ry/bohr', 'eV/angstrom', 25.711033738162943],
    [1, 'Ha/bohr', 'eV/Å', 51.42206747632589],
    [1, 'mdyn', 'eV/Å', 6.241509074460763],
    [1, 'nN', 'N', 1e-9],
    [1, 'bohr', 'Å', 0.529177210903],
    [1, 'nm', 'pm', 1000],
    [1, 'eV/Å^2', 'J/m^2', 16.02176634],
    [-3.5, 'Ha/atom', 'eV/atom', -95.239851860958],
    [2, 'μB/cell', 'Bohr mag/cell', 2],
  ])('makes %d %s of %s as CODATA 2018 has it', (value, from, to, expected) => {
    const made = convert(value, from, to)
    expect(made).not.toBeNull()
    expect(Math.abs((made ?? 0) / expected - 1)).toBeLessThan(1e-14)
  })

  it.each([
    [
      'eV/angstrom',
      ['eV/Å', 'ev/a', 'eV/A', 'eV / Ang', 'eV·Å⁻¹', 'eV*angstrom^-1', 'eV per angstrom', 'eV/\u212b', 'eV A^-1'],
    ],
    ['eV/Å^3', ['eV/A^3', 'eV/Å³', 'ev/ang**3', 'eV/angstrom^3', 'eV/A3', 'eV/(A^3)', 'eV Å^-3']],
    ['kbar', ['KBAR', 'Kbar', 'kB']],
    ['Ha', ['hartree', 'Hartree', 'HA', 'Eh']],
    ['uB', ['μB', 'µB', 'mu_B', 'Bohr magneton', 'Bohr magnetons']],
    ['cm^-1', ['cm-1', '1/cm', 'cm⁻¹']],
    ['eV/f.u.', ['eV/fu', 'eV/formula', 'eV per formula unit']],
  ])('takes %s in many spellings', (name, spellings) => {
    for (const spelling of spellings) expect([spelling, convert(1.25, spelling, name)]).toEqual([spelling, 1.25])
  })

  it('tells milli from mega in any letter case', () => {
    expect(['mev', 'MEV', 'mpa', 'MPA'].map((name) => convert(1, name, /ev/i.test(name) ? 'eV' : 'Pa'))).toEqual([
      0.001, 1e6, 0.001, 1e6,
    ])
  })

  it('leaves a value as it is where the unit is the same', () => {
    expect(convert(0.1 + 0.2, 'kbar', 'kbar')).toBe(0.1 + 0.2)
    expect(convert(0.1 + 0.2, 'eV/a', 'eV/angstrom')).toBe(0.1 + 0.2)
  })

  it.each([
    ['eV', 'eV/atom'],
    ['eV/cell', 'eV'],
    ['eV/atom', 'eV/f.u.'],
    ['GPa', 'eV'],
    ['eV', 'eV/angstrom'],
    ['bohr', 'Ry'],
    ['uB', 'eV'],
  ])('has nothing for %s as %s, which measure different things', (from, to) => {
    expect(convert(1, from, to)).toBeNull()
  })

  it.each([
    '',
    ' ',
    'parsec',
    'eV/',
    '/eV',
    'eV//Å',
    'eV/Å^x',
    'MHa',
    'MRy',
    'M',
    'constructor',
    '__proto__',
    'a.u.',
    `${'eV*'.repeat(400)}eV`,
  ])('does not know the unit "%s"', (name) => {
    expect(convert(1, name, name)).toBeNull()
    expect(convert(1, name, 'eV')).toBeNull()
  })
})
