import { describe, expect, test } from 'vitest'
import { AppError } from '../../src/kernel/errors.ts'
import type { BuildStep, SlabTerms } from '../../src/structure/building/build-step.ts'
import { type BuildTools, buildStructure } from '../../src/structure/building/build-structure.ts'
import { growthOf } from '../../src/structure/building/step-growth.ts'
import { type Crystal, type CrystalSite, PERIODIC } from '../../src/structure/crystal.ts'
import { FORMAT_ERRORS } from '../../src/structure/errors.ts'
import { findIsometry } from '../../src/structure/matching/isometry.ts'
import { findSymmetry } from '../../src/structure/symmetry/find-symmetry.ts'

const TOOLS: BuildTools = {
  mostSites: 1000,
  symmetryOf: (crystal, tolerance = 0.01) => findSymmetry(crystal, tolerance),
}

function cubic(a: number, ...sites: readonly CrystalSite[]): Crystal {
  const lattice: Crystal['lattice'] = [
    [a, 0, 0],
    [0, a, 0],
    [0, 0, a],
  ]
  return { title: 'cell', lattice, periodic: PERIODIC, sites, warnings: [] }
}

const CSCL = cubic(4.12, { element: 'Cs', fraction: [0, 0, 0] }, { element: 'Cl', fraction: [0.5, 0.5, 0.5] })
const SLAB: SlabTerms = { miller: [0, 0, 1], layers: 2, vacuum: 10, termination: 0, centred: true }
const build = (crystal: Crystal, ...steps: readonly BuildStep[]) => buildStructure(crystal, steps, TOOLS)

function refusalOf(crystal: Crystal, ...steps: readonly BuildStep[]) {
  try {
    build(crystal, ...steps)
  } catch (error) {
    if (error instanceof AppError) return { code: error.code, path: error.data.path, message: error.message }
    throw error
  }
  throw new Error('nothing was refused')
}

test('steps follow each other: a slab, a larger one, with a vacancy and a dopant', () => {
  const { crystal, steps } = build(
    CSCL,
    { slab: SLAB },
    { supercell: { size: [2, 2, 1] } },
    { vacancy: { sites: [0] } },
    { substitution: { sites: [0], with: 'Rb' } },
  )
  expect(steps.map(({ step, sites }) => [step, sites])).toEqual([
    ['slab', 4],
    ['supercell', 16],
    ['vacancy', 15],
    ['substitution', 15],
  ])
  expect(crystal.periodic).toEqual([true, true, false])
  expect(crystal.sites.map(({ element }) => element).join('')).toBe(`Rb${'Cs'.repeat(6)}${'Cl'.repeat(8)}`)
})

describe('a slab', () => {
  test('has its vacuum on both sides, or above it', () => {
    const heights = (centred: boolean) => {
      const { crystal } = build(CSCL, { slab: { ...SLAB, centred } })
      return crystal.sites
        .map(({ fraction }) => Number((fraction[2] * crystal.lattice[2][2]).toFixed(6)))
        .sort((a, b) => a - b)
    }
    expect(heights(true)).toEqual([5, 7.06, 9.12, 11.18])
    expect(heights(false)).toEqual([0, 2.06, 4.12, 6.18])
  })

  test('of so many Å has as few repeats as are as thick', () => {
    const repeats = (thickness: number) => {
      const { layers: _, ...terms } = SLAB
      const [report] = build(CSCL, { slab: { ...terms, thickness } }).steps
      return [report?.layers, Number(report?.thickness?.toFixed(6))]
    }
    expect([repeats(1), repeats(2.06), repeats(2.07), repeats(6.18), repeats(6.3)]).toEqual([
      [1, 2.06],
      [1, 2.06],
      [2, 6.18],
      [2, 6.18],
      [3, 10.3],
    ])
  })

  test('tells its distinct terminations, and how often each comes', () => {
    const perovskite = cubic(
      3.905,
      { element: 'Sr', fraction: [0, 0, 0] },
      { element: 'Ti', fraction: [0.5, 0.5, 0.5] },
      { element: 'O', fraction: [0.5, 0.5, 0] },
      { element: 'O', fraction: [0.5, 0, 0.5] },
      { element: 'O', fraction: [0, 0.5, 0.5] },
    )
    const reportOf = (crystal: Crystal, miller: SlabTerms['miller']) =>
      build(crystal, { slab: { ...SLAB, miller } }).steps[0]?.terminations
    // A slab of whole repeats has SrO on one side and TiO2 on the other: turned over it is the same.
    expect(reportOf(perovskite, [0, 0, 1])).toEqual([{ termination: 0, bottom: 'SrO', top: 'TiO2', cuts: 2 }])
    const polar = cubic(5.6, ...CSCL.sites, { element: 'O', fraction: [0, 0.1, 0.3] })
    expect(reportOf(polar, [0, 0, 1])).toHaveLength(3)
  })

  test('turns moments with its atoms, and frees what is fixed in some directions', () => {
    const site: CrystalSite = { element: 'Fe', fraction: [0, 0, 0], moment: [2, 0, 0], movable: [true, false, true] }
    const { crystal } = build(cubic(2.87, site), { slab: { ...SLAB, miller: [1, 0, 0], layers: 1 } })
    expect(crystal.sites[0]?.moment?.map((x) => Number(x.toFixed(9)) + 0)).toEqual([0, 0, 2])
    expect(crystal.sites[0]).not.toHaveProperty('movable')
    expect(crystal.warnings.map(({ code }) => code)).toEqual(['constraints-dropped'])
  })
})

