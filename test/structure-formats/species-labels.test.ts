import { describe, expect, it } from 'vitest'
import { convertStructure, readMaterial } from '../../src/records/kinds/material/structure-files.ts'
import { readStructure } from '../../src/structure/formats/read-structure.ts'

const VECTORS = '5 0 0\n0 5 0\n0 0 5\n'

/** A cell of two atoms by names, in each format that names species. */
const WITH_NAMES: Readonly<Record<string, (one: string, other: string) => string>> = {
  xyz: (one, other) =>
    `2\nLattice="5 0 0 0 5 0 0 0 5" Properties=species:S:1:pos:R:3\n${one} 0 0 0\n${other} 2.5 2.5 2.5\n`,
  poscar: (one, other) => `names\n1\n${VECTORS}${one} ${other}\n1 1\nDirect\n0 0 0\n.5 .5 .5\n`,
  gen: (one, other) => `2 S\n${one} ${other}\n1 1 0 0 0\n2 2 2.5 2.5 2.5\n0 0 0\n${VECTORS}`,
  castep: (one, other) =>
    `%BLOCK LATTICE_CART\n${VECTORS}%ENDBLOCK LATTICE_CART\n%BLOCK POSITIONS_FRAC\n${one.replace('Fe', 'Fe:')} 0 0 0\n${other.replace('Fe', 'Fe:')} .5 .5 .5\n%ENDBLOCK POSITIONS_FRAC\n`,
  siesta: (one, other) =>
    `LatticeConstant 5 Ang\nNumberOfSpecies 2\n%block ChemicalSpeciesLabel\n1 26 ${one}\n2 26 ${other}\n%endblock\nAtomicCoordinatesFormat Fractional\n%block AtomicCoordinatesAndAtomicSpecies\n0 0 0 1\n.5 .5 .5 2\n%endblock\n`,
  gulp: (one, other) => `single\ncell\n5 5 5 90 90 90\nfrac\n${one} core 0 0 0\n${other} core .5 .5 .5\n`,
  cp2k: (one, other) =>
    `&FORCE_EVAL\n&SUBSYS\n&CELL\nABC 5 5 5\n&END\n&COORD\n${one} 0 0 0\n${other} 2.5 2.5 2.5\n&END\n&END\n&END\n`,
  aims: (one, other) =>
    `lattice_vector 5 0 0\nlattice_vector 0 5 0\nlattice_vector 0 0 5\natom 0 0 0 ${one}\natom 2.5 2.5 2.5 ${other}\n`,
  espresso: (one, other) =>
    `&SYSTEM\nibrav=1, A=5, nat=2, ntyp=2\n/\nATOMIC_SPECIES\n${one} 55.845 Fe.upf\n${other} 55.845 Fe.upf\nATOMIC_POSITIONS crystal\n${one} 0 0 0\n${other} .5 .5 .5\n`,
  'lammps-data': (one, other) =>
    `iron, units = metal\n\n2 atoms\n2 atom types\n\n0 5 xlo xhi\n0 5 ylo yhi\n0 5 zlo zhi\n\nMasses\n\n1 55.845 # ${one}\n2 55.845 # ${other}\n\nAtoms # atomic\n\n1 1 0 0 0\n2 2 2.5 2.5 2.5\n`,
}

describe.each(Object.entries(WITH_NAMES))('%s', (format, text) => {
  it('has labels of species by the numbers behind elements, which an input of Quantum ESPRESSO has too', () => {
    const given = { text: text('Fe1', 'Fe2'), format }
    const { material } = readMaterial(given)
    expect((material.basis as { labels?: unknown }).labels).toEqual([
      { id: 0, value: 1 },
      { id: 1, value: 2 },
    ])
    const converted = convertStructure(given, { format: 'espresso' }, undefined)
    expect('content' in converted ? converted.content : '').toMatch(/\nFe1 +55\.845 Fe\.upf\nFe2 +55\.845 Fe\.upf\n/)
  })

  it('has none where names are those of elements', () => {
    const { crystal } = readStructure(text('Fe', 'Fe'), { format })
    expect(crystal.sites.map(({ speciesTag }) => speciesTag)).toEqual([undefined, undefined])
  })
})

describe('labels of species', () => {
  const cp2k = WITH_NAMES.cp2k as (one: string, other: string) => string
  const xyz = (...names: readonly string[]): string =>
    `${names.length}\nLattice="9 0 0 0 9 0 0 0 9" Properties=species:S:1:pos:R:3\n${names.map((name, index) => `${name} ${1.5 * index} 0 0`).join('\n')}\n`
  const read = (text: string, format: string) => {
    const { crystal } = readStructure(text, { format })
    return [crystal.sites.map(({ speciesTag }) => speciesTag ?? 0), crystal.warnings.map(({ message }) => message)]
  }

  it('are numbered where they are words', () => {
    expect(read(cp2k('Fe_up', 'Fe_dn'), 'cp2k')).toEqual([
      [1, 2],
      ['Labels of species are numbers: Fe_up is Fe1, Fe_dn is Fe2.'],
    ])
    expect(read(cp2k('Fe_up', 'Fe1'), 'cp2k')[0]).toEqual([2, 1])
    expect(read(cp2k('Fe_up', 'Fe_up'), 'cp2k')).toEqual([[0, 0], []])
  })

  it('are no charges', () => {
    expect(read(xyz('Fe3+', 'Fe2+', 'Fe+3'), 'xyz')).toEqual([[0, 0, 0], []])
  })

  it('are no numbers of atoms, in files that number all', () => {
    expect(read(xyz('C1', 'C2', 'H1', 'H2', 'H3'), 'xyz')).toEqual([
      [0, 0, 0, 0, 0],
      ['The names number the atoms (C1, …) and are no labels of species.'],
    ])
    expect(read(xyz('Fe1', 'Fe1', 'Fe2', 'Fe2', 'O1'), 'xyz')[0]).toEqual([1, 1, 2, 2, 1])
    expect(read(xyz('Fe1', 'Fe2', 'O', 'O', 'O'), 'xyz')[0]).toEqual([1, 2, 0, 0, 0])
  })

  it('of pymatgen are of single sites: those that say more than an element and its number are named', () => {
    const site = (label: string, x: number) => ({ species: [{ element: 'O', occu: 1 }], abc: [x, 0, 0], label })
    const lattice = { a: 6, b: 6, c: 6, alpha: 90, beta: 90, gamma: 90 }
    const text = JSON.stringify({ lattice, sites: [site('O_apical', 0), site('O2', 0.4), site('O2-', 0.7)] })
    expect(read(text, 'pymatgen')).toEqual([[0, 0, 0], ['Left out: sites[].label (1).']])
  })
})
