import { describe, expect, it } from 'vitest'
import { parametersOf } from '../../src/structure/cell.ts'
import type { Crystal } from '../../src/structure/crystal.ts'
import { printStructure, readStructure } from '../../src/structure/formats/read-structure.ts'
import { ANGSTROM_PER_BOHR } from '../../src/structure/lattice.ts'

const CART = '%BLOCK LATTICE_CART\n4 0 0\n0 4 0\n0 0 4\n%ENDBLOCK LATTICE_CART\n'
const places = (rows: string, kind = 'FRAC'): string =>
  `%block positions_${kind}\n${rows}\n%endblock positions_${kind}\n`
const read = (text: string): Crystal => readStructure(text, { format: 'castep' }).crystal

describe('a cell file of CASTEP', () => {
  it('has fractions in lattice vectors, and is told by its content', () => {
    const { crystal, format } = readStructure(`! Rock salt\n${CART}${places('Na 0 0 0 ! first\nCl .5 .5 .5')}`)
    expect(format).toBe('castep')
    expect(crystal).toMatchObject({
      title: 'Rock salt',
      sites: [
        { element: 'Na', fraction: [0, 0, 0] },
        { element: 'Cl', fraction: [0.5, 0.5, 0.5] },
      ],
      warnings: [],
    })
  })

  it.each([
    ['', 4],
    ['ang\n', 4],
    ['Bohr\n', 4 * ANGSTROM_PER_BOHR],
    ['nm\n', 40],
  ])('has lengths and places in the unit %j', (unit, edge) => {
    const abc = `%BLOCK lattice_abc\n${unit}4 4 4\n90 90 120\n%ENDBLOCK lattice_abc\n`
    const crystal = read(abc + places(`${unit}Si 2 0 0`, 'abs'))
    const { a, c, gamma } = parametersOf(crystal.lattice)
    expect([a, c, gamma].map((x) => x.toFixed(8))).toEqual([edge, edge, 120].map((x) => x.toFixed(8)))
    expect(crystal.sites[0]?.fraction[0]).toBeCloseTo(0.5, 12)
    expect(crystal.warnings).toMatchObject([{ code: 'axes-assumed' }])
  })

  it('has spins, labels, masses and fixed ions, also when it is written and read again', () => {
    const rows = 'Fe:up 0 0 0 SPIN= 2\nFe 0.5 0 0 SPIN=( 0 1 0.5 ) LABEL=Fe2\nH:D 0 0.5 0 SPIN=0\n26 0 0 0.5'
    const constraints =
      '%BLOCK IONIC_CONSTRAINTS\n1 Fe 2 0 1 0\n2 Fe 2 0 0 2.5\n3 H 1 1 0 0\n%ENDBLOCK IONIC_CONSTRAINTS\n'
    const mass = '%BLOCK SPECIES_MASS\nAMU\nH:D 2.014\n%ENDBLOCK SPECIES_MASS\n'
    const crystal = read(CART + places(rows) + constraints + mass)
    expect(crystal.sites).toEqual([
      { element: 'Fe', fraction: [0, 0, 0], label: 'Fe:up', speciesTag: 1, moment: [0, 0, 2] },
      {
        element: 'Fe',
        fraction: [0.5, 0, 0],
        label: 'Fe2',
        speciesTag: 2,
        moment: [0, 1, 0.5],
        movable: [true, false, false],
      },
      { element: 'H', fraction: [0, 0.5, 0], label: 'H:D', isotope: 2, movable: [false, true, true] },
      { element: 'Fe', fraction: [0, 0, 0.5] },
    ])
    const bare = (one: Crystal) => one.sites.map(({ label, ...site }) => site)
    expect(bare(read(printStructure(crystal, 'castep')))).toEqual(bare(crystal))
    expect(read(`${CART}${places('Fe 0 0 0')}FIX_ALL_IONS : true\n`).sites[0]?.movable).toEqual([false, false, false])
  })

  it.each([
    ['SPIN 4', [0, 0, 4]],
    ['SPIN= 4', [0, 0, 4]],
    ['SPIN : -2', [0, 0, -2]],
    ['spin=4.0 LABEL=a', [0, 0, 4]],
    ['SPIN=(0 1 2)', [0, 1, 2]],
    ['SPIN= 0.0 1.0 -2.5', [0, 1, -2.5]],
    ['SPIN 0,1,2', [0, 1, 2]],
    ['LABEL a SPIN=0 0 0', undefined],
  ])('has the spin %s', (text, moment) => {
    const { sites, warnings } = read(CART + places(`Fe 0 0 0 ${text}`))
    expect([sites[0]?.moment, warnings]).toEqual([moment, []])
  })

  it('names what else stands behind places: MAGMOM is a share of the electrons, and no moment', () => {
    const rows = 'Fe 0 0 0 MAGMOM= 0.5\nFe 0.5 0 0 magmom 0\nFe 0 0.5 0 SPIN= 4 FIX\nFe 0 0 0.5 7 8'
    const { sites, rest } = read(CART + places(rows))
    expect(sites.map(({ moment }) => moment)).toEqual([undefined, undefined, [0, 0, 4], undefined])
    expect(rest?.leftOut).toEqual(['MAGMOM (1)', 'FIX (1)', 'words behind the place (1)'])
  })

  it('hands over what else it says', () => {
    const block = '%BLOCK IONIC_CONSTRAINTS\nfix: Fe\n%ENDBLOCK IONIC_CONSTRAINTS\n'
    const mass = '%BLOCK SPECIES_MASS\nkg\nFe 1e-25\n%ENDBLOCK SPECIES_MASS\n'
    const crystal = read(
      `${CART}${places('Fe 0 0 0')}kpoint_mp_grid : 2 2 2\nSYMMETRY_GENERATE\nfix_com = true\n${block}${mass}`,
    )
    expect(crystal.rest?.values).toEqual({
      kpoint_mp_grid: '2 2 2',
      symmetry_generate: true,
      fix_com: true,
      ionic_constraints: 'fix: Fe',
      species_mass: 'kg\nFe 1e-25',
    })
  })

  it.each([
    ['no lattice', places('Fe 0 0 0'), 42231],
    ['two lattices', `${CART}%BLOCK LATTICE_ABC\n4 4 4\n90 90 90\n%ENDBLOCK LATTICE_ABC\n${places('Fe 0 0 0')}`, 42231],
    ['two lattice vectors', CART.replace('0 0 4\n', '') + places('Fe 0 0 0'), 42231],
    ['a lattice of no volume', CART.replace('0 0 4\n', '4 4 0\n') + places('Fe 0 0 0'), 42231],
    ['a unit that is none', CART.replace('4 0 0', 'furlong\n4 0 0') + places('Fe 0 0 0'), 42225],
    ['blocks that are there twice', CART + places('Fe 0 0 0') + places('Fe 0 0 0'), 42225],
    ['a place of two numbers', CART + places('Fe 0 0'), 42225],
    ['a spin that is none', CART + places('Fe 0 0 0 SPIN=up'), 42225],
    ['a spin of two numbers', CART + places('Fe 0 0 0 SPIN= 1 2'), 42225],
    ['a mixture', CART + places('Fe 0 0 0 MIXTURE:( 1 0.5)'), 42227],
    ['an unknown species', CART + places('Jq 0 0 0'), 42230],
    ['no positions', CART, 42235],
    ['no atoms', CART + places(''), 42235],
  ])('is refused with %s', (_, text, code) => {
    expect(() => read(text)).toThrow(expect.objectContaining({ code }))
  })
})
