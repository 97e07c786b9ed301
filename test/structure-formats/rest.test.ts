import { describe, expect, it } from 'vitest'
import { convertStructure, materialDocument } from '../../src/records/kinds/material/structure-files.ts'
import { readStructure } from '../../src/structure/formats/read-structure.ts'

const CELL = { cif: ['a', 'b', 'c'].map((edge) => `_cell_length_${edge} 4`).join('\n') }
const CIF_HEAD = `data_x\n${CELL.cif}\n_cell_angle_alpha 90\n_cell_angle_beta 90\n_cell_angle_gamma 90\n_space_group_name_H-M_alt 'P 1'\n`
const cif = (columns: string, ...rows: readonly string[]): string =>
  `${CIF_HEAD}loop_\n_atom_site_label\n_atom_site_type_symbol\n_atom_site_fract_x\n_atom_site_fract_y\n_atom_site_fract_z\n${columns}\n${rows.join('\n')}\n`
const poscar = (symbol: string): string => `x\n1\n4 0 0\n0 4 0\n0 0 4\n${symbol}\n1\nDirect\n0 0 0\n`
const xyz = (comment: string, row: string): string => `1\nLattice="4 0 0 0 4 0 0 0 4" ${comment}\n${row}\n`
const column = (name: string, type = 'R:1'): string => `Properties=species:S:1:pos:R:3:${name}:${type}`
const pdbAtom = (occupancy: string, symbol: string): string =>
  `CRYST1    4.000    4.000    4.000  90.00  90.00  90.00 P 1\nHETATM    1 ${symbol.slice(0, 2).padEnd(4)} LIG A   1       1.000   1.000   1.000  ${occupancy}  0.00          ${symbol}\n`
const espresso = (variables: string, mass = '55.845', label = 'Fe'): string =>
  `&SYSTEM\n ibrav=1, A=4, nat=1, ntyp=1, ${variables}\n/\nATOMIC_SPECIES\n${label} ${mass} x.upf\nATOMIC_POSITIONS crystal\n${label} 0 0 0\n`
const pymatgen = (site: object, more: object = {}): string =>
  JSON.stringify({
    lattice: {
      matrix: [
        [4, 0, 0],
        [0, 4, 0],
        [0, 0, 4],
      ],
      ...(more as { lattice?: object }).lattice,
    },
    sites: [{ species: [{ element: 'Fe', occu: 1 }], abc: [0, 0, 0], properties: {}, ...site }],
    ...Object.fromEntries(Object.entries(more).filter(([key]) => key !== 'lattice')),
  })
const ase = (more: object): string =>
  JSON.stringify({
    numbers: [26],
    positions: [[0, 0, 0]],
    cell: [
      [4, 0, 0],
      [0, 4, 0],
      [0, 0, 4],
    ],
    pbc: [true, true, true],
    ...more,
  })
const optimade = (more: object, species: object = {}): string =>
  JSON.stringify({
    dimension_types: [1, 1, 1],
    lattice_vectors: [
      [4, 0, 0],
      [0, 4, 0],
      [0, 0, 4],
    ],
    cartesian_site_positions: [[0, 0, 0]],
    species_at_sites: ['Fe'],
    species: [{ name: 'Fe', chemical_symbols: ['Fe'], concentration: [1], ...species }],
    ...more,
  })
const material = (element: object, basis: object = {}, more: object = {}): string =>
  JSON.stringify({
    basis: { elements: [{ id: 0, value: 'Fe', ...element }], coordinates: [{ id: 0, value: [0, 0, 0] }], ...basis },
    lattice: { a: 4, b: 4, c: 4, alpha: 90, beta: 90, gamma: 90 },
    ...more,
  })

const leftOut = (text: string, format: string): string =>
  readStructure(text, { format }).crystal.warnings.find(({ code }) => code === 'left-out')?.message ?? ''

/** Ten values that no reader uses: eight that are kept, two of which there are as many as atoms. */
const TEN = {
  energy: -3.25,
  charge: 1,
  converged: true,
  task: 'mp-1',
  stress: [1, 2, 3, 4, 5, 6],
  nested: { gap: 1.5, method: 'PBE', deeper: { id: 7 } },
}
const KEPT = {
  'source.energy': -3.25,
  'source.charge': 1,
  'source.converged': true,
  'source.task': 'mp-1',
  'source.stress': [1, 2, 3, 4, 5, 6],
  'source.nested.gap': 1.5,
  'source.nested.method': 'PBE',
  'source.nested.deeper.id': 7,
}

function valueAt(document: object, path: string): unknown {
  return path.split('.').reduce<unknown>((value, key) => (value as Record<string, unknown>)?.[key], document)
}

