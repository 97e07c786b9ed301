import { describe, expect, it } from 'vitest'
import { parametersOf } from '../../src/structure/cell.ts'
import type { Crystal } from '../../src/structure/crystal.ts'
import { parseCif } from '../../src/structure/formats/cif/cif.ts'
import { decodeText } from '../../src/structure/formats/common/text-pieces.ts'
import { readStructure } from '../../src/structure/formats/read-structure.ts'

/** A cubic cell of 4 Å with whatever else a case is about. */
function cubic(...lines: readonly string[]): string {
  const cell = ['a', 'b', 'c'].map((edge) => `_cell_length_${edge} 4.0`)
  const angles = ['alpha', 'beta', 'gamma'].map((angle) => `_cell_angle_${angle} 90`)
  return ['data_case', ...cell, ...angles, ...lines].join('\n')
}

const ATOMS = ['loop_', '_atom_site_label', '_atom_site_fract_x', '_atom_site_fract_y', '_atom_site_fract_z']
const OCCUPIED = [...ATOMS, '_atom_site_occupancy']
const TYPED = ['loop_', '_atom_site_label', '_atom_site_type_symbol', ...ATOMS.slice(2)]

function contents(crystal: Crystal): string {
  const counts = new Map<string, number>()
  for (const { element } of crystal.sites) counts.set(element, (counts.get(element) ?? 0) + 1)
  return [...counts].map(([element, count]) => `${element}${count}`).join(' ')
}

function codes(crystal: Crystal): string[] {
  return crystal.warnings.map((warning) => warning.code)
}

