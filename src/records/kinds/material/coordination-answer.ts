import type { Json, JsonObject } from '../../../kernel/json.ts'
import { mayBeDisordered } from '../../../structure/chemistry/disorder.ts'
import { type Coordination, coordinationOf } from '../../../structure/coordination/coordination.ts'
import { orbitsOf } from '../../../structure/symmetry/orbits.ts'
import type { SymmetryFinder, SymmetryReport } from '../../../structure/symmetry/symmetry-report.ts'
import { decimals, spaceGroupOf, symmetryOf } from './crystal-answers.ts'
import type { StructureFile } from './structure-files.ts'

/** Coordination numbers and bonds of a structure, by orbit where its symmetry is known; nothing is stored. */
export function coordinationAnswer(file: StructureFile, finder: SymmetryFinder | undefined): JsonObject {
  const { crystal, symmetry, name } = symmetryOf(file, finder)
  const equivalentTo = symmetry?.status === 'computed' ? symmetry.equivalentTo : crystal.sites.map((_, site) => site)
  const positions = positionsOf(symmetry)
  const elementOf = (site: number): string => crystal.sites[site]?.element ?? ''
  return {
    name,
    spaceGroup: spaceGroupOf(symmetry),
    method: 'CrystalNN, N. E. R. Zimmermann and A. Jain, RSC Adv. 10, 6063 (2020)',
    units: { length: 'angstrom' },
    ofMostFrequent: mayBeDisordered(crystal.sites),
    sites: coordinationOf(crystal, equivalentTo).map((one) => ({
      element: one.element,
      sites: one.sites as Json,
      wyckoffPosition: positions.get(one.sites[0] ?? -1) ?? null,
      coordinationNumber: one.bonded.length,
      likelihood: decimals(one.likelihood, 3),
      bondLengths: lengthsOf(one.bonded),
      neighbours: neighboursOf(one, elementOf),
      bonds: one.bonded.map(({ site, image, distance }) => ({
        site,
        element: elementOf(site),
        image: image.map((n) => n + 0),
        length: decimals(distance, 4),
      })),
    })),
  }
}

/** `8c`, by the first site of each orbit. */
function positionsOf(symmetry: SymmetryReport | undefined): ReadonlyMap<number, string> {
  if (symmetry?.status !== 'computed') return new Map()
  return new Map(
    orbitsOf(symmetry).map(({ sites, multiplicity, wyckoffLetter }) => [
      sites[0] ?? -1,
      `${multiplicity}${wyckoffLetter}`,
    ]),
  )
}

function neighboursOf({ bonded }: Coordination, elementOf: (site: number) => string): Json {
  const byElement = new Map<string, Coordination['bonded']>()
  for (const one of bonded) {
    const element = elementOf(one.site)
    byElement.set(element, [...(byElement.get(element) ?? []), one])
  }
  return [...byElement].map(([element, some]) => ({ element, count: some.length, bondLengths: lengthsOf(some) }))
}

/** In Å; null without a bond. */
function lengthsOf(bonded: Coordination['bonded']): Json {
  if (bonded.length === 0) return null
  const lengths = bonded.map(({ distance }) => distance)
  const mean = lengths.reduce((sum, length) => sum + length, 0) / lengths.length
  return { min: decimals(Math.min(...lengths), 4), mean: decimals(mean, 4), max: decimals(Math.max(...lengths), 4) }
}
