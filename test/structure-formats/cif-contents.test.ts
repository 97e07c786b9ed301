import { describe, expect, it } from 'vitest'
import type { Crystal } from '../../src/structure/crystal.ts'
import { parseCif } from '../../src/structure/formats/cif/cif.ts'

/** A monoclinic cell of 537 Å³ with one C, one N and one O on general places: four of each in P 21/n make 0.52 g/cm³. */
function cif(...lines: readonly string[]): string {
  const cell = ['_cell_length_a 7.1', '_cell_length_b 8.3', '_cell_length_c 9.2']
  const angles = ['_cell_angle_alpha 90', '_cell_angle_beta 98', '_cell_angle_gamma 90']
  const columns = ['_atom_site_label', '_atom_site_fract_x', '_atom_site_fract_y', '_atom_site_fract_z']
  const atoms = ['loop_', ...columns, 'C1 0.11 0.23 0.31', 'N1 0.36 0.41 0.17', 'O1 0.29 0.08 0.44']
  return ['data_case', ...cell, ...angles, ...lines, ...atoms].join('\n')
}

const operators = (...list: readonly string[]) => [
  'loop_',
  '_symmetry_equiv_pos_as_xyz',
  ...list.map((one) => `'${one}'`),
]

const NAME = "_symmetry_space_group_name_H-M 'P 1 21/n 1'"
const FORMULA = "_chemical_formula_sum 'C N O'"
const Z = '_cell_formula_units_Z 4'
const DENSITY = '_exptl_crystal_density_diffrn 0.520'
/** The first two thirds of a group, and a slip of the pen. */
const WITH_SLIP = operators('x,y,z', 'x,-y,-z', '-x+1/2,y+1/2,-z+1/2', 'x+1/2,-y+1/2,z+1/2')
/** Shifts by whole cells where operators should be. */
const SHIFTS = operators('x,y,z', 'x-1,y-1,z', 'x-1,y,z')
const WITHOUT_CENTRING = operators('x,y,z', 'x,-y,z+1/2')

function places({ sites }: Crystal): string[] {
  return sites.map(({ element, fraction }) => `${element} ${fraction.map((x) => (x + 1).toFixed(5)).join(' ')}`).sort()
}

function codes(text: string): string[] {
  return parseCif(text).warnings.map(({ code }) => code)
}

function refusal(text: string): unknown {
  try {
    return parseCif(text).sites.length
  } catch (error) {
    return error
  }
}

describe('operators that are no group', () => {
  it.each([
    ['one is wrong', WITH_SLIP, 'x,-y,-z is none of'],
    ['one is missing', operators('x,y,z', '-x+1/2,y+1/2,-z+1/2', '-x,-y,-z'), 'is not listed'],
  ])('give way to the named group where %s, with a warning', (_, list, why) => {
    const right = parseCif(cif(NAME))
    expect(right.sites).toHaveLength(12)
    for (const figures of [[], [FORMULA, Z], [FORMULA, Z, DENSITY]]) {
      const crystal = parseCif(cif(NAME, ...figures, ...list))
      expect(places(crystal)).toEqual(places(right))
      expect(crystal.warnings).toEqual([
        { code: 'operators-no-group', message: expect.stringContaining(why), line: expect.any(Number) },
      ])
    }
  })

  it.each([
    ['no group is named', []],
    ['the named group has few of them', ["_symmetry_space_group_name_H-M 'P 1 2/m 1'"]],
    ['the named group makes other contents', [NAME, FORMULA, '_cell_formula_units_Z 8']],
  ])('are refused where %s', (_, lines) => {
    const line = 10 + lines.length
    expect(refusal(cif(...lines, ...WITH_SLIP))).toMatchObject({
      code: 42233,
      message: expect.stringContaining(`Line ${line}: The listed operators are no group: `),
    })
  })

  it('are told from groups that no table lists, with translations of few digits', () => {
    const sevenths = ['0', '0.143', '0.286', '0.429', '0.571', '0.714', '0.857'].map((shift) => `x+${shift},y,z`)
    expect(parseCif(cif(...operators(...sevenths))).sites).toHaveLength(21)
    expect(parseCif(cif(...operators('-x,-y,-z'))).sites).toHaveLength(6)
  })
})

