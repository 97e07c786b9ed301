import { readFileSync } from 'node:fs'
import { describe, expect, test } from 'vitest'
import type { BuildStep, SlabTerms } from '../../src/structure/building/build-step.ts'
import { type BuildTools, buildStructure } from '../../src/structure/building/build-structure.ts'
import { slabOf } from '../../src/structure/building/slab.ts'
import { type Crystal, PERIODIC } from '../../src/structure/crystal.ts'
import type { Matrix3, Vector3 } from '../../src/structure/linear-algebra.ts'
import { findIsometry } from '../../src/structure/matching/isometry.ts'
import { findSymmetry } from '../../src/structure/symmetry/find-symmetry.ts'

interface Written {
  readonly lattice: Matrix3
  readonly species: readonly string[]
  readonly fractions: readonly Vector3[]
}

/** A build and what another program gives for it; lengths in Å. */
interface ReferenceCase {
  readonly kind: string
  readonly crystal: string
  readonly step: BuildStep
  readonly by: string
  readonly built: Written
  readonly thickness?: number
  readonly area?: number
  readonly terminations?: number
}

const { crystals, cases } = JSON.parse(
  readFileSync(new URL('../fixtures/reference/building.json', import.meta.url), 'utf8'),
) as { readonly crystals: Readonly<Record<string, Written>>; readonly cases: readonly ReferenceCase[] }

const crystalOf = ({ lattice, species, fractions }: Written): Crystal => ({
  title: '',
  lattice,
  periodic: PERIODIC,
  sites: fractions.map((fraction, index) => ({ element: species[index] ?? '', fraction })),
  warnings: [],
})
const given = (name: string): Crystal => crystalOf(crystals[name] as Written)
const TOOLS: BuildTools = {
  mostSites: 10_000,
  symmetryOf: (crystal, tolerance = 0.01) => findSymmetry(crystal, tolerance),
}

const of = (...kinds: readonly string[]) =>
  cases
    .filter(({ kind }) => kinds.includes(kind))
    .map((one, index) => [`${index} ${one.crystal} ${JSON.stringify(one.step)}`, one] as const)

/** How far off atoms are where one crystal is laid upon the other; nothing where it cannot be. */
const offOf = (one: Crystal, other: Crystal): number => findIsometry(one, other)?.rms ?? Number.POSITIVE_INFINITY

test('there are 200 cases', () => {
  expect(cases).toHaveLength(200)
})

describe.each([['supercell'], ['standardCell']])('a %s', (kind) => {
  test.each(of(kind))(
    'is the crystal that another program gives, of as many sites: %s',
    (_, { crystal, step, built }) => {
      const made = buildStructure(given(crystal), [step], TOOLS).crystal
      expect(made.sites).toHaveLength(built.species.length)
      expect(offOf(made, crystalOf(built))).toBeLessThan(1e-3)
    },
  )
})

test.each(of('substitution', 'vacancy', 'strain'))(
  'sites and lattice are those that another program gives: %s',
  (_, { crystal, step, built }) => {
    const made = buildStructure(given(crystal), [step], TOOLS).crystal
    expect(made.sites.map(({ element }) => element)).toEqual(built.species)
    for (const [row, vector] of made.lattice.entries()) {
      for (const [axis, value] of vector.entries()) expect(value).toBeCloseTo(built.lattice[row]?.[axis] ?? 0, 6)
    }
    for (const [index, { fraction }] of made.sites.entries()) {
      for (const [axis, value] of fraction.entries()) expect(value).toBeCloseTo(built.fractions[index]?.[axis] ?? 0, 6)
    }
  },
)

describe('a slab', () => {
  const slabs = of('slab').map(([name, one]) => [name, one, (one.step as { readonly slab: SlabTerms }).slab] as const)

  test.each(slabs.filter(([, { by }]) => by === 'ase'))(
    'is that of ASE: %s',
    (_, { crystal, built, thickness, area }, terms) => {
      const { crystal: slab, report } = slabOf(given(crystal), terms, TOOLS.mostSites)
      expect(slab.sites).toHaveLength(built.species.length)
      expect(Math.abs(report.thickness - (thickness ?? 0))).toBeLessThan(1e-6)
      expect(Math.abs(slab.lattice[2][2] - report.thickness - terms.vacuum)).toBeLessThan(1e-6)
      expect(Math.abs(report.area - (area ?? 0))).toBeLessThan(1e-6)
      expect(offOf(slab, crystalOf(built))).toBeLessThan(1e-3)
    },
  )

  test.each(slabs.filter(([, { by }]) => by === 'pymatgen'))(
    'has the terminations of pymatgen, and one of them is its: %s',
    (_, { crystal, built, thickness, area, terminations }, terms) => {
      const first = slabOf(given(crystal), { ...terms, termination: 0 }, TOOLS.mostSites).report
      expect(first.terminations).toHaveLength(terminations ?? 0)
      const same = first.terminations
        .map(({ termination }) => slabOf(given(crystal), { ...terms, termination }, TOOLS.mostSites))
        .filter(({ crystal: slab }) => offOf(slab, crystalOf(built)) < 1e-3)
      expect(same).toHaveLength(1)
      const [made] = same
      expect(made?.crystal.sites).toHaveLength(built.species.length)
      expect(Math.abs((made?.report.thickness ?? 0) - (thickness ?? 0))).toBeLessThan(1e-6)
      expect(Math.abs((made?.report.area ?? 0) - (area ?? 0))).toBeLessThan(1e-6)
    },
  )
})