describe('the symmetry of a CIF', () => {
  it.each([
    [
      'listed operators',
      [
        'loop_',
        '_symmetry_equiv_pos_as_xyz',
        "'x, y, z'",
        "'x+1/2, y+1/2, z'",
        "'x+1/2, y, z+1/2'",
        "'x, 1/2+y, 1/2+z'",
      ],
      4,
    ],
    [
      'numbered operators',
      ['loop_', '_space_group_symop_id', '_space_group_symop_operation_xyz', '1 x,y,z', '2 -x,-y,-z+.5'],
      2,
    ],
    ['operators with unquoted spaces', ['loop_', '_symmetry_equiv_pos_as_xyz', 'x, y, z', '-x, -y, 1/2-z'], 2],
    ['operators in capitals', ['loop_', '_symmetry_equiv_pos_as_xyz', 'X,Y,Z', '-X,-Y,1/2-Z'], 2],
    [
      'DDLm tags',
      ['loop_', '_space_group_symop.id', '_space_group_symop.operation_xyz', '1 x,y,z', '2 -x,-y,1/2-z'],
      2,
    ],
    ['a Hall symbol', ["_symmetry_space_group_name_Hall '-F 4 2 3'"], 4],
    ['a Hermann-Mauguin symbol', ["_symmetry_space_group_name_H-M 'F m -3 m'"], 4],
    ['an unquoted symbol with spaces', ['_symmetry_space_group_name_H-M F m -3 m'], 4],
    ['a symbol from before 1983', ["_symmetry_space_group_name_H-M 'F m 3 m'"], 4],
    ['a number', ['_space_group_IT_number 225'], 4],
    [
      'a number where the symbol is unknown',
      ["_symmetry_space_group_name_H-M 'none of yours'", '_symmetry_Int_Tables_number 225'],
      4,
    ],
    ['a centred triclinic symbol', ["_symmetry_space_group_name_H-M 'C -1'", '_space_group_IT_number 2'], 2],
    ['nothing at all', [], 1],
  ])('is read from %s', (_, lines, count) => {
    expect(parseCif(cubic(...lines, ...ATOMS, 'Cu1 0 0 0')).sites).toHaveLength(count)
  })

  it('comes from the listed operators first, then from the Hall symbol, then from the name, then from the number', () => {
    const number = '_space_group_IT_number 229'
    const name = "_space_group_name_H-M_alt 'F m -3 m'"
    const hall = "_space_group_name_Hall 'C 2 -2'"
    const listed = ['loop_', '_space_group_symop_operation_xyz', 'x,y,z']
    const sitesOf = (...lines: string[]): number =>
      parseCif(cubic(...lines, ...ATOMS, 'Cu 0.11 0.23 0.31').replaceAll(' 4.0', ' 40.0')).sites.length
    expect(sitesOf(number)).toBe(96)
    expect(sitesOf(number, name)).toBe(192)
    expect(sitesOf(number, name, hall)).toBe(8)
    expect(sitesOf(number, name, hall, ...listed)).toBe(1)
  })

  it('warns when the listed operators are fewer than the named group has', () => {
    const lines = ["_space_group_name_H-M_alt 'F m -3 m'", 'loop_', '_space_group_symop_operation_xyz', 'x,y,z']
    expect(codes(parseCif(cubic(...lines, ...ATOMS, 'Cu 0 0 0')))).toEqual(['operators-differ'])
  })

  it('takes hexagonal or rhombohedral axes as the cell demands', () => {
    const read = (cell: string): Crystal =>
      parseCif(`data_bi\n${cell}\n_symmetry_space_group_name_H-M 'R -3 m'\n${ATOMS.join('\n')}\nBi 0 0 0.234`)
    const hexagonal =
      '_cell_length_a 4.546\n_cell_length_b 4.546\n_cell_length_c 11.862\n_cell_angle_alpha 90\n_cell_angle_beta 90\n_cell_angle_gamma 120'
    const rhombohedral =
      '_cell_length_a 4.746\n_cell_length_b 4.746\n_cell_length_c 4.746\n_cell_angle_alpha 57.23\n_cell_angle_beta 57.23\n_cell_angle_gamma 57.23'
    expect(read(hexagonal).sites).toHaveLength(6)
    expect(read(rhombohedral.replace('x', 'x')).sites.length).toBe(6)
    expect(codes(read(hexagonal))).toEqual([])
  })

  it('takes unique axis c where only the angle gamma is oblique', () => {
    const text =
      "data_m\n_cell_length_a 4\n_cell_length_b 5\n_cell_length_c 6\n_cell_angle_alpha 90\n_cell_angle_beta 90\n_cell_angle_gamma 105\n_symmetry_space_group_name_H-M 'P 21/n'\n"
    const crystal = parseCif(`${text}${ATOMS.join('\n')}\nFe 0.1 0.2 0.3`)
    expect(crystal.sites.map((site) => site.fraction[2].toFixed(2)).sort()).toEqual(['0.20', '0.30', '0.70', '0.80'])
  })

  it('finds the origin by the number of atoms that the file promises, and says that it did', () => {
    const spinel = (z: number, x: string): Crystal =>
      parseCif(
        `data_s\n_cell_length_a 8.08\n_cell_length_b 8.08\n_cell_length_c 8.08\n_cell_angle_alpha 90\n_cell_angle_beta 90\n_cell_angle_gamma 90\n_chemical_formula_sum 'Mg Al2 O4'\n_cell_formula_units_Z ${z}\n_symmetry_space_group_name_H-M 'F d -3 m'\n${ATOMS.join('\n')}\nMg ${x}\nAl 0.5 0.5 0.5\nO 0.2624 0.2624 0.2624`,
      )
    expect(contents(spinel(8, '0.125 0.125 0.125'))).toBe('Mg8 Al16 O32')
    expect(codes(spinel(8, '0.125 0.125 0.125'))).toEqual(['setting-assumed'])
  })

  it('is refused when the cell does not have the symmetry of the group', () => {
    const text = cubic("_symmetry_space_group_name_H-M 'F m -3 m'", ...ATOMS, 'Cu 0 0 0').replace(
      'length_c 4.0',
      'length_c 5.0',
    )
    expect(() => parseCif(text)).toThrow(/The cell does not have the symmetry of F 4\/m -3 2\/m: one of them is wrong/)
  })

  it.each(['R 3 c {rhombohedral axes}', 'R 3 c :R', 'R 3 c (rhombohedral axes)'])(
    'takes for %s the hexagonal axes that the cell has',
    (symbol) => {
      const cell =
        'data_r\n_cell_length_a 5.15\n_cell_length_b 5.15\n_cell_length_c 13.86\n_cell_angle_alpha 90\n_cell_angle_beta 90\n_cell_angle_gamma 120\n'
      const text = `${cell}_symmetry_space_group_name_H-M '${symbol}'\n${ATOMS.join('\n')}\nLi 0 0 0.28\nNb 0 0 0.01\nO 0.05 0.34 0.08`
      const crystal = parseCif(text)
      expect(contents(crystal)).toBe('Li6 Nb6 O18')
      expect(codes(crystal)).toEqual(symbol.endsWith(':R') ? ['axes-differ'] : [])
    },
  )

  it.each([
    ['an unknown symbol', ["_symmetry_space_group_name_H-M 'P 7 7 7'"], 42233],
    ['an operator that is none', ['loop_', '_space_group_symop_operation_xyz', 'x,y,z', 'x,y,q'], 42233],
    ['an operator that stretches', ['loop_', '_space_group_symop_operation_xyz', 'x,y,z', '2x,y,z'], 42233],
  ])('is refused with %s', (_, lines, code) => {
    expect(() => parseCif(cubic(...lines, ...ATOMS, 'Cu 0 0 0'))).toThrow(expect.objectContaining({ code }))
  })
})