describe('values that a reader does not use', () => {
  it.each([
    ['ase', ase({ ...TEN, forces: [[0, 0, 1]], tags: [2] }), ['forces (1 × 3)', 'tags (1)']],
    [
      'pymatgen',
      pymatgen({ properties: { forces: [0, 0, 1], tags: 2 } }, TEN),
      ['sites[].properties.forces (1)', 'sites[].properties.tags (1)'],
    ],
    ['optimade', optimade({ ...TEN, forces: [[0, 0, 1]], tags: [2] }), ['forces (1 × 3)', 'tags (1)']],
    ['material', material({}, { forces: [[0, 0, 1]], tags: [2] }, TEN), ['basis.forces (1 × 3)', 'basis.tags (1)']],
  ])('are kept by name or named, all ten, in %s', (format, text, named) => {
    const { document, warnings } = materialDocument({ text, format })
    for (const [path, value] of Object.entries(KEPT)) expect(valueAt(document, path)).toEqual(value)
    expect(warnings.map(({ message }) => message)).toEqual([`Left out: ${named.join(', ')}. Its text is in src.text.`])
    expect(document.consistencyChecks).toMatchObject([{ key: 'src.text', severity: 'warning' }])
  })

  it('of an extended XYZ are those of the comment, by their names, and the columns', () => {
    const comment = `${column('forces', 'R:3')} energy=-3.25 Config_Type="bulk run" stress="1 2 3" converged=T id=0012`
    const { document } = materialDocument({ text: xyz(comment, 'Fe 0 0 0 1 2 3'), format: 'xyz' })
    expect(document.source).toEqual({
      energy: -3.25,
      Config_Type: 'bulk run',
      stress: [1, 2, 3],
      converged: true,
      id: '0012',
    })
    expect(leftOut(xyz(comment, 'Fe 0 0 0 1 2 3'), 'xyz')).toBe('Left out: forces (1 × 3).')
  })

  it('of an input of Quantum ESPRESSO are its variables and cards', () => {
    const text = `${espresso('ecutwfc=40, nspin=2, starting_magnetization(1)=0.5, tot_charge=1.0d0')}K_POINTS automatic\n4 4 4 0 0 0\n`
    expect(materialDocument({ text, format: 'espresso' }).document.source).toEqual({
      ecutwfc: 40,
      nspin: 2,
      'starting_magnetization(1)': 0.5,
      tot_charge: 1,
      ATOMIC_SPECIES: 'Fe 55.845 x.upf',
      K_POINTS: 'automatic\n4 4 4 0 0 0',
    })
  })

  it('of a POSCAR are the names of potentials and what stands behind the coordinates', () => {
    const text = `${poscar('Fe_pv')}\n  1.0  2.0  3.0\n`
    expect(materialDocument({ text, format: 'poscar' }).document.source).toEqual({ potentials: ['Fe_pv'] })
    expect(leftOut(text, 'poscar')).toBe('Left out: velocities (1 × 3).')
    expect(leftOut(`${poscar('Fe')}\n 24 24 24\n 1 2 3 4 5\n`, 'poscar')).toBe(
      'Left out: values on a grid (24 × 24 × 24).',
    )
  })

  it('of a PDB are its records and the columns of its atoms', () => {
    const text = `HEADER    ION  1ABC\n${pdbAtom('1.00', 'FE').replace('  0.00  ', '  9.50  ')}CONECT    1    2\n`
    expect(materialDocument({ text, format: 'pdb' }).document.source).toEqual({ HEADER: 'ION  1ABC', CONECT: '1    2' })
    expect(leftOut(text, 'pdb')).toBe('Left out: resName (1), chainID (1), resSeq (1), tempFactor (1).')
  })

  it('of a CIF are codes of databases, names, temperature and unknown tags; a line names the categories of publication and experiment', () => {
    const more =
      '_cod_database_code 1234567\n_database_code_ICSD 42\n_chemical_name_mineral Halite\n_diffrn_ambient_temperature 293(2)\n_my_own_tag 3\n_journal_volume 7\n_refine_ls_R_factor_all 0.05\nloop_\n_my_own_list\n1\n2\n'
    const { document } = materialDocument({
      text: cif('_atom_site_U_iso_or_equiv', 'Fe1 Fe 0 0 0 0.01') + more,
      format: 'cif',
    })
    expect(document.source).toEqual({
      _cod_database_code: 1234567,
      _chemical_name_mineral: 'Halite',
      _diffrn_ambient_temperature: '293(2)',
      _my_own_tag: 3,
    })
    expect(document).toMatchObject({ icsdId: 42, name: 'Halite' })
    expect(document.consistencyChecks).toMatchObject([
      { severity: 'warning', message: 'Left out: _my_own_list (2). Its text is in src.text.' },
      {
        severity: 'info',
        message: expect.stringMatching(/: _atom_site_u_iso_or_equiv, _journal, _refine_ls\. Its text/),
      },
    ])
  })

  it('are named, at most sixty of them, where they are large, or have names that no path can name', () => {
    const many = Object.fromEntries(Array.from({ length: 70 }, (_, index) => [`a.${index}`, 1]))
    expect(leftOut(ase({ ...many, text: 'x'.repeat(2000) }), 'ase')).toMatch(/^Left out: a\.0, .*a\.59 and 11 more\.$/)
    expect(leftOut(ase({ $set: 1, id: 12345678901234567890n.toString() }), 'ase')).toBe('Left out: $set.')
    expect(leftOut(ase({}).replace('{', '{"id":12345678901234567890,"big":1e999,'), 'ase')).toBe('Left out: id, big.')
  })

  it('are kept up to 16 KiB of a structure', () => {
    const many = Object.fromEntries(Array.from({ length: 40 }, (_, index) => [`text${index}`, 'x'.repeat(1000)]))
    const { document } = materialDocument({ text: ase(many), format: 'ase' })
    const kept = Object.keys(document.source as object).length
    expect(kept).toBe(16)
    expect(leftOut(ase(many), 'ase')).toContain(`text${kept}, `)
  })

  it('are named where a file is written that has no place for them', () => {
    const { warnings } = convertStructure({ text: ase(TEN), format: 'ase' }, { format: 'poscar' }, undefined)
    expect(warnings).toEqual([
      {
        code: 'not-written',
        message: 'Not written: energy, charge, converged, task, stress, nested.gap, nested.method, nested.deeper.id.',
      },
    ])
    const converted = convertStructure({ text: ase(TEN), format: 'ase' }, { format: 'material' }, undefined)
    expect(converted).toMatchObject({ warnings: [], material: { source: TEN } })
  })

  it('are not told where they are 0 for every atom', () => {
    expect(leftOut(ase({ initial_charges: [0], momenta: [[0, 0, 0]] }), 'ase')).toBe('')
    expect(leftOut(xyz(column('forces', 'R:3'), 'Fe 0 0 0 0 0 0'), 'xyz')).toBe('')
  })
})

