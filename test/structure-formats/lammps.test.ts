import { describe, expect, it } from 'vitest'
import type { Crystal } from '../../src/structure/crystal.ts'
import { printStructure, readStructure } from '../../src/structure/formats/read-structure.ts'
import { ANGSTROM_PER_BOHR } from '../../src/structure/lattice.ts'

const HEADER = 'A salt, units = metal\n\n2 atoms\n2 atom types\n\n0 4 xlo xhi\n0 4 ylo yhi\n0 4 zlo zhi\n\n'
const MASSES = 'Masses\n\n1 22.98977\n2 35.45 # Cl\n\n'
const ATOMS = 'Atoms # atomic\n\n2 2 2 2 2\n1 1 0 0 0 0 0 -1\n'
const readData = (text: string): Crystal => readStructure(text, { format: 'lammps-data' }).crystal
const elements = ({ sites }: Crystal): string => sites.map(({ element }) => element).join()

describe('a data file of LAMMPS', () => {
  it('names its elements by masses and by comments, in the order of its ids, and is told by its content', () => {
    const { crystal, format } = readStructure(HEADER + MASSES + ATOMS)
    expect(format).toBe('lammps-data')
    expect(crystal).toMatchObject({
      title: 'A salt',
      periodic: [true, true, true],
      sites: [
        { element: 'Na', fraction: [0, 0, 0] },
        { element: 'Cl', fraction: [0.5, 0.5, 0.5] },
      ],
      warnings: [{ code: 'species-assumed', message: 'Read type 1 (mass 22.98977) as Na.' }],
    })
  })

  it.each([
    ['charge', '1 1 0.5 0 0 0\n2 2 -0.5 2 2 2\n', ['charge (2)']],
    ['molecular', '1 1 1 0 0 0\n2 1 2 2 2 2\n', ['molecule (2)']],
    ['full', '1 1 1 0.0 0 0 0\n2 1 2 0 2 2 2\n', ['molecule (2)']],
  ])('has the columns of the style %s, named or told by their number', (style, rows, leftOut) => {
    const named = readData(`${HEADER}${MASSES}Atoms # ${style}\n\n${rows}`)
    expect([elements(named), named.sites[1]?.fraction, named.rest?.leftOut]).toEqual([
      'Na,Cl',
      [0.5, 0.5, 0.5],
      leftOut,
    ])
    const guessed = readData(`${HEADER}${MASSES}Atoms\n\n${rows}`)
    expect(guessed.sites).toEqual(named.sites)
    expect(guessed.warnings.map(({ code }) => code)).toContain('style-assumed')
  })

  it('may have a tilted box, three vectors, another origin and another unit', () => {
    const tilted = readData(HEADER.replace('0 4 zlo zhi', '-1 3 zlo zhi\n1 0.5 0.25 xy xz yz') + MASSES + ATOMS)
    expect(tilted.lattice).toEqual([
      [4, 0, 0],
      [1, 4, 0],
      [0.5, 0.25, 4],
    ])
    expect(tilted.sites[0]?.fraction[2]).toBe(0.25)
    const vectors = '0 2 2 avec\n2 0 2 bvec\n2 2 0 cvec\n-1 -1 -1 abc origin\n'
    const general = readData(`x, units = electron\n\n1 atoms\n${vectors}\n${MASSES}Atoms # atomic\n\n1 1 0 0 0\n`)
    expect(general.lattice[0][1]).toBeCloseTo(2 * ANGSTROM_PER_BOHR, 12)
    expect(general.sites[0]?.fraction[0]).toBeCloseTo(0.25, 12)
  })

  it('may label its types, and masses decide where a label is no element, or another', () => {
    const labels = 'Atom Type Labels\n\n1 Na\n2 cl\n\n'
    const rows = 'Atoms # atomic\n\n1 Na 0 0 0\n2 cl 2 2 2\n'
    expect(elements(readData(`${HEADER}${labels}${rows}`))).toBe('Na,Cl')
    const aromatic = 'Masses\n\n1 12.011 # ca\n2 2.014 # hc\n\n'
    expect(readData(`${HEADER}${aromatic}${ATOMS}`).sites).toMatchObject([
      { element: 'C' },
      { element: 'H', isotope: 2 },
    ])
    const isotopes = 'Masses\n\n1 30.0 # Si\n2 1.0 # H\n\n'
    expect(readData(`${HEADER}${isotopes}${ATOMS}`).sites).toMatchObject([
      { element: 'Si', isotope: 30 },
      { element: 'H' },
    ])
  })

  it('says what it assumes of units, and what of it is no structure', () => {
    const text = `${HEADER.replace(', units = metal', '')}${MASSES}Pair Coeffs\n\n1 0.1 3\n2 0.2 3\n\n${ATOMS}\nVelocities\n\n1 0 0 0\n2 0 0 1\n`
    const { warnings, rest } = readData(text)
    expect(warnings.map(({ code }) => code)).toEqual(['left-out', 'unit-assumed', 'species-assumed'])
    expect(rest?.leftOut).toEqual(['Pair Coeffs (2)', 'Velocities (1)'])
  })

  it('keeps isotopes when it is written and read again', () => {
    const crystal = readData(`${HEADER}Masses\n\n1 2.014\n2 15.999 # O\n\n${ATOMS}`)
    expect(readData(printStructure(crystal, 'lammps-data')).sites).toEqual(crystal.sites)
  })

  it.each([
    ['types without masses', HEADER + ATOMS, 42230],
    ['masses of 1 for all types', `${HEADER}Masses\n\n1 1.0\n2 1.0\n\n${ATOMS}`, 42230],
    ['a mass of no element', `${HEADER}${MASSES.replace('22.98977', '72.0')}${ATOMS}`, 42230],
    ['units without a length', (HEADER + MASSES + ATOMS).replace('metal', 'lj'), 42228],
    ['a style that is not read', HEADER + MASSES + ATOMS.replace('atomic', 'sphere'), 42228],
    ['rows of different lengths without a style', HEADER + MASSES + ATOMS.replace('# atomic', ''), 42228],
    ['another number of atoms', (HEADER + MASSES + ATOMS).replace('2 atoms', '3 atoms'), 42232],
    ['no section of atoms', HEADER + MASSES, 42235],
    ['no box', (HEADER + MASSES + ATOMS).replace('0 4 ylo yhi', ''), 42231],
    ['a box of no volume', (HEADER + MASSES + ATOMS).replace('0 4 ylo yhi', '4 4 ylo yhi'), 42231],
    ['a place that is none', HEADER + MASSES + ATOMS.replace('2 2 2\n', '2 x 2\n'), 42225],
  ])('is refused with %s', (_, text, code) => {
    expect(() => readData(text)).toThrow(expect.objectContaining({ code }))
  })
})