describe('special positions of a CIF', () => {
  const hexagonal = (x: string, y: string): Crystal =>
    parseCif(
      `data_g\n_cell_length_a 2.46\n_cell_length_b 2.46\n_cell_length_c 6.7\n_cell_angle_alpha 90\n_cell_angle_beta 90\n_cell_angle_gamma 120\n_symmetry_space_group_name_H-M 'P 63/m m c'\n${ATOMS.join('\n')}\nC1 0 0 0.25\nC2 ${x} ${y} 0.25`,
    )

  it.each([
    ['0.3333', '0.6667'],
    ['0.333', '0.667'],
    ['1/3', '2/3'],
    ['0.33333(2)', '0.66667(2)'],
  ])('are recognized when written %s %s', (x, y) => {
    expect(hexagonal(x, y).sites).toHaveLength(4)
  })

  it('become exact thirds when written with four digits', () => {
    expect(hexagonal('0.3333', '0.6667').sites[2]?.fraction.slice(0, 2)).toEqual([1 / 3, 2 / 3])
  })

  it('are not invented for atoms that are apart, and images nearer than any bond are refused', () => {
    expect(hexagonal('0.20', '0.40').sites.length).toBeGreaterThan(4)
    expect(() => hexagonal('0.28', '0.56')).toThrow(/two images of C2 are only 0\.\d\d Å apart/)
  })
})

