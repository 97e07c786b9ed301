import { describe, expect, it } from 'vitest'
import { parametersOf } from '../../src/structure/cell.ts'
import type { Crystal } from '../../src/structure/crystal.ts'
import { readStructure } from '../../src/structure/formats/read-structure.ts'
import { ANGSTROM_PER_BOHR } from '../../src/structure/lattice.ts'

const block = (name: string, rows: string): string => `%block ${name}\n${rows}\n%endblock ${name}\n`
const VECTORS = block('LatticeVectors', '1 0 0\n0 1 0\n0 0 1.5')
const SPECIES = block('ChemicalSpeciesLabel', '1 11 Na\n2 17 Cl_up')
const places = (rows: string): string => block('AtomicCoordinatesAndAtomicSpecies', rows)
const FRACTIONS = 'AtomicCoordinatesFormat Fractional\n'
const SALT = `LatticeConstant 4 Ang\n${VECTORS}${SPECIES}${FRACTIONS}${places('0 0 0 1\n.5 .5 .5 2')}`
const read = (text: string): Crystal => readStructure(text, { format: 'siesta' }).crystal

describe('an input of SIESTA', () => {
  it.each(['a.fdf', 'a.in', undefined])(
    'is told by its content, and has vectors in lattice constants: %s',
    (fileName) => {
      const { crystal, format } = readStructure(`SystemName Rock salt # of two atoms\n${SALT}`, { fileName })
      expect(format).toBe('siesta')
      expect(crystal).toMatchObject({
        title: 'Rock salt',
        lattice: [
          [4, 0, 0],
          [0, 4, 0],
          [0, 0, 6],
        ],
        sites: [
          { element: 'Na', fraction: [0, 0, 0] },
          { element: 'Cl', fraction: [0.5, 0.5, 0.5], label: 'Cl_up' },
        ],
        periodic: [true, true, true],
        warnings: [],
      })
    },
  )

  it.each([
    ['Ang', 1],
    ['NotScaledCartesianAng', 1],
    ['Bohr', ANGSTROM_PER_BOHR],
    ['NotScaledCartesianBohr', ANGSTROM_PER_BOHR],
    ['ScaledCartesian', 4],
    ['scaledbylatticevectors', 6],
  ])('has places as AtomicCoordinatesFormat says: %s', (format, unit) => {
    const text = SALT.replace('Format Fractional', `Format ${format}`).replace('.5 .5 .5', '0 0 .75')
    expect(read(text).sites[1]?.fraction[2]).toBeCloseTo((0.75 * unit) / 6, 12)
  })

  it.each([
    ['4', ANGSTROM_PER_BOHR, ['unit-assumed']],
    ['4 bohr', ANGSTROM_PER_BOHR, []],
    ['0.4 nm', 1, []],
    ['400 pm', 1, []],
  ])('has the lattice constant in its unit: %s', (constant, unit, codes) => {
    const crystal = read(SALT.replace('4 Ang', constant))
    expect(parametersOf(crystal.lattice).c).toBeCloseTo(6 * unit, 9)
    expect(crystal.warnings.map(({ code }) => code)).toEqual(codes)
  })

  it('has lattice parameters with a along x, and a cube without any', () => {
    const { lattice } = read(SALT.replace(VECTORS, block('lattice_parameters', '1 1 2 90 90 120')))
    expect(lattice[1][0]).toBeCloseTo(-2, 12)
    expect(lattice[2]).toEqual([0, 0, 8])
    expect(parametersOf(read(SALT.replace(VECTORS, '')).lattice)).toMatchObject({ a: 4, c: 4, alpha: 90 })
  })

  it('has names in any spelling, of which the first counts, and comments', () => {
    const text = SALT.replace('LatticeConstant', 'lattice_constant = ').replace('%block Lat', '  %BLOCK lat-')
    const crystal = read(`${text}Lattice.Constant 5 Ang ! not this\n; nor this\nMeshCutoff: 200 Ry\nSpin.Polarized\n`)
    expect(crystal.lattice[0][0]).toBe(4)
    expect(crystal.rest?.values).toEqual({ latticeconstant: '5 Ang', meshcutoff: '200 Ry', spinpolarized: true })
  })

  it('has an origin that is added to places, in their unit; a word for it moves all alike', () => {
    const moved = read(SALT + block('AtomicCoordinatesOrigin', '0.25 0 0'))
    expect(moved.sites[1]?.fraction).toEqual([0.75, 0.5, 0.5])
    expect(read(`${SALT}AtomicCoordinatesOrigin COP\n`)).toMatchObject({
      sites: [{ fraction: [0, 0, 0] }, {}],
      rest: { values: { atomiccoordinatesorigin: 'COP' } },
    })
  })

  it('has ghosts that are no atoms, isotopes by their masses, and moments', () => {
    const species = block('ChemicalSpeciesLabel', '1 26 Fe\n2 -8 O_ghost\n3 1 H')
    const crystal = read(
      SALT.replace(SPECIES, species).replace('.5 .5 .5 2', '.5 .5 .5 2\n.5 0 0 3\n0 0 .5 1') +
        block('DM.InitSpin', '1 2\n3 0\n4 1 90 90') +
        block('AtomicMass', '3 2.014'),
    )
    expect(crystal.sites).toEqual([
      { element: 'Fe', fraction: [0, 0, 0], moment: [0, 0, 2] },
      { element: 'H', fraction: [0.5, 0, 0], isotope: 2 },
      { element: 'Fe', fraction: [0, 0, 0.5], moment: [0, 1, 0] },
    ])
    expect(crystal.warnings).toMatchObject([{ code: 'no-atom', message: expect.stringContaining('O_ghost') }])
    expect(crystal.rest).toEqual({ values: {}, leftOut: [] })
  })

  it('without a lattice constant is a molecule in a box', () => {
    const text = SPECIES + places('0 0 0 1\n0 0 2 2')
    const crystal = read(text)
    expect(crystal.periodic).toEqual([false, false, false])
    expect(parametersOf(crystal.lattice).c).toBeCloseTo(10 + 2 * ANGSTROM_PER_BOHR, 9)
    expect(crystal.warnings.map(({ code }) => code)).toEqual(['unit-assumed', 'no-lattice'])
  })

  it('keeps what is about the calculation, and says which of it would make another cell', () => {
    const crystal = read(
      `${SALT}${block('SuperCell', '2 0 0\n0 1 0\n0 0 1')}%block kgrid < k.fdf\nDM.InitSpin < spins\n`,
    )
    expect(crystal.sites).toHaveLength(2)
    expect(crystal.warnings).toMatchObject([{ code: 'supercell-not-applied' }])
    expect(read(SALT + block('SuperCell', '1 0 0\n0 1 0\n0 0 1')).warnings).toEqual([])
    const more = read(SALT.replace('0 0 0 1', '0 0 0 1 Na 22.99').replace('11 Na', '11 Na Na.psml')).rest
    expect(more).toEqual({
      values: { chemicalspecieslabel: '1 11 Na Na.psml' },
      leftOut: ['words behind the species (1)'],
    })
    expect(crystal.rest?.values).toEqual({ supercell: '2 0 0\n0 1 0\n0 0 1', kgrid: '< k.fdf', dminitspin: '< spins' })
  })

  it.each([
    ['a file that is included', `%include cell.fdf\n${SALT}`, 42228],
    [
      'places in another file',
      SALT.replace(places('0 0 0 1\n.5 .5 .5 2'), '%block AtomicCoordinatesAndAtomicSpecies < xyz.fdf\n'),
      42228,
    ],
    ['a lattice constant in another file', SALT.replace('4 Ang', '< cell.fdf'), 42228],
    ['a Z-matrix', SALT + block('Zmatrix', 'molecule\n1 0 0 0 0 0 0'), 42228],
    ['a mixture', SALT.replace('11 Na', '201 NaK'), 42227],
    ['a species that is not listed', SALT.replace('.5 2', '.5 3'), 42230],
    ['an atomic number that is none', SALT.replace('11 Na', '170 Na'), 42230],
    ['another number of atoms', `${SALT}NumberOfAtoms 3\n`, 42232],
    ['another number of species', `${SALT}Number_of_species 1\n`, 42232],
    ['two lattices', SALT + block('LatticeParameters', '1 1 1 90 90 90'), 42231],
    ['two lattice vectors', SALT.replace('0 0 1.5\n', ''), 42231],
    ['vectors without a lattice constant', SALT.replace('LatticeConstant 4 Ang\n', ''), 42231],
    ['fractions of no lattice', SPECIES + FRACTIONS + places('0 0 0 1'), 42231],
    ['a unit that is none', SALT.replace('4 Ang', '4 furlong'), 42225],
    ['a format of coordinates that is none', SALT.replace('Fractional', 'Polar'), 42225],
    ['a place of two numbers', SALT.replace('.5 .5 .5 2', '.5 .5'), 42225],
    ['an origin that is none', `${SALT}%block AtomicCoordinatesOrigin\n%endblock\n`, 42225],
    ['no places', 'SystemLabel si\nNumberOfAtoms 2\n', 42235],
    ['no atoms', SALT.replace('0 0 0 1\n.5 .5 .5 2', ''), 42235],
    ['ghosts alone', SALT.replace('11 Na', '-11 Na').replace('17 Cl', '-17 Cl'), 42230],
  ])('is refused with %s', (_, text, code) => {
    expect(() => read(text)).toThrow(expect.objectContaining({ code }))
  })

  it('names the file that has what is missing', () => {
    expect(() => read(`%include cell.fdf\n${SALT}`)).toThrow('Part of the input is in another file, "cell.fdf".')
  })
})
