import { describe, expect, it } from 'vitest'
import { parametersOf } from '../../src/structure/cell.ts'
import { evaluateArithmetic } from '../../src/structure/formats/common/arithmetic.ts'
import { parseEspresso, printEspresso } from '../../src/structure/formats/espresso/espresso.ts'
import { ANGSTROM_PER_BOHR } from '../../src/structure/lattice.ts'
import { latticeTypeOfVectors } from '../../src/structure/symmetry/lattice-type.ts'

function input(system: string, positions = 'ATOMIC_POSITIONS crystal\nSi 0 0 0\n', before = ''): string {
  return `&CONTROL\n calculation='scf'\n/\n&SYSTEM\n ${system}, nat=1\n/\n&ELECTRONS\n/\nATOMIC_SPECIES\nSi 28.085 Si.upf\n${before}${positions}K_POINTS gamma\n`
}

describe('the lattice of a pw.x input', () => {
  it.each([
    [1, 'celldm(1)=10', 'CUB', 1],
    [2, 'celldm(1)=10', 'FCC', 1 / 4],
    [3, 'celldm(1)=10', 'BCC', 1 / 2],
    [-3, 'celldm(1)=10', 'BCC', 1 / 2],
    [4, 'celldm(1)=10, celldm(3)=1.6', 'HEX', (1.6 * Math.sqrt(3)) / 2],
    [5, 'celldm(1)=10, celldm(4)=0.3', 'RHL', Math.sqrt(1 - 3 * 0.09 + 2 * 0.027)],
    [-5, 'celldm(1)=10, celldm(4)=0.3', 'RHL', Math.sqrt(1 - 3 * 0.09 + 2 * 0.027)],
    [6, 'celldm(1)=10, celldm(3)=1.3', 'TET', 1.3],
    [7, 'celldm(1)=10, celldm(3)=1.3', 'BCT', 1.3 / 2],
    [8, 'celldm(1)=10, celldm(2)=1.2, celldm(3)=1.7', 'ORC', 1.2 * 1.7],
    [9, 'celldm(1)=10, celldm(2)=1.2, celldm(3)=1.7', 'ORCC', (1.2 * 1.7) / 2],
    [-9, 'celldm(1)=10, celldm(2)=1.2, celldm(3)=1.7', 'ORCC', (1.2 * 1.7) / 2],
    [91, 'celldm(1)=10, celldm(2)=1.2, celldm(3)=1.7', 'ORCC', (1.2 * 1.7) / 2],
    [10, 'celldm(1)=10, celldm(2)=1.2, celldm(3)=1.7', 'ORCF', (1.2 * 1.7) / 4],
    [11, 'celldm(1)=10, celldm(2)=1.2, celldm(3)=1.7', 'ORCI', (1.2 * 1.7) / 2],
    [12, 'celldm(1)=10, celldm(2)=1.2, celldm(3)=1.7, celldm(4)=0.2', 'MCL', 1.2 * 1.7 * Math.sqrt(0.96)],
    [-12, 'celldm(1)=10, celldm(2)=1.2, celldm(3)=1.7, celldm(5)=0.2', 'MCL', 1.2 * 1.7 * Math.sqrt(0.96)],
    [13, 'celldm(1)=10, celldm(2)=1.2, celldm(3)=1.7, celldm(4)=0.2', 'MCLC', (1.2 * 1.7 * Math.sqrt(0.96)) / 2],
    [-13, 'celldm(1)=10, celldm(2)=1.2, celldm(3)=1.7, celldm(5)=0.2', 'MCLC', (1.2 * 1.7 * Math.sqrt(0.96)) / 2],
    [
      14,
      'celldm(1)=10, celldm(2)=1.2, celldm(3)=1.7, celldm(4)=0.1, celldm(5)=0.2, celldm(6)=0.3',
      'TRI',
      1.2 * 1.7 * Math.sqrt(1 + 2 * 0.006 - 0.01 - 0.04 - 0.09),
    ],
  ])('of ibrav = %i with %s is %s of the right volume', (ibrav, parameters, type, volume) => {
    const { lattice } = parseEspresso(input(`ibrav=${ibrav}, ${parameters}`))
    expect(latticeTypeOfVectors(lattice)).toBe(type)
    const { a, b, c, alpha, beta, gamma } = parametersOf(lattice)
    const [x, y, z] = [alpha, beta, gamma].map((angle) => Math.cos((angle * Math.PI) / 180)) as [number, number, number]
    const found = a * b * c * Math.sqrt(1 - x * x - y * y - z * z + 2 * x * y * z)
    expect(found / (10 * ANGSTROM_PER_BOHR) ** 3).toBeCloseTo(volume, 8)
  })

  it('is the same from A, B, C in ångström and from celldm in bohr, with Fortran exponents', () => {
    const a = (10 * ANGSTROM_PER_BOHR).toFixed(10)
    const one = parseEspresso(
      input(
        `ibrav = 12, A = ${a}, B = ${(1.2 * Number(a)).toFixed(10)}, C = ${(1.7 * Number(a)).toFixed(10)}, cosAB = 2.0D-1`,
      ),
    )
    const other = parseEspresso(input('ibrav=12\n celldm(1)=1.0d1 celldm(2)=1.2\n celldm(3)=1.7, celldm(4)=0.2'))
    for (const [index, value] of one.lattice.flat().entries())
      expect(value).toBeCloseTo(other.lattice.flat()[index] as number, 8)
  })

  it.each([
    ['angstrom', '', 4, []],
    ['{bohr}', '', 4 * ANGSTROM_PER_BOHR, []],
    ['(alat)', ', celldm(1)=5', 4 * 5 * ANGSTROM_PER_BOHR, []],
    ['(alat)', ', A=5', 4 * 5, []],
    ['(alat= 2.0)', '', 4 * 2 * ANGSTROM_PER_BOHR, []],
    ['(alat= 5.00000000)', ', celldm(1)=5.00000000001', 4 * 5 * ANGSTROM_PER_BOHR, []],
    ['', ', celldm(1)=5, A=0', 4 * 5 * ANGSTROM_PER_BOHR, ['CELL_PARAMETERS has no unit: alat is assumed.']],
    ['', '', 4 * ANGSTROM_PER_BOHR, ['CELL_PARAMETERS has no unit: bohr is assumed.']],
  ])('of ibrav = 0 is in the unit "%s"%s', (unit, constant, edge, told) => {
    const card = `CELL_PARAMETERS ${unit}\n4 0 0\n0 4 0 ! second\n0 0 4\n`
    const crystal = parseEspresso(input(`ibrav=0${constant}`, undefined, card))
    expect(crystal.lattice[1]?.[1]).toBeCloseTo(edge, 9)
    expect(crystal.warnings.map(({ message }) => message)).toEqual(told)
  })

  it('of an output is in its alat, as places are', () => {
    const cell = 'CELL_PARAMETERS (alat= 10.0)\n0 .5 .5\n.5 0 .5\n.5 .5 0\n'
    const { sites } = parseEspresso(`${cell}ATOMIC_POSITIONS (alat)\nSi 0.25 0.25 0.25\n`)
    expect(sites[0]?.fraction.map((x) => x.toFixed(9))).toEqual(['0.250000000', '0.250000000', '0.250000000'])
  })

  it.each([
    [
      'ibrav and vectors',
      'ibrav=1, celldm(1)=10',
      'CELL_PARAMETERS angstrom',
      /^Line 11: The cell is given by ibrav = 1/,
    ],
    ['celldm and A', 'ibrav=0, celldm(1)=10, A=5', 'CELL_PARAMETERS alat', /^The lattice constant is given by celldm/],
    [
      'a constant beside ångström',
      'ibrav=0, A=5',
      'CELL_PARAMETERS angstrom',
      /^Line 11: CELL_PARAMETERS is in angstrom/,
    ],
    ['a constant beside bohr', 'ibrav=0, celldm(1)=5', 'CELL_PARAMETERS bohr', /^Line 11: CELL_PARAMETERS is in bohr/],
    [
      'two values of alat',
      'ibrav=0, celldm(1)=5',
      'CELL_PARAMETERS (alat= 2)',
      /^Line 11: CELL_PARAMETERS says alat = 2/,
    ],
  ])('that is given twice is refused, as pw.x does: by %s', (_, system, card, message) => {
    const text = input(system, undefined, `${card}\n4 0 0\n0 4 0\n0 0 4\n`)
    expect(() => parseEspresso(text)).toThrow(
      expect.objectContaining({ code: 42231, message: expect.stringMatching(message) }),
    )
  })

  it('that is given by celldm and A is refused where ibrav needs it, too', () => {
    expect(() => parseEspresso(input('ibrav=2, celldm(1)=10, A=5'))).toThrow(
      /celldm\(1\) and by A. Give celldm in bohr/,
    )
  })
})