describe('the atoms of a CIF', () => {
  it('may have uncertain digits, no leading zero, exponents and "." for zero', () => {
    const crystal = parseCif(cubic(...ATOMS, 'Fe1 .25(3) 1.5e-1 .', 'O1 -0.5(2) +0.5 0.(1)'))
    expect(crystal.sites.map((site) => site.fraction)).toEqual([
      [0.25, 0.15, 0],
      [0.5, 0.5, 0],
    ])
  })

  it('are left out with a warning where they have no coordinates, are dummies or are not there', () => {
    const columns = [...TYPED, '_atom_site_occupancy', '_atom_site_calc_flag']
    const crystal = parseCif(
      cubic(...columns, 'Fe1 Fe 0 0 0 1 d', 'H1 H ? ? ? 1 d', 'X1 C 0.5 0.5 0.5 1 dum', 'O1 O 0.5 0 0 0 d'),
    )
    expect(contents(crystal)).toBe('Fe1')
    expect(codes(crystal)).toEqual(['atom-without-place', 'dummy-left-out', 'empty-site', 'no-symmetry'])
  })

  it('may be one that is not in a loop', () => {
    const item = ['_atom_site_label Po1', '_atom_site_fract_x 0', '_atom_site_fract_y 0', '_atom_site_fract_z 0']
    expect(contents(parseCif(cubic(...item)))).toBe('Po1')
  })

  it('may run over several lines each, with text fields between', () => {
    const rows = ['Fe1 0', '0 0', ';a note\nof two lines\n;', 'O1 0.5 0.5', "0.5 'it''s'"]
    expect(contents(parseCif(cubic(...ATOMS, '_atom_site_note', ...rows)))).toBe('Fe1 O1')
  })

  it('may be Cartesian, in the frame of the file or in the usual one', () => {
    const cartesian = TYPED.map((tag) => tag.replace('fract', 'Cartn'))
    expect(parseCif(cubic(...cartesian, 'Fe1 Fe 1 2 3')).sites[0]?.fraction).toEqual([0.25, 0.5, 0.75])
    const matrix = [
      [0, 0, 0.25],
      [0.25, 0, 0],
      [0, 0.25, 0],
    ].flatMap((row, i) => row.map((value, j) => `_atom_sites.fract_transf_matrix[${i + 1}][${j + 1}] ${value}`))
    expect(parseCif(cubic(...matrix, ...cartesian, 'Fe1 Fe 1 2 3')).sites[0]?.fraction).toEqual([0.75, 0.25, 0.5])
  })

  it('may come in mmCIF spelling', () => {
    const text =
      'data_X\n_cell.length_a 4\n_cell.length_b 4\n_cell.length_c 4\n_cell.angle_alpha 90\n_cell.angle_beta 90\n_cell.angle_gamma 90\n_symmetry.space_group_name_H-M "P 1"\nloop_\n_atom_site.group_PDB\n_atom_site.id\n_atom_site.type_symbol\n_atom_site.label_atom_id\n_atom_site.label_alt_id\n_atom_site.Cartn_x\n_atom_site.Cartn_y\n_atom_site.Cartn_z\n_atom_site.occupancy\nHETATM 1 ZN ZN . 0 0 0 1.00\nHETATM 2 C CA . 2 2 2 1.00\n'
    expect(contents(parseCif(text))).toBe('Zn1 C1')
  })

  it('are merged where one is listed twice or in two shares that add up, with a warning', () => {
    const twice = parseCif(cubic(...ATOMS, 'Fe1 0 0 0', 'Fe2 0 0 1.0', 'O1 0.5 0.5 0.5'))
    expect([contents(twice), codes(twice)]).toEqual(['Fe1 O1', ['no-symmetry', 'atom-listed-twice']])
    const shared = parseCif(cubic(...TYPED, '_atom_site_occupancy', 'Fe1 Fe 0 0 0 0.4', 'Fe2 Fe 0 0 0 0.6'))
    expect([contents(shared), codes(shared)]).toEqual(['Fe1', ['no-symmetry', 'shares-added']])
  })

  it('take the occupancy 1.0(1), ? and 0.9995 for whole', () => {
    expect(contents(parseCif(cubic(...OCCUPIED, 'Fe1 0 0 0 1.0(1)', 'O1 0.5 0 0 ?', 'O2 0 0.5 0 0.9995')))).toBe(
      'Fe1 O2',
    )
  })

  it('disagree with the formula: a warning, which tells hydrogen that is missing from other trouble', () => {
    const stated = (formula: string): string[] =>
      codes(
        parseCif(
          cubic(
            "_space_group_name_H-M_alt 'P 1'",
            `_chemical_formula_sum '${formula}'`,
            ...ATOMS,
            'Fe1 0 0 0',
            'O1 0.5 0.5 0.5',
          ),
        ),
      )
    expect(stated('Fe O')).toEqual([])
    expect(stated('Fe2 O2')).toEqual([])
    expect(stated('Fe2 O3')).toEqual(['composition-differs'])
    expect(stated('Fe O H2')).toEqual(['hydrogen-differs'])
  })

  it.each([
    ['two elements at one place', [...ATOMS, 'Na1 0 0 0', 'K1 0 0 0.001'], 42229, 'one place'],
    ['an occupancy above 1', [...OCCUPIED, 'Na1 0 0 0 1.5'], 42225, '1.5'],
    ['a type that is no element', [...TYPED, 'X1 X 0 0 0'], 42230, 'X (1)'],
    ['a missing value', [...ATOMS, 'Na1 0 0 0', 'Cl1 0.5 0.5'], 42232, '7 values for 4 columns'],
    ['a coordinate that is no number', [...ATOMS, 'Na1 0 0 0,5'], 42225, '"0,5"'],
    ['no atoms', ['_exptl_crystal_density_meas 5'], 42235, 'no atoms'],
    [
      'moments',
      [
        "_space_group_name_H-M_alt 'P m -3 m'",
        ...ATOMS,
        'Fe 0 0 0',
        'loop_',
        '_atom_site_moment.label',
        '_atom_site_moment.crystalaxis_x',
        'Fe 1.0',
      ],
      42228,
      'magnetic',
    ],
    ['a superspace group', ["_space_group_ssg_name 'Pnma(0b0)s00'", ...ATOMS, 'Fe 0 0 0'], 42228, 'modulated'],
  ])('are refused with %s', (_, lines, code, part) => {
    expect(() => parseCif(cubic(...lines))).toThrow(
      expect.objectContaining({ code, message: expect.stringContaining(part) }),
    )
  })

  it('are refused with the line of the mistake', () => {
    expect(() => parseCif(cubic(...ATOMS, 'Na1 0 0 0', 'Cl1 0 0 half'))).toThrow(
      expect.objectContaining({ data: expect.objectContaining({ line: 14 }) }),
    )
  })
})