describe('what names and masses say of an atom', () => {
  it.each([
    ['an isotope', 'poscar', poscar('D'), { element: 'H', isotope: 2 }],
    ['an isotope', 'poscar', poscar('').replace('\n\n1\n', '\n1\n').replace('0 0 0\n', '0 0 0 D\n'), { isotope: 2 }],
    ['an isotope', 'xyz', xyz('', 'D 0 0 0'), { element: 'H', isotope: 2 }],
    ['an isotope', 'xyz', xyz(column('masses'), 'Fe 0 0 0 57'), { isotope: 57 }],
    ['an isotope', 'pdb', pdbAtom('1.00', ' D'), { element: 'H', isotope: 2 }],
    ['an isotope', 'espresso', espresso('', '2.014', 'H'), { isotope: 2 }],
    ['an isotope', 'espresso', espresso('', '1.0', 'D'), { element: 'H', isotope: 2 }],
    ['an oxidation state', 'xyz', xyz('', 'Fe3+ 0 0 0'), { oxidationState: 3 }],
    ['an oxidation state', 'pdb', pdbAtom('1.00', 'FE2+'), { oxidationState: 2 }],
    ['an oxidation state', 'cif', cif('_atom_site_pdbx_formal_charge', 'Fe1 Fe 0 0 0 2'), { oxidationState: 2 }],
    ['a moment about z', 'pymatgen', pymatgen({ properties: { magmom: 2.2 } }), { moment: [0, 0, 2.2] }],
  ])('is kept: %s of %s', (_, format, text, detail) => {
    const { sites, warnings } = readStructure(text, { format }).crystal
    expect(sites).toMatchObject([detail])
    expect(warnings.filter(({ code }) => code !== 'left-out')).toEqual([])
  })

  it.each([
    ['a number', { properties: { magmom: -4 } }, [0, 0, -4]],
    ['the spin of the site', { properties: { spin: 4 } }, [0, 0, 4]],
    ['the spin of the species', { species: [{ element: 'Fe', occu: 1, spin: -4 }] }, [0, 0, -4]],
    [
      'the spin of the species, among its properties',
      { species: [{ element: 'Fe', occu: 1, properties: { spin: 5 } }] },
      [0, 0, 5],
    ],
    ['a vector', { properties: { magmom: [1, 2, 3] } }, [1, 2, 3]],
    ['a vector about z', { properties: { magmom: { moment: [1, 2, 3], saxis: [0, 0, 1] } } }, [1, 2, 3]],
    ['a moment along an axis', { properties: { magmom: { moment: [0, 0, 3], saxis: [2, 0, 0] } } }, [3, 0, 0]],
    ['a vector about an axis', { properties: { magmom: { moment: [1, 2, 3], saxis: [0, -1, 0] } } }, [2, -3, -1]],
    ['a moment along an axis that is 0', { properties: { magmom: { moment: 0, saxis: [0, 0, 0] } } }, undefined],
  ])('is a moment of pymatgen: %s', (_, site, moment) => {
    const { sites, warnings } = readStructure(pymatgen(site), { format: 'pymatgen' }).crystal
    expect([sites[0]?.moment, warnings]).toEqual([moment, []])
  })

  it('is left out by name where it is not understood', () => {
    const about = { magmom: { moment: [0, 0, 2.2], saxis: [0, 0, 0] } }
    expect(leftOut(pymatgen({ properties: about }), 'pymatgen')).toContain('sites[].properties.magmom.moment (1)')
    const twice = { species: [{ element: 'Fe', occu: 1, spin: 5 }], properties: { magmom: 2 } }
    expect(leftOut(pymatgen(twice), 'pymatgen')).toBe('Left out: sites[].species[].spin (1).')
    expect(leftOut(material({ magnetic_moment: 2.2 }), 'material')).toBe(
      'Left out: basis.elements[].magnetic_moment (1).',
    )
    expect(readStructure(espresso("assume_isolated='2D'"), { format: 'espresso' }).crystal.warnings).toMatchObject([
      { code: 'boundaries-not-applied' },
    ])
  })

  it.each([
    ['xyz', (mass: number) => xyz(column('masses'), `Fe 0 0 0 ${mass}`)],
    ['espresso', (mass: number) => espresso('', String(mass))],
    ['ase', (mass: number) => ase({ masses: [mass] })],
    ['optimade', (mass: number) => optimade({}, { mass: [mass] })],
    [
      'castep',
      (mass: number) =>
        `%BLOCK LATTICE_CART\n4 0 0\n0 4 0\n0 0 4\n%ENDBLOCK LATTICE_CART\n%BLOCK POSITIONS_FRAC\nFe 0 0 0\n%ENDBLOCK POSITIONS_FRAC\n%BLOCK SPECIES_MASS\nFe ${mass}\n%ENDBLOCK SPECIES_MASS\n`,
    ],
    ['abinit', (mass: number) => `acell 3*4 angstrom natom 1 znucl 26 amu ${mass}`],
    [
      'siesta',
      (mass: number) =>
        `LatticeConstant 4 Ang\n%block ChemicalSpeciesLabel\n1 26 Fe\n%endblock\n%block AtomicMass\n1 ${mass}\n%endblock\nAtomicCoordinatesFormat Fractional\n%block AtomicCoordinatesAndAtomicSpecies\n0 0 0 1\n%endblock\n`,
    ],
    [
      'cp2k',
      (mass: number) =>
        `&FORCE_EVAL\n&SUBSYS\n&CELL\nABC 4 4 4\n&END\n&COORD\nFe 0 0 0\n&END\n&KIND Fe\nMASS ${mass}\n&END\n&END\n&END\n`,
    ],
    [
      'phonopy',
      (mass: number) =>
        `physical_unit:\n  length: angstrom\nunit_cell:\n  lattice:\n  - [4, 0, 0]\n  - [0, 4, 0]\n  - [0, 0, 4]\n  points:\n  - symbol: Fe\n    coordinates: [0, 0, 0]\n    mass: ${mass}\n`,
    ],
    [
      'lammps-data',
      (mass: number) =>
        `x, units = metal\n\n1 atoms\n1 atom types\n\n0 4 xlo xhi\n0 4 ylo yhi\n0 4 zlo zhi\n\nMasses\n\n1 ${mass} # Fe\n\nAtoms # atomic\n\n1 1 0 0 0\n`,
    ],
  ])('is an isotope in %s where there is one of the mass, which else is left out by name', (format, write) => {
    const read = (mass: number) => readStructure(write(mass), { format }).crystal
    expect(read(57).sites[0]).toMatchObject({ isotope: 57 })
    for (const mass of [500, 20, 57.4]) {
      const { sites, warnings } = read(mass)
      expect(sites).toMatchObject([{ element: 'Fe' }])
      expect(sites[0]).not.toHaveProperty('isotope')
      const message = expect.stringContaining(`Fe of ${mass} (1)`)
      expect(warnings.filter(({ code }) => code !== 'left-out')).toMatchObject([{ code: 'no-isotope', message }])
    }
  })

  it.each([
    ['cif', cif('', 'Fe1 Fe 0 0 0')],
    ['cif', cif('', 'Fe1 Fe0+ 0 0 0')],
    ['poscar', poscar('Fe_pv')],
    ['xyz', xyz(column('magmoms'), 'Fe 0 0 0 0')],
    ['xyz', xyz(column('masses'), 'Fe 0 0 0 55.847')],
    ['xyz', xyz(column('occupancy'), 'Fe 0 0 0 1.0')],
    ['espresso', espresso('tot_magnetization=-1, starting_magnetization(1)=0, tot_charge=0', '1.0')],
    ['pymatgen', pymatgen({ properties: { magmom: 0, charge: 0 }, label: 'Fe' })],
    ['ase', ase({ initial_magmoms: [0], masses: [55.845], info: { occupancy: { 0: { Fe: 1 } } } })],
    ['optimade', optimade({ structure_features: [], assemblies: null }, { mass: [55.845] })],
    ['material', material({ occurrence: 1, oxidationState: 0 }, {}, { pbc: [true, true, true] })],
  ])('needs no word in %s where the file has nothing of it, or nothing but zeros', (format, text) => {
    const { sites, warnings } = readStructure(text, { format }).crystal
    expect(warnings).toEqual([])
    expect(
      Object.entries(sites[0] ?? {}).filter(
        ([key, value]) => value !== 0 && !['element', 'fraction', 'label'].includes(key),
      ),
    ).toEqual([])
  })
})

