import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { convertStructure } from '../../src/records/kinds/material/structure-files.ts'
import { orderedApproximant } from '../../src/structure/chemistry/ordered-approximant.ts'
import type { Crystal } from '../../src/structure/crystal.ts'
import { readStructure } from '../../src/structure/formats/read-structure.ts'
import { countAtoms } from '../../src/structure/formula.ts'

const textOf = (name: string): string =>
  readFileSync(new URL(`../fixtures/disordered/${name}.cif`, import.meta.url), 'utf8')
const crystalOf = (name: string): Crystal => readStructure(textOf(name)).crystal
const countsOf = (crystal: Crystal) => Object.fromEntries(countAtoms(crystal.sites))

test.each([
  ['alloy-shared-site', { Cu: 4 }],
  ['perovskite-mixed-a-site', { La: 1, Mn: 1, O: 3 }],
  // One of two positions, and of two orientations.
  ['split-position', { Pb: 1, Ti: 1, O: 3 }],
  ['methyl-two-orientations', { C: 8, H: 16, O: 4 }],
  ['part-groups-unequal', { Cl: 4, N: 4, O: 16 }],
  // Sites that are empty more often than not.
  ['partly-filled-water', { Cu: 1, S: 2, O: 4 }],
  ['wuestite-vacancies', { Fe: 4, O: 4 }],
])('the majority of %s is %j', (name, counts) => {
  const ordered = orderedApproximant(crystalOf(name), { how: 'majority' })
  expect(countsOf(ordered)).toEqual(counts)
  expect(ordered.sites.some((site) => 'occurrence' in site || 'disorder' in site)).toBe(false)
})

test.each([
  ['alloy-shared-site', 108, { Cu: 81, Au: 27 }],
  ['perovskite-mixed-a-site', 60, { La: 8, Sr: 4, Mn: 12, O: 36 }],
  ['cobaltate-thirds', 90, { Co: 24, Na: 16, O: 48 }],
])('a supercell of %s has the shares as counts, the same for the same seed', (name, maxAtoms, counts) => {
  const crystal = crystalOf(name)
  const [one, again, other] = [1, 1, 2].map((seed) =>
    orderedApproximant(crystal, { how: 'supercell', maxAtoms, seed }),
  ) as [Crystal, Crystal, Crystal]
  expect(countsOf(one)).toEqual(counts)
  expect(again).toEqual(one)
  expect(other.sites).not.toEqual(one.sites)
})

test('a supercell has one species after the other, so that a POSCAR has a block of each', () => {
  const terms = { how: 'supercell', maxAtoms: 60, seed: 3 } as const
  const { sites } = orderedApproximant(crystalOf('perovskite-mixed-a-site'), terms)
  const elements = sites.map(({ element }) => element)
  expect(elements.filter((element, index) => element !== elements[index - 1])).toEqual(['La', 'Sr', 'Mn', 'O'])
  const poscar = convertStructure(
    { text: textOf('perovskite-mixed-a-site') },
    { format: 'poscar', ordered: terms },
    undefined,
  )
  expect(
    'content' in poscar &&
      poscar.content
        .split('\n')
        .slice(5, 7)
        .map((row) => row.trim().split(/\s+/).length),
  ).toEqual([4, 4])
})

test('a file of whole atoms says that it is an approximant, and which', () => {
  const file = { text: textOf('alloy-shared-site') }
  const told = ['poscar', 'xyz', 'espresso', 'cif'].map((format) => {
    const ordered = { how: 'supercell', maxAtoms: 32, seed: 7 } as const
    const converted = convertStructure(file, { format, ordered }, undefined)
    return 'content' in converted && /ordered approximant: supercell 2x2x2, seed 7\)/.test(converted.content)
  })
  expect(told).toEqual([true, true, true, true])
})

test('of the images of an atom that are too near to each other one is taken', () => {
  const crystal = crystalOf('alloy-shared-site')
  const inGroup = (group: string, occurrence: number) => ({ occurrence, disorder: { assembly: 'A', group } })
  const sites = [
    { element: 'O', fraction: [0.5, 0.5, 0.5], ...inGroup('1', 0.6) },
    { element: 'O', fraction: [0.52, 0.5, 0.5], ...inGroup('1', 0.6) },
    { element: 'N', fraction: [0.1, 0.1, 0.1], ...inGroup('2', 0.4) },
  ] as const
  const ordered = orderedApproximant({ ...crystal, sites }, { how: 'majority' })
  expect(ordered.sites).toEqual([{ element: 'O', fraction: [0.5, 0.5, 0.5] }])
})

test('a supercell that would have too many atoms is refused', () => {
  const terms = { how: 'supercell', maxAtoms: 3, seed: 0 } as const
  expect(() => orderedApproximant(crystalOf('alloy-shared-site'), terms)).toThrow(/maxAtoms/)
})

test('what the majority leaves out is told: a molecule whose images about a special position have an eighth each', () => {
  const { title, warnings, sites } = orderedApproximant(crystalOf('negative-group'), { how: 'majority' })
  expect(sites.map(({ element }) => element)).toEqual(['Ag'])
  expect(title).toMatch(/the most frequent species of each site, Ag for AgCO\)$/)
  expect(warnings.map(({ message }) => message).join()).toContain('Ag for AgCO')
})