describe('operators that make other contents than the file states', () => {
  it.each([
    ['are shifts by whole cells', NAME, SHIFTS, 12],
    ['leave the centring out', "_symmetry_space_group_name_H-M 'C 1 c 1'", WITHOUT_CENTRING, 12],
  ])('give way to the named group where they %s, with a warning', (_, name, list, count) => {
    const right = parseCif(cif(name))
    for (const figures of [
      [FORMULA, Z],
      [FORMULA, DENSITY],
      [DENSITY],
      ['_chemical_formula_weight 42.0', Z],
      [FORMULA, Z, DENSITY],
    ]) {
      const crystal = parseCif(cif(name, ...figures, ...list))
      expect(crystal.sites).toHaveLength(count)
      expect(places(crystal)).toEqual(places(right))
      expect(crystal.warnings.map(({ code }) => code)).toEqual(['operators-incomplete'])
    }
  })

  it('are taken where the file states nothing to compare with', () => {
    expect(codes(cif(NAME, ...SHIFTS))).toEqual(['operators-differ'])
    expect(codes(cif(NAME, FORMULA, ...SHIFTS))).toEqual(['operators-differ'])
  })

  it.each([
    ['no group is named', [FORMULA, Z, DENSITY, ...SHIFTS]],
    ['the named group makes neither', ["_symmetry_space_group_name_H-M 'P 1 21 1'", FORMULA, Z, DENSITY, ...SHIFTS]],
    [
      'the named group makes neither, by one figure',
      ["_symmetry_space_group_name_H-M 'P 1 21 1'", FORMULA, Z, ...SHIFTS],
    ],
    [
      'they are those of the named group',
      [NAME, FORMULA, '_cell_formula_units_Z 8', '_exptl_crystal_density_diffrn 1.04'],
    ],
    ['nothing is said about symmetry', [FORMULA, Z, DENSITY]],
  ])('are refused where %s', (_, lines) => {
    expect(refusal(cif(...lines))).toMatchObject({
      code: 42232,
      message: expect.stringMatching(/is (4|8|0\.52|1\.04), but/),
    })
  })

  it.each([
    ['Z, which the density does not bear out', [NAME, FORMULA, '_cell_formula_units_Z 2', DENSITY], ['units-differ']],
    [
      'the density, which Z does not bear out',
      [NAME, FORMULA, Z, '_exptl_crystal_density_diffrn 5.2'],
      ['density-differs'],
    ],
    ['Z alone', [NAME, FORMULA, '_cell_formula_units_Z 2'], ['units-differ']],
    ['Z alone, beside operators without a name', [FORMULA, Z, ...SHIFTS], ['units-differ']],
    [
      'either, since no formula tells which atoms are missing',
      ['_chemical_formula_weight 42.0', Z, DENSITY, ...SHIFTS],
      ['units-differ', 'density-differs'],
    ],
    [
      'the density, where atoms are missing',
      [NAME, "_chemical_formula_sum 'C N O S'", Z, '_exptl_crystal_density_diffrn 0.916'],
      ['density-differs', 'composition-differs'],
    ],
  ])('are taken with a warning where the slip may be in %s', (_, lines, expected) => {
    expect(codes(cif(...lines))).toEqual(expected)
  })

  it('are what is stated where the formula is that of the whole cell, as some programs write it beside Z', () => {
    const lines = [NAME, "_chemical_formula_sum 'C4 N4 O4'", Z]
    expect(codes(cif(...lines))).toEqual([])
    expect(codes(cif(...lines, DENSITY))).toEqual([])
    // Then Z says nothing, and the density alone is compared.
    expect(codes(cif(...lines, DENSITY, ...SHIFTS))).toEqual(['operators-incomplete'])
  })

  it('give way by the density also where solvent is missing', () => {
    const formula = "_chemical_formula_sum 'C12 N12 O13'"
    const lines = [NAME, formula, Z, '_exptl_crystal_density_diffrn 0.56']
    expect(codes(cif(...lines, ...operators('x,y,z', '-x,-y,-z')))).toEqual([
      'operators-incomplete',
      'composition-differs',
    ])
  })

  it('are what is stated where only hydrogen is missing', () => {
    const lines = [NAME, "_chemical_formula_sum 'C H4 N O'", Z, '_exptl_crystal_density_diffrn 0.569']
    expect(codes(cif(...lines))).toEqual(['hydrogen-differs'])
  })
})