describe('partly occupied sites', () => {
  it.each([
    ['xyz', xyz(column('occupancy'), 'Fe 0 0 0 0.9')],
    ['pdb', pdbAtom('0.90', 'FE')],
    ['material', material({ occupancy: '0.9' })],
    ['material', material({ Occupancies: 0.9 })],
    ['material', material({ concentration: [0.9] })],
    ['material', material({}, { occurrences: [{ id: 0, value: 0.9 }] })],
    ['material', material({}, { occupancies: [0.9] })],
  ])('are refused in %s', (format, text) => {
    expect(() => readStructure(text, { format })).toThrow(expect.objectContaining({ code: 42227 }))
  })
})

describe('a structure that repeats along one or two vectors', () => {
  const slabs: readonly (readonly [string, string])[] = [
    ['xyz', xyz('pbc="T T F"', 'Fe 0 0 0')],
    ['ase', ase({ pbc: [true, true, false] })],
    [
      'ase',
      ase({
        cell: [
          [4, 0, 0],
          [0, 4, 0],
          [0, 0, 0],
        ],
      }),
    ],
    ['pymatgen', pymatgen({}, { lattice: { pbc: [true, true, false] } })],
    ['optimade', optimade({ dimension_types: [1, 1, 0] })],
    ['material', material({}, {}, { pbc: [true, true, false] })],
    ['material', material({}, {}, { periodicDirections: [1, 1, 0] })],
    ['material', material({}, {}, { dimension_types: [1, 1, 0] })],
  ]

  it.each(slabs)('is a material that says so, from %s', (format, text) => {
    const converted = convertStructure({ text, format }, { format: 'material' }, undefined)
    expect(converted).toMatchObject({ material: { isNonPeriodic: false, periodicDirections: [true, true, false] } })
  })

  it.each(slabs)(
    'is what it is, from %s, in the formats that can say so, and repeats with a warning in those that cannot',
    (format, text) => {
      for (const to of ['xyz', 'ase', 'pymatgen', 'optimade', 'material']) {
        const converted = convertStructure({ text, format }, { format: to }, undefined)
        const content = 'content' in converted ? converted.content : JSON.stringify(converted.material)
        const { crystal } = readStructure(content, { format: to })
        expect(crystal.periodic).toEqual([true, true, false])
      }
      for (const to of ['cif', 'poscar', 'espresso', 'castep', 'res', 'lammps-data', 'gen', 'aims']) {
        const converted = convertStructure({ text, format }, { format: to }, undefined)
        expect(converted.warnings, to).toContainEqual({
          code: 'repetition-not-written',
          message: expect.stringMatching(/^The structure repeats along a and b only, which .+ cannot say: the file/),
        })
        const content = 'content' in converted ? converted.content : ''
        expect(readStructure(content, { format: to }).crystal.periodic).toEqual([true, true, true])
      }
    },
  )
})
