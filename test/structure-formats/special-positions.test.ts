import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import type { Crystal } from '../../src/structure/crystal.ts'
import { parseCif } from '../../src/structure/formats/cif/cif.ts'
import { countAtoms } from '../../src/structure/formula.ts'
import { findSymmetry } from '../../src/structure/symmetry/find-symmetry.ts'

const EDGE = 10

/** One oxygen in a cell of 10 Å, with as many whole atoms on a general position as hold the group. */
function cif(symbol: string, oxygen: string): Crystal {
  const gamma = symbol.startsWith('P 3') || symbol.startsWith('P 6') ? 120 : 90
  return parseCif(
    [
      'data_x',
      ...['a', 'b', 'c'].map((edge) => `_cell_length_${edge} ${EDGE}`),
      `_cell_angle_alpha 90\n_cell_angle_beta 90\n_cell_angle_gamma ${gamma}`,
      `_space_group_name_H-M_alt '${symbol}'`,
      'loop_',
      ...['label', 'type_symbol', 'fract_x', 'fract_y', 'fract_z', 'occupancy', 'disorder_group'].map(
        (tag) => `_atom_site_${tag}`,
      ),
      oxygen,
      'N1 N 0.21 0.13 0.37 1 .',
      '',
    ].join('\n'),
  )
}

const codes = (crystal: Crystal): readonly string[] => crystal.warnings.map(({ code }) => code)
const oxygens = (crystal: Crystal) => crystal.sites.filter(({ element }) => element === 'O')

/** Places a distance beside a special position, in fractions of the edge, and how many atoms gemmi 0.5.7 (`get_all_unit_cell_sites`) makes of each. */
const BESIDE: readonly (readonly [string, (distance: number) => readonly number[], number])[] = [
  ['P m m m', (d) => [d, 0.2, 0.3], 4],
  ['P 4', (d) => [d, 0, 0.3], 1],
  ['P 3', (d) => [1 / 3 + d, 2 / 3, 0.3], 1],
  ['P 6', (d) => [d, 0, 0.3], 1],
  ['P m -3 m', (d) => [d / Math.sqrt(3), d / Math.sqrt(3), d / Math.sqrt(3)], 1],
  ['P -1', (d) => [0.5 + d, 0, 0], 1],
]

test.each(BESIDE)(
  'a whole atom beside a special position of %s is as many atoms as gemmi makes, on it',
  (symbol, at, count) => {
    const [exact] = oxygens(cif(symbol, `O1 O ${at(0).join(' ')} 1 .`))
    for (const distance of [0.01, 0.03, 0.08, 0.14, 0.18, 0.19]) {
      const crystal = cif(
        symbol,
        `O1 O ${at(distance / EDGE)
          .map((x) => x.toFixed(7))
          .join(' ')} 1 .`,
      )
      const found = oxygens(crystal)
      expect(found).toHaveLength(count)
      expect(codes(crystal)).toEqual(['moved-to-special-position'])
      expect(crystal.warnings[0]?.message).toContain(`O1 by ${distance.toFixed(3)} Å to`)
      const off =
        found[0]?.fraction.map((x, axis) => x - (exact?.fraction[axis] ?? 0)).map((x) => x - Math.round(x)) ?? []
      for (const x of off) expect(Math.abs(x)).toBeLessThan(1e-6)
    }
  },
)

test.each(BESIDE)(
  'a whole atom 0.24 Å beside a special position of %s is neither one atom nor several',
  (symbol, at) => {
    expect(() =>
      cif(
        symbol,
        `O1 O ${at(0.024)
          .map((x) => x.toFixed(7))
          .join(' ')} 1 .`,
      ),
    ).toThrow(expect.objectContaining({ code: 42229 }))
  },
)

test('the space group is the declared one where coordinates are a little off', () => {
  const text = readFileSync(new URL('../fixtures/disordered/near-special-position.cif', import.meta.url), 'utf8')
  const crystal = parseCif(text)
  expect(crystal.declaredGroup).toBe(147)
  expect(findSymmetry(crystal, 0.01)).toMatchObject({ number: 147 })
  expect(countAtoms(crystal.sites).get('O')).toBeCloseTo(2 / 3, 3)
  expect(crystal.warnings[0]?.message).toMatch(/O1 by 0\.019 Å to 0, 0, 0\.3\.$/)
})

test.each([
  ['0.1666 0.3333 0.3', 'P 6/m m m'],
  ['0.333 0.666 0.2', 'P 6/m m m'],
])('few digits (%s) do not lower the symmetry of %s', (place, symbol) => {
  expect(findSymmetry(cif(symbol, `O1 O ${place} 1 .`), 0.01)).toMatchObject({ number: 191 })
})

test.each([
  ['shares that make one atom, apart', '0.015 0.3 0 0.5 .', 2],
  ['shares that make one atom, nearer than can be told apart', '0.003 0.3 0 0.5 .', 1],
  ['shares that make more than one atom', '0.015 0.3 0 0.6 .', 1],
  ['shares of a group that make more than one atom', '0.015 0.3 0 0.6 1', 1],
  ['a group about the position', '0.003 0.3 0 0.5 -1', 2],
  ['a group about the position that would be crowded', '0.015 0.3 0 0.6 -1', 2],
])('%s: %s is so many places on each axis', (_what, rest, count) => {
  const crystal = cif('P 2', `O1 O ${rest}`)
  expect(oxygens(crystal)).toHaveLength(count)
  expect(codes(crystal).includes('moved-to-special-position')).toBe(count === 1)
})

test('an atom beside a mirror and not far from an axis is on the mirror, and split about the axis', () => {
  const crystal = cif('P m m 2', 'O1 O 0.003 0.015 0.3 0.5 .')
  expect(oxygens(crystal).map(({ fraction }) => fraction.map((x) => Number(x.toFixed(6)) % 1))).toEqual([
    [0, 0.015, 0.3],
    [0, 0.985, 0.3],
  ])
})

test('less than two thousandths of an ångström is left as it is written, without a word', () => {
  const crystal = cif('P 4', 'O1 O 0.0001 0 0.3 1 .')
  expect(oxygens(crystal).map(({ fraction }) => fraction)).toEqual([[0.0001, 0, 0.3]])
  expect(codes(crystal)).toEqual([])
})
