import { describe, expect, test } from 'vitest'
import type { Crystal } from '../../src/structure/crystal.ts'
import { parseCif } from '../../src/structure/formats/cif/cif.ts'

const TAGS = 'label type_symbol fract_x fract_y fract_z occupancy disorder_assembly disorder_group'.split(' ')
/** Whole atoms on a general position, which hold the group. */
const REST = 'C1 C 0.21 0.13 0.37 1 . .'

/** A cell of 10 Å with atoms of these rows. */
function cif(symbol: 'P 1' | 'P -1', ...rows: readonly string[]): Crystal {
  return parseCif(
    [
      'data_x',
      ...['a', 'b', 'c'].map((edge) => `_cell_length_${edge} 10`),
      ...['alpha', 'beta', 'gamma'].map((angle) => `_cell_angle_${angle} 90`),
      `_space_group_name_H-M_alt '${symbol}'`,
      'loop_',
      ...TAGS.map((tag) => `_atom_site_${tag}`),
      ...rows,
      REST,
      '',
    ].join('\n'),
  )
}

const shares = ({ sites }: Crystal) =>
  sites.flatMap(({ label, element, occurrence = 1 }) => (label === 'C1' ? [] : [`${element} ${occurrence}`]))
const codes = ({ warnings }: Crystal) => warnings.map(({ code }) => code)

describe('occupancies of one site', () => {
  test('that are a little too many are divided, and never add up to more than one atom', () => {
    const crystal = cif('P 1', 'Fe1 Fe 0 0 0 0.4 . .', 'Co1 Co 0 0 0 0.4 . .', 'Ni1 Ni 0 0 0 0.25 . .')
    expect([shares(crystal), codes(crystal)]).toEqual([['Fe 0.3809', 'Co 0.3809', 'Ni 0.238'], ['shares-scaled']])
  })

  test('that make one and a half atoms are refused', () => {
    const read = () => cif('P 1', 'Fe1 Fe 0 0 0 0.8 . .', 'Co1 Co 0 0 0 0.7 . .')
    expect(read).toThrow('The occupancies of one site add up to 1.5: Fe1 0.8, Co1 0.7.')
  })

  test('of which each is of another group of one assembly are not added up', () => {
    const crystal = cif('P 1', 'O1 O 0 0 0 0.9 A 1', 'N1 N 0 0 0 0.9 A 2')
    expect([shares(crystal), codes(crystal)]).toEqual([['O 0.9', 'N 0.9'], []])
  })

  test('of one element with two charges stay apart; of one with one charge they make one atom', () => {
    const charges = cif('P 1', 'Fe1 Fe2+ 0 0 0 0.5 . .', 'Fe2 Fe3+ 0 0 0 0.5 . .')
    expect([shares(charges), codes(charges)]).toEqual([['Fe 0.5', 'Fe 0.5'], []])
    const charge = cif('P 1', 'Fe1 Fe2+ 0 0 0 0.5 . .', 'Fe2 Fe2+ 0 0 0 0.5 . .')
    expect([shares(charge), codes(charge)]).toEqual([['Fe 1'], ['shares-added']])
  })

  test('of a type that names several species are those of the species in the site', () => {
    expect(shares(cif('P 1', "M1 '0.5Mg + 0.3Ta' 0 0 0 0.5 . ."))).toEqual(['Mg 0.25', 'Ta 0.15'])
  })
})

describe('the occupancy of an atom', () => {
  test.each([
    ['1.01', 1, []],
    ['1.02', 1, ['occupancy-above-one']],
    ['1.1', 1, ['occupancy-above-one']],
    ['0.00001', 0.0001, []],
  ])('%s is taken as %d', (occupancy, taken, warned) => {
    const crystal = cif('P 1', `Fe1 Fe 0 0 0 ${occupancy} . .`)
    expect([shares(crystal), codes(crystal)]).toEqual([[`Fe ${taken}`], warned])
  })

  test.each(['1.11', '-0.1'])('%s is refused', (occupancy) => {
    expect(() => cif('P 1', `Fe1 Fe 0 0 0 ${occupancy} . .`)).toThrow(`Fe1 has the occupancy ${occupancy}`)
  })
})

describe('whole atoms', () => {
  test('of a negative group that symmetry brings together are taken, and told', () => {
    const crystal = cif('P -1', 'O1 O 0.015 0 0 1 . -1')
    expect([shares(crystal), codes(crystal)]).toEqual([['O 1', 'O 1'], ['shares-crowded']])
    expect(crystal.warnings[0]?.message).toContain('two images of O1 (0.30 Å)')
  })

  test('of no group that symmetry brings together are refused', () => {
    expect(() => cif('P -1', 'O1 O 0.022 0 0 1 . .')).toThrow('two images of O1 are only 0.44 Å apart')
  })

  test('of two groups at one place are alternatives, and none is one that is listed twice', () => {
    const crystal = cif('P 1', 'O1 O 0 0 0 1 . 1', 'O2 O 0 0 0 1 . 2')
    expect([shares(crystal), codes(crystal)]).toEqual([['O 1', 'O 1'], []])
    expect(codes(cif('P 1', 'O1 O 0 0 0 1 . 1', 'O2 O 0 0 0 1 . 1'))).toEqual(['atom-listed-twice'])
  })

  test('of two groups are too near only where these are of different assemblies', () => {
    const near = (assembly: string) => cif('P -1', 'O1 O 0.3 0.3 0.3 1 A 1', `N1 N 0.33 0.3 0.3 1 ${assembly} 2`)
    expect(codes(near('A'))).toEqual([])
    expect(() => near('B')).toThrow('O1 and N1 are only 0.30 Å apart')
  })

  test('of the group 0 are in none', () => {
    const { sites } = cif('P 1', 'O1 O 0 0 0 1 . 0', 'N1 N 0.5 0 0 1 . 1')
    expect(sites.map(({ disorder }) => disorder)).toEqual([undefined, { assembly: '', group: '1' }, undefined])
  })
})

test('half an atom beside a special position is a split position, and a whole one is moved onto it', () => {
  const half = cif('P -1', 'O1 O 0.018 0 0 0.5 . .')
  expect([shares(half), codes(half)]).toEqual([['O 0.5', 'O 0.5'], []])
  const whole = cif('P -1', 'O1 O 0.018 0 0 1 . .')
  expect([shares(whole), codes(whole)]).toEqual([['O 1'], ['moved-to-special-position']])
})
