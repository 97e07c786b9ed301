import { describe, expect, it } from 'vitest'
import { parametersOf } from '../../src/structure/cell.ts'
import { type Crystal, toCartesian } from '../../src/structure/crystal.ts'
import { readStructure } from '../../src/structure/formats/read-structure.ts'
import { ANGSTROM_PER_BOHR } from '../../src/structure/lattice.ts'

const CELL = 'cell\n4 4 4 90 90 90\n'
const SALT = `opti conp # two atoms\n${CELL}frac\nNa1 core 0 0 0\nCl2 core 1/2 0.5 .5\n`
const read = (text: string): Crystal => readStructure(text, { format: 'gulp' }).crystal
const formulaOf = ({ sites }: Crystal): Record<string, number> =>
  Object.fromEntries(
    [...new Set(sites.map(({ element }) => element))].map((element) => [
      element,
      sites.filter((site) => site.element === element).length,
    ]),
  )

describe('an input of GULP', () => {
  it.each(['a.gin', 'a.res', 'a.in', undefined])('is told by its content, whatever its name: %s', (fileName) => {
    const { crystal, format } = readStructure(`${SALT}name ignored\n`.replace('name ignored', 'space\n1'), { fileName })
    expect(format).toBe('gulp')
    expect(crystal).toMatchObject({
      lattice: [
        [4, 0, 0],
        [0, 4, 0],
        [0, 0, 4],
      ],
      sites: [
        { element: 'Na', fraction: [0, 0, 0], label: 'Na1' },
        { element: 'Cl', fraction: [0.5, 0.5, 0.5], label: 'Cl2' },
      ],
      warnings: [],
      rest: { values: { keywords: 'opti conp' } },
    })
  })

  it('has shells that are no atoms, and beside the place charge, share, radius and flags', () => {
    const rows =
      'Mg core 0 0 0 0.86 0.7\nFe core 0 0 0 0.5 0.3 0 1 1 1\nO core .5 .5 .5 0.9\nO shel .5 .5 .5 -2.9 1 0 0 0 1\n'
    const { sites, rest } = read(`${CELL}fractional\n${rows}`)
    expect(sites).toEqual([
      { element: 'Mg', fraction: [0, 0, 0], label: 'Mg', occurrence: 0.7 },
      { element: 'Fe', fraction: [0, 0, 0], label: 'Fe', occurrence: 0.3 },
      { element: 'O', fraction: [0.5, 0.5, 0.5], label: 'O' },
    ])
    expect(rest?.leftOut).toEqual(['charges (3)', 'flags (1)', 'shells (1)'])
    const flagged = read('opti\ncell\n4 4 4 90 90 90 1 1 1 0 0 0\ncart angs region 1\nO core 0 0 0 0 1 0 qm\n')
    expect(flagged.rest).toMatchObject({
      values: { cellFlags: '1 1 1 0 0 0', coordinates: 'region 1' },
      leftOut: ['words behind the radius (1)'],
    })
  })

  it('has vectors and places in ångström or bohr, and lines that go on', () => {
    const text = 'single\nvectors au\n8 0 0\n0 8 0\n0 0 & \n8\n1 1 1 0 0 0\ncartesian au\nO 4 0 0\n'
    const { lattice, sites } = read(text)
    expect(lattice[2][2]).toBeCloseTo(8 * ANGSTROM_PER_BOHR, 12)
    expect(sites).toMatchObject([{ element: 'O', fraction: [0.5, 0, 0] }])
    expect(read(text.replaceAll(' au', '')).lattice[2][2]).toBe(8)
  })

  it.each([
    ['F M 3 M', '5.6 5.6 5.6 90 90 90', 'Na core 0 0 0\nCl core .5 .5 .5', { Na: 4, Cl: 4 }, []],
    ['225', '5.6 5.6 5.6 90 90 90', 'Na core 0 0 0\nCl core .5 .5 .5', { Na: 4, Cl: 4 }, []],
    ['F D 3 M', '5.4 5.4 5.4 90 90 90', 'Si core 0 0 0', { Si: 8 }, ['setting-assumed']],
    ['F D 3 M\norigin 2', '5.4 5.4 5.4 90 90 90', 'Si core 1/8 1/8 1/8', { Si: 8 }, []],
    ['R -3 C', '4.76 4.76 12.99 90 90 120', 'Al core 0 0 0.3522\nO core .3064 0 .25', { Al: 12, O: 18 }, []],
    [
      'R -3 C',
      '5.13 5.13 5.13 55.28 55.28 55.28',
      'Al core .3522 .3522 .3522\nO core .5564 -.0564 .25',
      { Al: 4, O: 6 },
      [],
    ],
    ['P 1 21/C 1', '5 5.2 5.3 90 99 90', 'Zr core .27 .04 .21\nO core .07 .33 .34', { Zr: 4, O: 4 }, []],
  ])('has all atoms that the space group makes: %s', (...[group, cell, rows, formula, codes]) => {
    const crystal = read(`opti\ncell\n${cell}\nfrac\n${rows}\nspace\n${group}\n`)
    expect(formulaOf(crystal)).toEqual(formula)
    expect(crystal.warnings.map(({ code }) => code)).toEqual(codes)
  })

  it('has Cartesian places in a cell with a along x, and without a cell is a molecule', () => {
    const hexagonal = read('single\ncell\n4 4 6 90 90 120\ncart\nC core -1 1.7320508075688772 3\n')
    expect(hexagonal.sites[0]?.fraction.map((x) => x.toFixed(9))).toEqual(['0.000000000', '0.500000000', '0.500000000'])
    const molecule = read('single\ncart\nO core 0 0 0\nH core 0 0 1\n8 core 3 0 0 0.0 0.5\n')
    expect(molecule.periodic).toEqual([false, false, false])
    expect(molecule.sites.map(({ element, occurrence }) => [element, occurrence])).toEqual([
      ['O', undefined],
      ['H', undefined],
      ['O', 0.5],
    ])
    expect(parametersOf(molecule.lattice)).toMatchObject({ a: 13, c: 11 })
  })

  it.each([
    ['scell\n4 6 90\nsfractional\n', [true, true, false], [0.5, 0.5]],
    ['svectors\n4 0\n0 6\n1 1 0\nsfrac\n', [true, true, false], [0.5, 0.5]],
    ['pcell\n4 0\npfrac\n', [true, false, false], [0.5]],
    ['pvectors\n4\n1\npfractional\n', [true, false, false], [0.5]],
  ])('has layers and chains, with fractions along their vectors: %s', (cell, periodic, fraction) => {
    const crystal = read(`opti\n${cell}O core 0 0 0\nO core .5 .5 3\n`)
    expect(crystal.periodic).toEqual(periodic)
    expect(crystal.lattice[0]).toEqual([4, 0, 0])
    expect(crystal.sites[1]?.fraction.slice(0, fraction.length)).toEqual(fraction)
    const [x, y, z] = toCartesian([crystal.sites[1]?.fraction ?? [0, 0, 0]], crystal.lattice)[0] ?? []
    expect([x, y, z].map((length) => length?.toFixed(9))).toEqual(
      [2, periodic[1] ? 3 : 0.5, 3].map((one) => one.toFixed(9)),
    )
  })

  it('knows options by four letters, and atoms by up to three', () => {
    const { sites, warnings } = read('single\ncells\n4 4 4 90 90 90\nfractionl\nMgg 0 0 0\nO .5 .5 .5\n')
    expect(sites.map(({ element }) => element)).toEqual(['Mg', 'O'])
    expect(warnings).toMatchObject([{ code: 'species-assumed', line: 5 }])
  })

  it.each([
    ['cell nm', 'opti\ncell nm\n.4 .4 .4 90 90 90\nfrac\nO 0 0 0\n', 2],
    ['vectors pm', 'opti\nvectors pm\n400 0 0\n0 400 0\n0 0 400\nfrac\nO 0 0 0\n', 2],
    ['cartesian nm', `opti\n${CELL}cart nm region 1\nO 0 0 0\n`, 4],
  ])('is refused with a unit of length that is none, by the line: %s', (_, text, line) => {
    const message = expect.stringContaining(' is no unit of length. Use one of angs')
    expect(() => read(text)).toThrow(
      expect.objectContaining({ code: 42225, message, data: expect.objectContaining({ line }) }),
    )
  })

  it.each([
    [
      'a line that is no atom',
      `opti\n${CELL}frac\nMagnesium 0 0 0\nO .5 .5 .5\n`,
      /^Line 5: "Magnesium 0 0 0" stands where the first/,
    ],
    ['no option of atoms', `opti\n${CELL}fraktional\nMg 0 0 0\n`, /^The file lists no atoms. A line of an atom begins/],
  ])('is refused with %s, and says what would be right', (_, text, message) => {
    expect(() => read(text)).toThrow(expect.objectContaining({ code: 42235, message: expect.stringMatching(message) }))
  })

  it('has a title of so many lines, or up to an end', () => {
    const { sites, rest } = read(SALT.replace('cell', 'title 1\ncell of salt\ncell'))
    expect([sites.length, rest?.values.title]).toEqual([2, 'cell of salt'])
  })

  it('keeps keywords, title and what is about the calculation, each as one text', () => {
    const potentials = 'species\nNa core 1.0\nCl core -1.0\nbuck\nNa core Cl core 1 2 3 0 10\n'
    const { title, rest, warnings } = read(
      `${SALT.replace('cell\n', 'name Rock salt\ntitle\nfrom 1990\nend\ncell\n')}${potentials}supercell 2 2 2\n`,
    )
    expect(title).toBe('Rock salt')
    expect(rest?.values).toEqual({
      keywords: 'opti conp',
      title: 'from 1990',
      options: potentials.trimEnd(),
      supercell: '2 2 2',
    })
    expect(warnings).toMatchObject([{ code: 'supercell-not-applied', line: 16 }])
  })

  it.each([
    ['no places', `opti\n${CELL}`, 42235],
    ['shells alone', `${CELL}frac\nO shel 0 0 0\n`, 42235],
    ['a cell of two lengths', SALT.replace('4 4 4 90 90 90', '4 4'), 42225],
    ['a cell that cannot be', SALT.replace('90 90 90', '10 20 170'), 42231],
    ['vectors that break off', 'vectors\n4 0 0\n', 42225],
    ['vectors in one plane', `vectors\n4 0 0\n0 4 0\n4 4 0\nfrac\nO core 0 0 0\n`, 42231],
    ['a place that is none', SALT.replace('1/2', 'x'), 42225],
    ['a quotient by zero', SALT.replace('1/2', '1/0'), 42225],
    ['a share that is none', SALT.replace('.5\n', '.5 1 x\n'), 42225],
    ['a share above 1', SALT.replace('.5\n', '.5 1 3.0\n'), 42225],
    ['an unknown space group', `${SALT}space\nF Q 3\n`, 42233],
    ['a space group without a name', `${SALT}space\n`, 42233],
    ['a space group that the cell has not', `${SALT.replace('4 4 4', '4 5 6')}space\n225\n`, 42225],
    ['an origin that is a place', `${SALT}space\n227\norigin 0.25 0.25 0.25\n`, 42228],
    ['operators', `${SALT}symmetry_operator\n1 0 0 0\n0 1 0 0\n0 0 1 0\n`, 42228],
    ['a space group of a layer', 'opti\nscell\n4 4 90\nsfrac\nO core 0 0 0\nspace\n225\n', 42231],
    ['a layer of one length', 'opti\nscell\n4\nsfrac\nO core 0 0 0\n', 42225],
    ['fractions of no cell', 'opti\nfrac\nO core 0 0 0\n', 42231],
    ['an unknown species', SALT.replace('Cl2', 'Jq'), 42230],
  ])('is refused with %s', (_, text, code) => {
    expect(() => read(text)).toThrow(expect.objectContaining({ code }))
  })
})
