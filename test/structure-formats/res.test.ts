import { describe, expect, it } from 'vitest'
import { parametersOf } from '../../src/structure/cell.ts'
import type { Crystal } from '../../src/structure/crystal.ts'
import { readStructure } from '../../src/structure/formats/read-structure.ts'

const CELL = 'CELL 0.71073 4 4 4 90 90 90\nZERR 1 0 0 0 0 0 0\n'
const read = (text: string, frame?: number): Crystal =>
  readStructure(text, { format: 'res', ...(frame === undefined ? {} : { frame }) }).crystal
const contents = ({ sites }: Crystal): Record<string, number> => {
  const counts: Record<string, number> = {}
  for (const { element, occurrence = 1 } of sites) counts[element] = (counts[element] ?? 0) + occurrence
  return counts
}

describe('a file of SHELX', () => {
  it('has the symmetry of LATT and SYMM, and is told by its content', () => {
    const halite = `TITL Rock salt in Fm-3m\n${CELL.replaceAll(' 4', ' 5.64')}LATT 4\nSYMM -X, -Y, Z\nSYMM Z, X, Y\nSYMM -Z, -X, Y\nSYMM Y, Z, X\nSYMM -X, Y, -Z\nSYMM X, -Y, -Z\nSYMM Z, -X, -Y\nSYMM -Z, X, -Y\nSYMM -Y, Z, -X\nSYMM Y, -Z, -X\nSYMM -Y, -Z, X\nSFAC NA CL\nUNIT 4 4\nFVAR 1.0\nNa1 1 10.0 10.0 10.0 10.04167 0.01\nCL1 2 10.5 10.5 10.5 10.04167 0.01 ! chlorine\nHKLF 4\nEND\n`
    const { crystal, format } = readStructure(halite)
    expect(format).toBe('res')
    expect([crystal.title, contents(crystal)]).toEqual(['Rock salt in Fm-3m', { Na: 4, Cl: 4 }])
    expect(crystal.rest).toEqual({ values: { ZERR: '1 0 0 0 0 0 0', HKLF: 4 }, leftOut: ['displacements (2)'] })
  })

  it('has shares by free variables, and lines that go on', () => {
    const atoms =
      'FVAR 1.0 0.25\nFE1 1 0.1 0.2 0.3 21.0 =\n 0.01\nPART 2\nNI1 2 0.1 0.2 0.3 -21.0\nPART 0\nFE2 1 10.5 0.5 20.8 10.5 =\n 0.01\n'
    const { sites } = read(`${CELL}LATT -1\nSFAC Fe Ni\n${atoms}END\n`)
    expect(sites).toMatchObject([
      { element: 'Fe', occurrence: 0.25, label: 'FE1' },
      { element: 'Ni', occurrence: 0.75, disorder: { group: '2' } },
      { element: 'Fe', occurrence: 0.5 },
    ])
    expect(sites[2]?.fraction[2]).toBeCloseTo(0.2, 12)
  })

  it('has peaks of the difference density, which are no atoms, and factors of scattering behind SFAC', () => {
    const crystal = read(
      `${CELL}LATT -1\nSFAC C 2.31 20.8 1.02\nSFAC O\nO1 2 0 0 0 11.0\nC1 1 0.5 0 0 11.0\nQ1 1 0.3 0 0 11.0 0.05 1.2\nEND\nQ2 1 0.3 0 0 11.0 0.05 0.9\n`,
    )
    expect(contents(crystal)).toEqual({ O: 1, C: 1 })
    expect(crystal.rest?.leftOut).toEqual(['peaks of the difference density (1)', 'lines behind END (1)'])
  })

  it('of AIRSS has its energy in the title, spins behind the shares, and others after it', () => {
    const airss = (name: string, x: number): string =>
      `TITL ${name} 0.05 64.0 -123.456 2.0 2.1 2 (P4/mmm) n - 1\nREM by hand\nCELL 1.54180 4 4 4 90 90 90\nLATT -1\nSFAC Fe O\nFe 1 0 0 0 1.0 2.00\nO 2 ${x} 0.5 0.5 1.0 0.00\nEND\n`
    const crystal = read(airss('Fe-1', 0.5))
    expect(crystal.title).toBe('Fe-1')
    expect(crystal.rest?.values).toEqual({
      pressure: 0.05,
      volume: 64,
      energy: -123.456,
      spin: 2,
      absoluteSpin: 2.1,
      spaceGroup: 'P4/mmm',
      REM: 'by hand',
    })
    expect(crystal.sites).toMatchObject([{ element: 'Fe', moment: [0, 0, 2] }, { element: 'O' }])
    const two = airss('Fe-1', 0.5) + airss('Fe-2', 0.25)
    expect([0, 1].map((frame) => [read(two, frame).title, read(two, frame).sites[1]?.fraction[0]])).toEqual([
      ['Fe-1', 0.5],
      ['Fe-2', 0.25],
    ])
  })

  it('without LATT has a primitive lattice and the inversion', () => {
    const crystal = read(`${CELL.replace('90 90 90', '80 95 100')}SFAC O\nO1 1 0.2 0.3 0.4 11.0\nEND\n`)
    expect(crystal.sites.map(({ fraction }) => fraction.map((x) => x.toFixed(6)))).toEqual([
      ['0.200000', '0.300000', '0.400000'],
      ['0.800000', '0.700000', '0.600000'],
    ])
    expect(parametersOf(crystal.lattice)).toMatchObject({ a: 4, alpha: 80, gamma: 100 })
  })

  it.each([
    ['no cell', 'LATT -1\nSFAC O\nO1 1 0 0 0 11\n', 42231],
    ['a cell that cannot exist', `${CELL.replace('90 90 90', '20 90 140')}SFAC O\nO1 1 0 0 0 11\n`, 42231],
    ['a lattice that is none', `${CELL}LATT 9\nSFAC O\nO1 1 0 0 0 11\n`, 42233],
    ['an operator that is none', `${CELL}LATT 1\nSYMM X, Y\nSFAC O\nO1 1 0 0 0 11\n`, 42233],
    ['operators that are no group', `${CELL}LATT -1\nSYMM -Y, X, 0.3+Z\nSFAC O\nO1 1 0 0 0 11\n`, 42233],
    [
      'operators that the cell does not have',
      `${CELL.replace('4 4 4', '4 5 6')}LATT -1\nSYMM Z, X, Y\nSYMM Y, Z, X\nSFAC O\nO1 1 0 0 0 11\n`,
      42225,
    ],
    ['a number of no element', `${CELL}LATT -1\nSFAC O\nO1 2 0 0 0 11\n`, 42225],
    ['a free variable that is not there', `${CELL}LATT -1\nSFAC O\nO1 1 0 0 0 21\n`, 42225],
    ['a coordinate that is none', `${CELL}LATT -1\nSFAC O\nO1 1 0 x 0 11\n`, 42225],
    ['a share above 1', `${CELL}LATT -1\nSFAC O\nO1 1 0 0 0 2.0\n`, 42225],
    ['an element that is none', `${CELL}LATT -1\nSFAC Jq\nO1 1 0 0 0 11\n`, 42230],
    ['no atoms', `${CELL}LATT -1\nSFAC O\nEND\n`, 42235],
  ])('is refused with %s', (_, text, code) => {
    expect(() => read(text)).toThrow(expect.objectContaining({ code }))
  })
})