test('a primitive cell of a supercell is the crystal', () => {
  const { crystal, steps } = build(
    CSCL,
    {
      supercell: {
        matrix: [
          [1, 1, 0],
          [-1, 1, 0],
          [0, 0, 2],
        ],
      },
    },
    { standardCell: { cell: 'primitive' } },
  )
  expect(steps.map(({ sites }) => sites)).toEqual([8, 2])
  expect(findIsometry(crystal, CSCL)?.rms).toBeLessThan(1e-6)
})

test('a standard cell says what it leaves out', () => {
  const site: CrystalSite = { element: 'Fe', fraction: [0, 0, 0], moment: [0, 0, 2] }
  const { warnings } = build(cubic(2.87, site), { standardCell: { cell: 'conventional' } }).crystal
  expect(warnings).toEqual([
    { code: 'left-out', message: 'The conventional cell has the atoms alone. Left out: magnetic moments (1).' },
  ])
})

describe('a substitution', () => {
  test('lets elements change places, and takes charge and moment away', () => {
    const charged = { ...CSCL, sites: CSCL.sites.map((site) => ({ ...site, oxidationState: 1 })) }
    const { crystal } = build(charged, { substitution: { elements: { Cs: 'Cl', Cl: 'Cs' } } })
    expect(crystal.sites).toEqual([
      { element: 'Cl', fraction: [0, 0, 0] },
      { element: 'Cs', fraction: [0.5, 0.5, 0.5] },
    ])
  })

  test('adds up shares of one element on one site', () => {
    const alloy = cubic(
      3.6,
      { element: 'Cu', fraction: [0, 0, 0], occurrence: 0.75 },
      { element: 'Au', fraction: [0, 0, 0], occurrence: 0.25 },
    )
    expect(build(alloy, { substitution: { elements: { Au: 'Cu' } } }).crystal.sites).toEqual([
      { element: 'Cu', fraction: [0, 0, 0] },
    ])
    const ordered = build(alloy, { ordered: { how: 'supercell', maxAtoms: 4, seed: 1 } }).crystal
    expect(ordered.sites.map(({ element }) => element)).toEqual(['Cu', 'Cu', 'Cu', 'Au'])
  })
})

const MIRRORED: SlabTerms['miller'] = [2, 2, 0]