const step = (x: string, columns = 'id type element x y z vx', bounds = 'pp pp pp\n0 4\n0 4\n0 4'): string =>
  `ITEM: TIMESTEP\n100\nITEM: NUMBER OF ATOMS\n2\nITEM: BOX BOUNDS ${bounds}\nITEM: ATOMS ${columns}\n2 1 Cl 2 2 2 0\n1 2 Na ${x} 0 0 0.5\n`
const UNITS = 'ITEM: UNITS\nmetal\n'
const readDump = (text: string, frame = 0): Crystal => readStructure(text, { format: 'lammps-dump', frame }).crystal

describe('a dump of LAMMPS', () => {
  it('has a structure in each step, in the order of the ids, and is told by its content', () => {
    const text = UNITS + step('0') + step('1') + step('2')
    expect(readStructure(text).format).toBe('lammps-dump')
    expect([0, 1, -1].map((frame) => readDump(text, frame).sites[0]?.fraction)).toEqual([
      [0, 0, 0],
      [0.25, 0, 0],
      [0.5, 0, 0],
    ])
    expect(elements(readDump(text, 1))).toBe('Na,Cl')
    expect(readDump(text, 1).rest).toEqual({ values: { timestep: 100 }, leftOut: ['vx (1)'] })
    expect(() => readDump(text + step('nowhere'), 3)).toThrow(/^Line 46: A place "nowhere" is not a number/)
  })

  it.each([
    ['x y z', [0.25, 0, 0]],
    ['xu yu zu', [0.25, 0, 0]],
    ['xs ys zs', [1, 0, 0]],
    ['xsu ysu zsu', [1, 0, 0]],
  ])('has its places in the columns %s', (columns, fraction) => {
    const text = UNITS + step('1', `id type element ${columns} q`).replace('2 2 2', '.5 .5 .5')
    expect(readDump(text).sites[0]?.fraction).toEqual(fraction)
  })

  it('may have a tilted box, whose bounds enclose it, or vectors, and repeats along periodic boundaries alone', () => {
    const tilted = readDump(UNITS + step('0', undefined, 'xy xz yz pp pp ff\n0 5 1\n-1 4 0\n0 4 -1'))
    expect([tilted.lattice, tilted.periodic]).toEqual([
      [
        [4, 0, 0],
        [1, 4, 0],
        [0, -1, 4],
      ],
      [true, true, false],
    ])
    const general = readDump(UNITS + step('1', undefined, 'abc origin pp pp pp\n4 0 0 1\n0 4 0 0\n0 0 4 0'))
    expect(general.sites[0]?.fraction).toEqual([0, 0, 0])
  })

  it('may name its elements by masses alone, and says so', () => {
    const text = UNITS + step('0', 'id type mass x y z').replace('Cl', '35.45').replace('Na', '22.99')
    expect([elements(readDump(text)), readDump(text).warnings[0]?.code]).toEqual(['Na,Cl', 'species-assumed'])
  })

  it.each([
    ['types that nothing names', UNITS + step('0', 'id type q x y z').replaceAll(/Cl|Na/g, '0'), 42230],
    ['no places', UNITS + step('0', 'id type element fx fy fz'), 42225],
    ['no box', (UNITS + step('0')).replace('BOX BOUNDS', 'BOX'), 42225],
    ['a bound that is missing', UNITS + step('0', undefined, 'pp pp pp\n0 4\n0\n0 4'), 42225],
    ['another number of atoms', UNITS + step('0').replace('ATOMS\n2', 'ATOMS\n3'), 42232],
    ['units without a length', step('0').replace(/^/, 'ITEM: UNITS\nlj\n'), 42228],
    ['nothing', '', 42235],
  ])('is refused with %s', (_, text, code) => {
    expect(() => readDump(text)).toThrow(expect.objectContaining({ code }))
  })

  it('is read in time in proportion to its length', () => {
    const rows = Array.from({ length: 10_000 }, (_, index) => `${index} 1 Fe ${index / 5} 0 0`).join('\n')
    const text = `${UNITS}ITEM: TIMESTEP\n0\nITEM: NUMBER OF ATOMS\n10000\nITEM: BOX BOUNDS\n0 2000\n0 9\n0 9\nITEM: ATOMS id type element x y z\n${rows}\n`
    expect(readDump(text).sites).toHaveLength(10_000)
    expect(() => readDump(text.replace(rows, `${rows}\n10000 1 Fe 0 5 5`))).toThrow(
      expect.objectContaining({ code: 41311 }),
    )
  })
})
