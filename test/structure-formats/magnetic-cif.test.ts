import { describe, expect, it, test } from 'vitest'
import { parseCif } from '../../src/structure/formats/cif/cif.ts'

const head = (operators: readonly string[]): string =>
  [
    'data_x',
    ...['a 4', 'b 4', 'c 6'].map((edge) => `_cell_length_${edge}`),
    ...['alpha', 'beta', 'gamma'].map((angle) => `_cell_angle_${angle} 90`),
    'loop_',
    '_space_group_symop_magn_operation.id',
    '_space_group_symop_magn_operation.xyz',
    ...operators.map((operator, index) => `${index + 1} ${operator}`),
  ].join('\n')
const MOMENT =
  '\nloop_\n_atom_site_moment.label\n_atom_site_moment.crystalaxis_x\n_atom_site_moment.crystalaxis_y\n_atom_site_moment.crystalaxis_z\nFe1 1.5 0 2\n'
const ATOM = '\nloop_\n_atom_site_label\n_atom_site_fract_x\n_atom_site_fract_y\n_atom_site_fract_z\nFe1 0.1 0.2 0.3'

test.each([
  // Time reversal with a translation turns a moment round; an axial vector is not turned by the inversion.
  ['x+1/2,y+1/2,z,-1', [-1.5, 0, -2]],
  ['-x,-y,-z,+1', [1.5, 0, 2]],
  ['-x,-y,-z,-1', [-1.5, 0, -2]],
  // Two-fold axis along z; mirror plane across z.
  ['-x,-y,z,+1', [-1.5, 0, 2]],
  ['x,y,-z,+1', [-1.5, 0, 2]],
])('a magnetic group with %s gives its image the moment %j', (operator, moment) => {
  const { sites } = parseCif(`${head(['x,y,z,+1', operator])}${ATOM}${MOMENT}`)
  expect(sites.map((site) => site.moment?.map((x) => Math.round(x * 1e9) / 1e9 + 0))).toEqual([[1.5, 0, 2], moment])
})

test('an operator without its time is refused, with its line', () => {
  expect(() => parseCif(`${head(['x,y,z'])}${ATOM}${MOMENT}`)).toThrow(/Line 11: "x,y,z" is not an operator/)
})

describe('moments without the operators of a magnetic group', () => {
  const block = (symmetry: string): string =>
    `${head([]).replace(/loop_\n_space_group_symop_magn[^\n]*\n_space_group[^\n]*/, symmetry)}${ATOM}\nFe2 0.6 0.7 0.8${MOMENT}Fe2 -1.5 0 -2\n`

  it.each([
    [
      'P 1 and its operator',
      "_symmetry_space_group_name_H-M 'P 1'\nloop_\n_symmetry_equiv_pos_site_id\n_symmetry_equiv_pos_as_xyz\n1 'x, y, z'",
    ],
    ['P 1', "_symmetry_space_group_name_H-M 'P 1'"],
    ['no word of symmetry', ''],
  ])('are read of a file that lists all atoms of the cell, with %s', (_, symmetry) => {
    const { sites, warnings } = parseCif(block(symmetry))
    expect(sites.map(({ moment }) => moment)).toEqual([
      [1.5, 0, 2],
      [-1.5, 0, -2],
    ])
    expect(warnings).toEqual([])
  })

  it.each([
    ['a group of more', "_symmetry_space_group_name_H-M 'P -1'"],
    ['a magnetic group by name', "_space_group_magn.number_BNS 2.7\n_symmetry_space_group_name_H-M 'P 1'"],
  ])('are refused beside %s, which does not say how they go', (_, symmetry) => {
    expect(() => parseCif(block(symmetry))).toThrow(expect.objectContaining({ code: 42228 }))
  })
})
