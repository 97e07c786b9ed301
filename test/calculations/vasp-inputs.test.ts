import { describe, expect, it } from 'vitest'
import { readIncar } from '../../src/calculations/readers/vasp/incar.ts'
import { readKpoints } from '../../src/calculations/readers/vasp/kpoints-file.ts'
import { readPotcar } from '../../src/calculations/readers/vasp/potcar.ts'

describe('an INCAR', () => {
  it('is read into numbers, truth values, texts and lists', () => {
    const text = `SYSTEM = 12 atoms # of iron
encut = 520 ; EDIFF=1E-6
LWAVE = .FALSE.   ! no waves
LCHARG = T
ALGO = F
LREAL = Auto
MAGMOM = 3*5.0 -1.5 \\
 2*0
LDAUU = 4.0 0
DIPOL = 0.5 0.5 0.5
NOTHING =
ENCUT = 400
# PREC = Low
`
    expect(readIncar([text])).toEqual({
      SYSTEM: '12 atoms',
      ENCUT: 520,
      EDIFF: 1e-6,
      LWAVE: false,
      LCHARG: true,
      ALGO: 'F',
      LREAL: 'Auto',
      MAGMOM: [5, 5, 5, -1.5, 0, 0],
      LDAUU: [4, 0],
      DIPOL: [0.5, 0.5, 0.5],
      NOTHING: '',
    })
    expect(readIncar([...text])).toEqual(readIncar([text]))
  })

  it('repeats no more than can be meant', () => {
    expect(readIncar(['MAGMOM = 999999*1.0\n'])).toEqual({ MAGMOM: '999999*1.0' })
  })
})

describe('a KPOINTS', () => {
  it.each([
    [
      'a grid',
      'Title\n0\nGamma\n4 4 2\n0 0 0.5\n',
      { comment: 'Title', mode: 'gamma', divisions: [4, 4, 2], shift: [0, 0, 0.5] },
    ],
    ['a grid without shift', '\n0\nMonkhorst\n4 4 2\n', { mode: 'monkhorst-pack', divisions: [4, 4, 2] }],
    ['a length', 'a\n0\nAuto\n 30\n', { comment: 'a', mode: 'automatic', length: 30 }],
    [
      'generating vectors',
      'a\n0\nReciprocal\n0.25 0 0\n0 0.25 0\n0 0 0.25\n0.5 0.5 0.5\n',
      {
        comment: 'a',
        mode: 'Reciprocal',
        vectors: [
          [0.25, 0, 0],
          [0, 0.25, 0],
          [0, 0, 0.25],
          [0.5, 0.5, 0.5],
        ],
      },
    ],
    [
      'lines',
      'a\n20\nLine-mode\nreciprocal\n0 0 0 ! G\n0.5 0 0 1 X\n\n0.5 0 0\n0.5 0.5 0 M\n',
      {
        comment: 'a',
        mode: 'line',
        divisions: 20,
        coordinates: 'reciprocal',
        points: [
          [0, 0, 0],
          [0.5, 0, 0],
          [0.5, 0, 0],
          [0.5, 0.5, 0],
        ],
        labels: ['G', 'X', null, 'M'],
      },
    ],
    [
      'a list',
      'a\n2\nCartesian\n0 0 0 1\n0.5 0 0 2\n',
      {
        comment: 'a',
        mode: 'list',
        coordinates: 'cartesian',
        points: [
          [0, 0, 0],
          [0.5, 0, 0],
        ],
        weights: [1, 2],
      },
    ],
    ['nothing of these', 'a\nb\nc\n', { comment: 'a', lines: ['b', 'c'] }],
  ])('is read: %s', (_, text, value) => {
    expect(readKpoints([text])).toEqual(value)
    expect(readKpoints([...text])).toEqual(value)
  })
})

describe('a POTCAR', () => {
  it('is read for its titles alone', () => {
    const text =
      ' PAW_PBE Fe_pv 06Sep2000\n 14.0\n parameters\n VRHFIN =Fe: 3d7\n TITEL  = PAW_PBE Fe_pv 06Sep2000\n 1.0 2.0\n TITEL  = US O\n'
    const titles = [
      { element: 'Fe', title: 'PAW_PBE Fe_pv 06Sep2000' },
      { element: 'O', title: 'US O' },
    ]
    expect(readPotcar([text])).toEqual(titles)
    expect(readPotcar([...text])).toEqual(titles)
  })
})
