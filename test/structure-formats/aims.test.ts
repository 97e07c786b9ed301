import { describe, expect, it } from 'vitest'
import type { Crystal } from '../../src/structure/crystal.ts'
import { printStructure, readStructure } from '../../src/structure/formats/read-structure.ts'

const CELL = 'lattice_vector 4 0 0\nlattice_vector 0 4 0 # second\n  lattice_vector 0.0d0 0 4\n'
const read = (text: string): Crystal => readStructure(text, { format: 'aims' }).crystal

describe('a geometry of FHI-aims', () => {
  it('has places in ångström beside fractions, a title, and is told by its content', () => {
    const { crystal, format } = readStructure(`# Rock salt\n\n${CELL}atom 0 0 0 Na\natom_frac .5 .5 .5 Cl_tight\n`)
    expect(format).toBe('aims')
    expect(crystal).toMatchObject({
      title: 'Rock salt',
      lattice: [
        [4, 0, 0],
        [0, 4, 0],
        [0, 0, 4],
      ],
      periodic: [true, true, true],
      sites: [
        { element: 'Na', fraction: [0, 0, 0] },
        { element: 'Cl', fraction: [0.5, 0.5, 0.5] },
      ],
    })
  })

  it('keeps moments and fixed directions of the atom before them', () => {
    const { sites } = read(
      `${CELL}atom 0 0 0 Fe\ninitial_moment 2.2\nconstrain_relaxation x\nconstrain_relaxation z\natom 2 2 2 Fe\n` +
        'initial_moment -2.2\nconstrain_relaxation .true.\natom 2 0 0 O\ninitial_moment 0.0\nconstrain_relaxation .false.\n',
    )
    expect(sites).toEqual([
      { element: 'Fe', fraction: [0, 0, 0], moment: [0, 0, 2.2], movable: [false, true, false] },
      { element: 'Fe', fraction: [0.5, 0.5, 0.5], moment: [0, 0, -2.2], movable: [false, false, false] },
      { element: 'O', fraction: [0.5, 0, 0] },
    ])
  })

  it('keeps them when it is written and read again', () => {
    const crystal = read(`${CELL}atom_frac 0 0 0.1 Fe\ninitial_moment 2.2\nconstrain_relaxation y\n`)
    expect(read(printStructure(crystal, 'aims')).sites).toEqual(crystal.sites)
  })

  it('without lattice vectors is a molecule, also when it is written and read again', () => {
    const water = read('atom 0 0 0 O\natom 0.76 0.59 0 H\natom -0.76 0.59 0 H\n')
    expect([water.periodic, water.warnings[0]?.code]).toEqual([[false, false, false], 'no-lattice'])
    const text = printStructure(water, 'aims')
    expect([text.includes('lattice_vector'), read(text).sites]).toEqual([false, water.sites])
  })

  it('hands over what else it says, and leaves ghosts out by name', () => {
    const crystal = read(
      `${CELL}constrain_relaxation .true.\natom 0 0 0 Fe\ninitial_charge 2\nempty 2 2 2 Fe\nvelocity 0 0 0\n` +
        'trust_radius 0.2\nmultipole 1 1 1 0 1\nmultipole 2 1 1 0 1\n__proto__ 1\nsymmetry_frac_change_threshold\n',
    )
    expect(crystal.rest).toEqual({
      values: {
        constrain_relaxation: true,
        trust_radius: 0.2,
        multipole: '1 1 1 0 1\n2 1 1 0 1',
        ['__proto__']: 1,
        symmetry_frac_change_threshold: true,
      },
      leftOut: ['initial_charge (1)'],
    })
    expect(crystal.warnings).toMatchObject([
      { code: 'left-out' },
      {
        code: 'no-atom',
        message:
          'What is called empty Fe (1) is no atom and is left out: the formula is that of the atoms that remain.',
      },
    ])
  })

  it.each([
    ['two lattice vectors', 'lattice_vector 4 0 0\nlattice_vector 0 4 0\natom 0 0 0 Fe\n', 42231],
    ['lattice vectors in one plane', `${CELL.replace('0.0d0 0 4', '1 1 0')}atom 0 0 0 Fe\n`, 42231],
    ['fractions of no lattice', 'atom_frac 0 0 0 Fe\n', 42231],
    ['a place that is no number', `${CELL}atom 0 0 NaN Fe\n`, 42225],
    ['a place of two numbers', `${CELL}atom 0 0\n`, 42225],
    ['no species', `${CELL}atom 0 0 0\n`, 42225],
    ['an unknown species', `${CELL}atom 0 0 0 Jq\n`, 42230],
    ['a constraint that is none', `${CELL}atom 0 0 0 Fe\nconstrain_relaxation maybe\n`, 42225],
    ['a moment that is none', `${CELL}atom 0 0 0 Fe\ninitial_moment up\n`, 42225],
    ['ghosts alone', `${CELL}empty 0 0 0 Fe\n`, 42230],
    ['no atoms', CELL, 42235],
  ])('is refused with %s', (_, text, code) => {
    expect(() => read(text)).toThrow(expect.objectContaining({ code }))
  })

  it('names the line of what it refuses', () => {
    expect(() => read(`${CELL}atom 0 x 0 Fe\n`)).toThrow(/^Line 4: A place "x" is not a number/)
  })
})
