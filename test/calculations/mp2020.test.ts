import { describe, expect, it } from 'vitest'
import { type CorrectedRun, correctionOf } from '../../src/calculations/hull/mp2020.ts'

const OXIDE: CorrectedRun = {
  composition: { Mn: 2, O: 3 },
  runType: 'GGA+U',
  hubbards: { Mn: 3.9, O: 0 },
  potentials: ['Mn_pv', 'O'],
  oxideType: 'oxide',
}

describe('corrections of the Materials Project', () => {
  it('are of the anion, and of metals with U', () => {
    expect(correctionOf(OXIDE)).toEqual({
      corrections: [
        { element: 'Mn', kind: 'mixing', value: 2 * -1.668 },
        { element: 'O', kind: 'anion', value: expect.closeTo(3 * -0.687, 12) },
      ],
      total: expect.closeTo(-5.397, 12),
    })
  })

  it.each([
    ['hydroxide', -0.687],
    ['peroxide', -0.465],
    ['superoxide', -0.161],
    ['ozonide', 0],
  ])('of oxygen are those of a %s', (oxideType, total) => {
    const run = { composition: { Na: 1, O: 1 }, runType: 'GGA', hubbards: {}, potentials: ['Na_pv', 'O'], oxideType }
    expect(correctionOf(run)).toMatchObject({ total })
  })

  it('are none for elements alone', () => {
    const run = { composition: { Cl: 4 }, runType: 'GGA', hubbards: {}, potentials: ['Cl'] }
    expect(correctionOf(run)).toEqual({ corrections: [], total: 0 })
  })

  it('are none where no element may be an anion', () => {
    const alloy = { composition: { Fe: 1, Co: 1 }, runType: 'GGA', hubbards: {}, potentials: ['Fe_pv', 'Co'] }
    expect(correctionOf(alloy)).toEqual({ corrections: [], total: 0 })
  })

  it('are of the metal in fluorides, and of no metal in sulfides', () => {
    const fluoride = {
      composition: { Fe: 1, F: 3 },
      runType: 'GGA+U',
      hubbards: { Fe: 5.3 },
      potentials: ['Fe_pv', 'F'],
    }
    expect(correctionOf(fluoride)).toMatchObject({ total: expect.closeTo(-2.256 - 3 * 0.462, 12) })
    const sulfide = { composition: { Fe: 1, S: 2 }, runType: 'GGA', hubbards: {}, potentials: ['Fe_pv', 'S'] }
    expect(correctionOf(sulfide)).toMatchObject({ total: -1.006 })
  })

  it('go by the oxidation state where another element is more electronegative', () => {
    const run = { composition: { Bi: 1, O: 1, Cl: 1 }, runType: 'GGA', hubbards: {}, potentials: ['Bi', 'O', 'Cl'] }
    const states = (Cl: number) => ({ ...run, oxideType: 'oxide', oxidationStates: { Bi: 3, O: -2, Cl } })
    expect(correctionOf(states(-1))).toMatchObject({ total: expect.closeTo(-0.687 - 0.614, 12) })
    expect(correctionOf(states(7))).toMatchObject({ total: -0.687 })
    expect(correctionOf({ ...run, oxideType: 'oxide' })).toEqual({
      corrections: null,
      reason: 'Whether Cl is an anion is not known: it needs its oxidation state.',
    })
  })

  it.each<[string, Partial<CorrectedRun>]>([
    ['The corrections are for GGA and GGA+U, not for R2SCAN.', { runType: 'R2SCAN' }],
    ['The corrections are for other potentials than Mn.', { potentials: ['Mn', 'O'] }],
    ['The potential of O is not known.', { potentials: ['Mn_pv'] }],
    ['U of Mn is 4 eV; the corrections are for 3.9 eV.', { hubbards: { Mn: 4 } }],
    ['U of Mn is 0 eV; the corrections are for 3.9 eV.', { hubbards: {} }],
    ['"None" is no kind of oxide.', { oxideType: 'None' }],
    ['There are no atoms.', { composition: { Mn: 0 }, potentials: [] }],
    [
      'Which element is the most electronegative is not known.',
      { composition: { Ne: 1, O: 1 }, potentials: ['Ne', 'O'] },
    ],
  ])('cannot be decided: %s', (reason, change) => {
    expect(correctionOf({ ...OXIDE, ...change })).toEqual({ corrections: null, reason })
  })

  it('cannot be decided without the kind of oxide', () => {
    const { oxideType: _, ...without } = OXIDE
    expect(correctionOf(without)).toEqual({
      corrections: null,
      reason: 'Whether it is an oxide or a peroxide is not known.',
    })
  })
})
