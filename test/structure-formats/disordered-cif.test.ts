import { readdirSync, readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { deriveMaterial } from '../../src/records/kinds/material/derive-material.ts'
import { parseCif } from '../../src/structure/formats/cif/cif.ts'
import { printCif } from '../../src/structure/formats/cif/print.ts'
import { crystalToMaterial } from '../../src/structure/formats/json/material.ts'
import { printStructure, readStructure } from '../../src/structure/formats/read-structure.ts'
import { countAtoms } from '../../src/structure/formula.ts'
import { vectorsVolume } from '../../src/structure/lattice.ts'
import { findSymmetry } from '../../src/structure/symmetry/find-symmetry.ts'

const FOLDER = new URL('../fixtures/disordered/', import.meta.url)
const names = readdirSync(FOLDER).filter((name) => name.endsWith('.cif'))
const textOf = (name: string): string => readFileSync(new URL(name, FOLDER), 'utf8')
const { files } = JSON.parse(textOf('occupancies.json')) as {
  files: Record<string, { occupancies: Record<string, number>; cell: Record<string, number> }>
}

/** What gemmi takes otherwise: atoms near a special position as on it, sums above 1, types and groups that it does not know. */
const OTHERWISE: Readonly<Record<string, string>> = {
  'split-position.cif': 'atoms within 0.4 Å of a special position are on it',
  'sum-a-little-above-one.cif': 'occupancies are taken as they are',
  'pauling-file-type.cif': 'the type is no element',
  'different-labels-one-site.cif': 'the group is not known',
  'zero-occupancy-and-dummy.cif': 'dummies are atoms',
}

test.each(names)('%s has the occupancies and the contents that gemmi reads', (name) => {
  const { crystal } = readStructure(textOf(name), { fileName: name })
  const expected = files[name]
  if (OTHERWISE[name] === undefined) {
    const counts = Object.fromEntries([...countAtoms(crystal.sites)])
    const { D: deuterium, ...elements } = expected?.cell ?? {}
    const all = deuterium === undefined ? elements : { ...elements, H: deuterium }
    for (const [element, count] of Object.entries(all)) expect(counts[element]).toBeCloseTo(count, 2)
    expect(Object.keys(counts).sort()).toEqual(Object.keys(all).sort())
  }
  if (name === 'sum-a-little-above-one.cif' || name === 'pauling-file-type.cif') return
  for (const { label = '', occurrence = 1 } of crystal.sites) {
    expect(occurrence).toBeCloseTo(expected?.occupancies[label] ?? Number.NaN, 3)
  }
})

const codes = (text: string): readonly string[] =>
  parseCif(text).warnings.flatMap(({ code, severity }) => (severity === 'info' ? [] : [code]))

test('nothing that is taken otherwise than it is written goes without a word', () => {
  expect(codes(textOf('zero-occupancy-and-dummy.cif'))).toEqual(['empty-site', 'dummy-left-out'])
  expect(codes(textOf('sum-a-little-above-one.cif'))).toEqual(['shares-scaled'])
  expect(codes(textOf('near-special-position.cif'))).toEqual(['moved-to-special-position'])
  expect(names.filter((name) => codes(textOf(name)).length > 0)).toEqual([
    'near-special-position.cif',
    'sum-a-little-above-one.cif',
    'zero-occupancy-and-dummy.cif',
  ])
})

test.each([
  ['deuterated-ice.cif', 1.037],
  ['perovskite-mixed-a-site.cif', 6.307],
])('the density of %s is what its file states', (name, density) => {
  const { crystal } = readStructure(textOf(name), { fileName: name })
  expect(deriveMaterial(crystalToMaterial(crystal)).density).toBeCloseTo(density, 1)
})

test.each(names)('%s is the same crystal when it has been written and read again', (name) => {
  const { crystal } = readStructure(textOf(name), { fileName: name })
  const again = parseCif(printCif(crystal))
  const bare = ({ label: _label, fraction, ...site }: (typeof crystal.sites)[number]) => ({
    ...site,
    fraction: fraction.map((x) => Math.round(x * 1e9) / 1e9),
  })
  expect(again.sites.map(bare)).toEqual(crystal.sites.map(bare))
})

const head = `data_x\n${['a', 'b', 'c'].map((edge) => `_cell_length_${edge} 4`).join('\n')}\n_cell_angle_alpha 90\n_cell_angle_beta 90\n_cell_angle_gamma 90\n_space_group_name_H-M_alt 'P 1'\nloop_\n_atom_site_label\n_atom_site_type_symbol\n_atom_site_fract_x\n_atom_site_fract_y\n_atom_site_fract_z\n_atom_site_occupancy\n`

test.each([
  [
    'more than one atom',
    'Fe1 Fe 0 0 0 0.8\nNi1 Ni 0 0 0 0.5',
    42229,
    'Line 17: The occupancies of one site add up to 1.3',
  ],
  ['more than a whole one', 'Fe1 Fe 0 0 0 1.5', 42225, 'Line 16: Fe1 has the occupancy 1.5'],
  ['less than nothing', 'Fe1 Fe 0 0 0 -0.5', 42225, 'Line 16: Fe1 has the occupancy -0.5'],
  ['two whole elements', 'Fe1 Fe 0 0 0 1\nNi1 Ni 0 0 0 .', 42229, 'Line 17: Fe1, Ni1 are different elements'],
  ['a type without shares', "M1 'Fe,Ni' 0 0 0 1", 42227, 'Line 16: The site M1 is shared'],
])('a site with %s is refused, with its line', (_what, rows, code, message) => {
  expect(() => parseCif(`${head}${rows}\n`)).toThrow(
    expect.objectContaining({ code, message: expect.stringContaining(message) }),
  )
})

test('a type may name several species with their shares, a charge, an isotope, or nothing', () => {
  const { sites, warnings } = parseCif(
    `${head}M1 '0.56(4)Mg + 0.29(3)Ta' 0 0 0 1\nFe1 Fe3+ 0.5 0 0 1\nD1 D 0 0.5 0 1\nX Va 0 0 0.5 0.4\n`,
  )
  expect(sites).toEqual([
    { element: 'Mg', label: 'M1', fraction: [0, 0, 0], occurrence: 0.56 },
    { element: 'Ta', label: 'M1', fraction: [0, 0, 0], occurrence: 0.29 },
    { element: 'Fe', label: 'Fe1', fraction: [0.5, 0, 0], oxidationState: 3 },
    { element: 'H', label: 'D1', fraction: [0, 0.5, 0], isotope: 2 },
  ])
  expect(warnings.map(({ code }) => code)).toEqual(['no-atom'])
})

test.each(['poscar', 'xyz', 'espresso'])(
  '%s, which lists whole atoms, refuses a disordered crystal and says what would do',
  (format) => {
    const { crystal } = readStructure(textOf('alloy-shared-site.cif'))
    expect(() => printStructure(crystal, format)).toThrow(
      expect.objectContaining({ code: 42236, message: expect.stringMatching(/disordered.*ordered=majority/) }),
    )
  },
)

test.each(names)('%s has the same contents when it has been written with its symmetry', (name) => {
  const { crystal } = readStructure(textOf(name), { fileName: name })
  const text = printCif(crystal, { symmetry: () => findSymmetry(crystal, 0.01) })
  const again = parseCif(text)
  const [cell, whole] = [again, crystal].map((one) => ({
    counts: countAtoms(one.sites),
    volume: vectorsVolume(one.lattice),
  }))
  for (const [element, count] of whole?.counts ?? []) {
    const times = (cell?.volume ?? 0) / (whole?.volume ?? 1)
    expect((cell?.counts.get(element) ?? 0) / times).toBeCloseTo(count, 2)
  }
})

test('species of one site are as many rows of the asymmetric unit', () => {
  const { crystal } = readStructure(textOf('alloy-shared-site.cif'))
  const text = printCif(crystal, { symmetry: () => findSymmetry(crystal, 0.01) })
  expect(text).toMatch(/F m -3 m/)
  expect(text.split('\n').slice(-3)).toEqual(['Cu Cu1 4 a 0 0 0 0.75', 'Au Au1 4 a 0 0 0 0.25', ''])
})
