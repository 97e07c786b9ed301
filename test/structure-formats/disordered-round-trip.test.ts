import fc from 'fast-check'
import { expect, test } from 'vitest'
import type { Crystal, CrystalSite } from '../../src/structure/crystal.ts'
import { printStructure, readStructure } from '../../src/structure/formats/read-structure.ts'
import type { Vector3 } from '../../src/structure/linear-algebra.ts'

const PLACES: readonly Vector3[] = [0, 1, 2, 3, 4, 5].map((index) => [index / 8, (index % 2) / 2, (index % 3) / 4])
const SHARES = [0.25, 0.3333, 0.5, 0.123, 0.05]

const anySpecies = fc.record(
  {
    element: fc.constantFrom('Fe', 'Co', 'Mn', 'H', 'O'),
    occurrence: fc.constantFrom(...SHARES),
    oxidationState: fc.constantFrom(2, 3, -2),
    isotope: fc.constantFrom(2, 57),
  },
  { requiredKeys: ['element', 'occurrence'] },
)

/** One to three species on a site: of their own elements, with shares that fit on it. */
const anySite = fc
  .record({
    species: fc.uniqueArray(anySpecies, { minLength: 1, maxLength: 3, selector: ({ element }) => element }),
    isWhole: fc.boolean(),
    disorder: fc.option(fc.record({ assembly: fc.constantFrom('A', 'B'), group: fc.constantFrom('1', '2') }), {
      nil: undefined,
    }),
    moment: fc.option(fc.constantFrom<Vector3>([0, 0, 2.5], [1.5, -0.5, 0]), { nil: undefined }),
  })
  .filter(({ species }) => species.reduce((sum, { occurrence }) => sum + occurrence, 0) <= 1)

const anyDisordered: fc.Arbitrary<Crystal> = fc
  .array(anySite, { minLength: 1, maxLength: PLACES.length })
  .map((places) => ({
    title: 'disordered',
    lattice: [
      [6, 0, 0],
      [0, 7, 0],
      [0, 0, 8],
    ],
    periodic: [true, true, true],
    warnings: [],
    sites: places.flatMap(({ species, isWhole, disorder, moment }, index) =>
      (isWhole ? species.slice(0, 1) : species).map(
        ({ occurrence, isotope, ...one }): CrystalSite => ({
          ...one,
          fraction: PLACES[index] as Vector3,
          ...(isWhole ? {} : { occurrence }),
          // An isotope is one of its element.
          ...(isotope === undefined ||
          (one.element === 'H') !== (isotope === 2) ||
          (isotope === 57 && one.element !== 'Fe')
            ? {}
            : { isotope }),
          ...(disorder === undefined ? {} : { disorder }),
          ...(moment === undefined ? {} : { moment }),
        }),
      ),
    ),
  }))

function essence({ sites }: Crystal, hasMoments: boolean): readonly string[] {
  return sites
    .map(({ element, fraction, occurrence = 1, oxidationState, isotope, disorder, moment }) =>
      JSON.stringify([
        element,
        fraction.map((x) => Math.round(x * 1e6) / 1e6),
        Math.round(occurrence * 1e3) / 1e3,
        oxidationState,
        isotope,
        disorder?.assembly,
        disorder?.group,
        hasMoments ? moment?.map((x) => Math.round(x * 1e4) / 1e4 + 0) : undefined,
      ]),
    )
    .sort()
}

test.each([
  ['cif', true],
  ['pymatgen', true],
  ['ase', true],
  ['optimade', true],
  ['material', true],
])('%s gives back every disordered crystal that it has written', (name, hasMoments) => {
  fc.assert(
    fc.property(anyDisordered, (crystal) => {
      const { crystal: again } = readStructure(printStructure(crystal, name), { format: name })
      expect(essence(again, hasMoments)).toEqual(essence(crystal, hasMoments))
    }),
    { numRuns: 100 },
  )
})