describe('the atoms of a pw.x input', () => {
  const read = (positions: string, system = 'ibrav=1, A=4') => parseEspresso(input(system, positions))

  it.each([
    ['crystal', '0.25'],
    ['alat', '0.25'],
    ['angstrom', '1.0'],
    ['(bohr)', String(1 / ANGSTROM_PER_BOHR)],
    ['crystal', '1/4'],
    ['crystal', '0.5*(1-1/2)'],
    ['crystal', '2.5d-1'],
  ])('are in the unit %s and may be written %s', (unit, x) => {
    expect(read(`ATOMIC_POSITIONS ${unit}\nSi ${x} 0 0\n`).sites[0]?.fraction[0]).toBeCloseTo(0.25, 10)
  })

  it('may be labelled, fixed and commented', () => {
    const positions = 'ATOMIC_POSITIONS {crystal} # places\n! a comment\nFe2 0 0 0 0 0 1\n'
    expect(read(positions).sites).toEqual([
      { element: 'Fe', label: 'Fe2', speciesTag: 2, fraction: [0, 0, 0], movable: [false, false, true] },
    ])
  })

  it('are told of where pw.x would stop at their species', () => {
    const text = input('ibrav=1, A=4, ntyp=3', 'ATOMIC_POSITIONS crystal\nGe 0 0 0\n')
    expect(parseEspresso(text).warnings).toMatchObject([
      { code: 'species-undeclared', message: 'ATOMIC_SPECIES does not have Ge.', line: 9 },
      { code: 'species-undeclared', message: 'ntyp is 3, but ATOMIC_SPECIES has 1 lines.', line: 9 },
    ])
  })

  it('keep labels and flags when written and read again', () => {
    const crystal = read('ATOMIC_POSITIONS crystal\nFe2 0.1 0.2 0.3 0 0 1\n')
    expect(parseEspresso(printEspresso(crystal)).sites).toEqual(crystal.sites)
  })

  it('are what their pseudopotential says where label and mass disagree', () => {
    const text = input('ibrav=1, A=4', 'ATOMIC_POSITIONS crystal\nCo 0 0 0\n').replace(
      'Si 28.085 Si.upf',
      'Co 12.011 C.pbe-n.upf',
    )
    const crystal = parseEspresso(text)
    expect([crystal.sites[0]?.element, crystal.warnings[0]?.code]).toEqual(['C', 'species-assumed'])
  })

  it.each([
    ['Cuh', 'Cu'],
    ['Sih', 'Si'],
    ['Ch', 'C'],
    ['O+', 'O'],
    ['fe_up', 'Fe'],
    ['C-star', 'C'],
  ])('labelled %s are %s', (label, element) => {
    expect(read(`ATOMIC_POSITIONS crystal\n${label} 0 0 0\n`).sites[0]?.element).toBe(element)
  })

  it('are in bohr in an input of cp.x that names no unit', () => {
    const text = input('ibrav=1, A=4', 'ATOMIC_POSITIONS\nSi 1 0 0\n').replace("'scf'", "'cp'")
    const crystal = parseEspresso(text)
    expect(crystal.sites[0]?.fraction[0]).toBeCloseTo(ANGSTROM_PER_BOHR / 4, 10)
    expect(crystal.warnings[0]?.message).toContain('bohr is assumed')
  })

  it('are refused where an output repeats them, or has no unit', () => {
    const cell = 'CELL_PARAMETERS angstrom\n4 0 0\n0 4 0\n0 0 4\n'
    const step = (x: number) => `ATOMIC_POSITIONS crystal\nSi ${x} 0 0\n\n`
    expect(() => parseEspresso(cell + step(0) + step(0.1))).toThrow(/^Line 8: The card ATOMIC_POSITIONS is there more/)
    expect(() => parseEspresso(`${cell}ATOMIC_POSITIONS\nSi 0 0 0\n`)).toThrow(/^Line 5: ATOMIC_POSITIONS has no unit/)
  })

  it.each([
    ['only inequivalent atoms', 'ATOMIC_POSITIONS crystal_sg\nSi 0 0 0\n', 42228],
    ['another number than nat', 'ATOMIC_POSITIONS crystal\nSi 0 0 0\nSi 0.5 0 0\n', 42232],
    ['an unknown unit', 'ATOMIC_POSITIONS furlong\nSi 0 0 0\n', 42225],
    ['an unknown label', 'ATOMIC_POSITIONS crystal\nXq 0 0 0\n', 42230],
    ['a place that cannot be computed', 'ATOMIC_POSITIONS crystal\nSi 1/0 0 0\n', 42225],
    ['flags that are none', 'ATOMIC_POSITIONS crystal\nSi 0 0 0 2 0 0\n', 42225],
    ['more than flags', 'ATOMIC_POSITIONS crystal\nSi 0 0 0 1 0 0 1\n', 42225],
    ['no list of atoms', '', 42235],
  ])('are refused with %s', (_, positions, code) => {
    expect(() => read(positions)).toThrow(expect.objectContaining({ code }))
  })

  it.each([
    ['an ibrav that does not exist', 'ibrav=15, A=4', 42225],
    ['no lattice constant', 'ibrav=2', 42231],
    ['a missing ratio', 'ibrav=8, celldm(1)=5', 42231],
    ['ibrav = 0 without vectors', 'ibrav=0, A=4', 42231],
    ['a space group', 'ibrav=1, A=4, space_group=227', 42228],
  ])('are refused with %s in the namelist', (_, system, code) => {
    expect(() => parseEspresso(input(system))).toThrow(expect.objectContaining({ code }))
  })
})

describe('evaluateArithmetic', () => {
  it.each([
    ['1/3', 1 / 3],
    ['-1/2+sqrt(3)/2', -0.5 + Math.sqrt(3) / 2],
    ['2^-1', 0.5],
    ['-2^2', -4],
    ['(1+2)*(3-4)', -3],
    ['1d-1*5', 0.5],
  ])('computes %s', (text, value) => {
    expect(evaluateArithmetic(text)).toBeCloseTo(value, 12)
  })

  it.each(['', '1+', '(1', 'x', '1 2', '1/0', 'constructor(1)', '2**3', '('.repeat(1000), '-'.repeat(100_000)])(
    'computes nothing from "%.12s"',
    (text) => {
      expect(evaluateArithmetic(text)).toBeUndefined()
    },
  )
})