test.each<[string, readonly BuildStep[], string, string]>([
  [
    'two rows exchanged',
    [
      {
        supercell: {
          matrix: [
            [0, 1, 0],
            [1, 0, 0],
            [0, 0, 1],
          ],
        },
      },
    ],
    'steps[0].supercell.matrix',
    'Exchange two rows',
  ],
  [
    'rows in one plane',
    [
      {
        supercell: {
          matrix: [
            [1, 0, 0],
            [2, 0, 0],
            [0, 0, 1],
          ],
        },
      },
    ],
    'steps[0].supercell.matrix',
    'three rows that span space',
  ],
  [
    'repeats of a slab upwards',
    [{ slab: SLAB }, { supercell: { size: [1, 1, 2] } }],
    'steps[1].supercell',
    'Write 1 for c',
  ],
  ['a slab of a slab', [{ slab: SLAB }, { slab: SLAB }], 'steps[1].slab', 'repeats along a and b only'],
  ['indices with a divisor', [{ slab: { ...SLAB, miller: MIRRORED } }], 'steps[0].slab.miller', 'Write 1 1 0'],
  ['no plane', [{ slab: { ...SLAB, miller: [0, 0, 0] } }], 'steps[0].slab.miller', 'Write the Miller indices'],
  [
    'a termination that there is not',
    [{ slab: { ...SLAB, termination: 7 } }],
    'steps[0].slab.termination',
    'Write one of 0 (Cs below, Cl above)',
  ],
  ['a site that is not there', [{ vacancy: { sites: [2] } }], 'steps[0].vacancy.sites', 'here to 1'],
  ['a site twice', [{ vacancy: { sites: [1, 1] } }], 'steps[0].vacancy.sites', 'each site once'],
  ['all sites', [{ vacancy: { sites: [0, 1] } }], 'steps[0].vacancy.sites', 'one site at least'],
  [
    'an element that is not there',
    [{ substitution: { elements: { Na: 'K' } } }],
    'steps[0].substitution.elements',
    'Name one of Cs, Cl',
  ],
  ['what is no element', [{ substitution: { sites: [0], with: 'Xx' } }], 'steps[0].substitution', 'Write its symbol'],
  ['a crystal in order', [{ ordered: { how: 'majority' } }], 'steps[0].ordered', 'Leave the step out'],
  [
    'a mirror image',
    [
      {
        strain: {
          deformation: [
            [-1, 0, 0],
            [0, 1, 0],
            [0, 0, 1],
          ],
        },
      },
    ],
    'steps[0].strain',
    'parts of 1',
  ],
])('%s is refused, with what to write instead', (_, steps, path, hint) => {
  const refused = refusalOf(CSCL, ...steps)
  expect([refused.code, refused.path]).toEqual([FORMAT_ERRORS.notBuildable.code, path])
  expect(refused.message).toContain(hint)
})

test.each<[string, BuildStep]>([
  ['a supercell', { supercell: { size: [9, 9, 9] } }],
  ['a slab', { slab: { ...SLAB, layers: 501 } }],
])('%s of more sites than a material may have is refused before it is made', (_, step) => {
  expect(refusalOf(CSCL, step)).toMatchObject({ code: FORMAT_ERRORS.tooManyAtoms.code })
})

test('a build is counted by how much larger it is than what it is given', () => {
  expect([
    growthOf([{ supercell: { size: [2, 3, 4] } }, { vacancy: { sites: [0] } }]),
    growthOf([
      { slab: SLAB },
      {
        supercell: {
          matrix: [
            [1, 1, 0],
            [-1, 1, 0],
            [0, 0, 1],
          ],
        },
      },
    ]),
    growthOf([{ supercell: { size: [100, 100, 100] } }]),
    growthOf([{ strain: { percent: 1 } }]),
  ]).toEqual([24, 8, 10_000, 1])
})

test('shares of a slab are not made counts of a cell that is repeated across its vacuum', () => {
  const steps: readonly BuildStep[] = [{ slab: SLAB }, { ordered: { how: 'supercell', maxAtoms: 100, seed: 0 } }]
  expect(refusalOf(CSCL, ...steps).message).toContain(
    'repeats along a and b only, so there is no ordered supercell of it',
  )
})

test('a standard cell of a slab is refused with the reason', () => {
  const refused = refusalOf(CSCL, { slab: SLAB }, { standardCell: { cell: 'primitive' } })
  expect([refused.code, refused.message]).toEqual([
    FORMAT_ERRORS.noSymmetry.code,
    'Step 2: The primitive cell follows from the symmetry, which was not computed: the structure does not repeat in all three directions.',
  ])
})
