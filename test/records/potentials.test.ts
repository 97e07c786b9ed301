import { describe, expect, it } from 'vitest'
import { commonPotentials, otherPotential } from '../../src/records/diagrams/potentials.ts'

describe('potentials of energies', () => {
  it.each([
    ['are those of most', [{ Si: 'b' }, { Si: 'a', C: 'c' }, { Si: 'b' }], { Si: 'b', C: 'c' }],
    ['are the first by name of as many', [{ Si: 'b' }, { Si: 'a' }], { Si: 'a' }],
    [
      'of VASP are those of their symbols',
      [{ Mn: 'PAW_PBE Mn_pv 02Aug2007' }, { Mn: 'PBE Mn_pv' }, { Mn: 'PAW_PBE Mn 06Sep2000' }, { Mn: 'PAW_PBE Mn' }],
      { Mn: 'Mn' },
    ],
    ['are not known where nobody says them', [{}, {}], {}],
  ])('%s', (_case, all, common) => {
    expect(commonPotentials(all)).toEqual(common)
  })

  it.each([
    [{ Si: 'a' }, null],
    [{}, null],
    [{ O: 'o' }, null],
    [{ Si: 'PAW_PBE a 05Jan2001', C: 'PBE c' }, null],
    [{ Si: 'PAW_PBE a_d 05Jan2001' }, 'a_d for Si, where most have a'],
    [{ Si: 'b' }, 'b for Si, where most have a'],
    [{ C: 'd', Si: 'b' }, 'd for C, where most have c; b for Si, where most have a'],
  ])('%j are others or not', (potentials, said) => {
    expect(otherPotential(potentials, { Si: 'a', C: 'c' })).toBe(said)
  })
})