describe('a CIF', () => {
  it('may begin with a byte-order mark, end lines as Windows does and name people in Latin-1', () => {
    const text = `\ufeff${cubic("_publ_author_name 'Müller, J. O''Neil'", ...ATOMS, 'Fe 0 0 0').replaceAll('\n', '\r\n')}`
    expect(contents(parseCif(text))).toBe('Fe1')
    const latin = Buffer.from(cubic("_publ_author_name 'Müller'", ...ATOMS, 'Fe 0 0 0'), 'latin1')
    expect(contents(parseCif(decodeText(latin)))).toBe('Fe1')
  })

  it('may have a cell without angles, which are taken as 90 degrees with a warning, or 120 where the group is hexagonal', () => {
    const text = cubic(...ATOMS, 'Fe 0 0 0').replace(/_cell_angle.*\n/g, '')
    expect(codes(parseCif(text)).filter((code) => code === 'angle-assumed')).toHaveLength(3)
    const hexagonal = text.replace('loop_', "_symmetry_space_group_name_H-M 'P 63/m m c'\nloop_")
    expect(parametersOf(parseCif(hexagonal).lattice).gamma).toBe(120)
  })

  it('is read from the first block that has atoms and a cell; of several the first, with a warning', () => {
    const global = "data_global\n_journal_name_full 'Acta'\n"
    const powder = 'data_pattern\nloop_\n_pd_meas_2theta_scan\n_pd_meas_counts_total\n10 5\n11 6\n'
    const one = cubic(...ATOMS, 'Fe 0 0 0')
    const other = cubic(...ATOMS, 'Cu 0 0 0').replace('data_case', 'data_other')
    expect(contents(parseCif(`${global}${powder}${one}`))).toBe('Fe1')
    const two = readStructure(`${one}\n${other}`).crystal
    expect([contents(two), codes(two)]).toEqual(['Fe1', ['several-structures', 'no-symmetry']])
  })

  it('of version 2 may hold lists, tables and triple quotes', () => {
    const text = `#\\#CIF_2.0\n${cubic("_a.list ['x' [1 2] ]", '_b.table {"k":"v" "l":[1]}', "_c.text '''two\nlines'''", ...ATOMS, 'Fe 0 0 0')}`
    expect(contents(parseCif(text))).toBe('Fe1')
  })

  it('warns when its volume is not that of its cell', () => {
    expect(
      codes(parseCif(cubic("_space_group_name_H-M_alt 'P 1'", '_cell_volume 80.0(2)', ...ATOMS, 'Fe 0 0 0'))),
    ).toEqual(['volume-differs'])
    expect(
      codes(parseCif(cubic("_space_group_name_H-M_alt 'P 1'", '_cell_volume 64.0(2)', ...ATOMS, 'Fe 0 0 0'))),
    ).toEqual([])
  })

  it('keeps the number of the ICSD entry, and the name of the mineral as title', () => {
    const crystal = parseCif(
      cubic('_database_code_ICSD 31142', "_chemical_name_mineral 'Halite'", ...ATOMS, 'Fe 0 0 0'),
    )
    expect(crystal).toMatchObject({ icsdId: 31142, title: 'Halite' })
  })

  it.each([
    [
      'a cell that cannot exist',
      cubic(...ATOMS, 'Fe 0 0 0')
        .replace('alpha 90', 'alpha 170')
        .replace('beta 90', 'beta 170'),
      42231,
    ],
    ['a cell of length zero', cubic(...ATOMS, 'Fe 0 0 0').replace('length_a 4.0', 'length_a 0'), 42231],
    ['no cell', ['data_x', ...ATOMS, 'Fe 0 0 0'].join('\n'), 42231],
    ['nothing in it', '', 42235],
  ])('is refused with %s', (_, text, code) => {
    expect(() => parseCif(text)).toThrow(expect.objectContaining({ code }))
  })
})

it('leaves a row out that names no atom, with its line', () => {
  const { sites, warnings } = parseCif(cubic(...TYPED, 'Fe1 Fe 0 0 0', '. . . . .'))
  expect(sites.map(({ element }) => element)).toEqual(['Fe'])
  expect(warnings[0]).toMatchObject({ code: 'empty-row', line: expect.any(Number) })
})
