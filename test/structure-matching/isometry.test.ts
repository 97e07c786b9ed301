import { readdirSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { vectorText } from '../../src/kernel/bytes.ts'
import { determinant, mapVector } from '../../src/structure/linear-algebra.ts'
import {
  FINGERPRINT_STEP,
  fingerprintDistance,
  fingerprintOf as fingerprintIfAny,
  fingerprintMayDiffer,
  mayBeNear,
  NEAR,
  type Nearness,
  pairDistances,
  SAME,
  volumeMayDiffer,
} from '../../src/structure/matching/fingerprint.ts'
import { findIsometry } from '../../src/structure/matching/isometry.ts'
import { type Cell, CUBIC_CRYSTALS, supercellOf, withNoise } from '../structure-symmetry/support/supercells.ts'
import { triesOf } from '../support/study.ts'
import {
  copyOf,
  displaced,
  inCell,
  mirrored,
  type Random,
  randomOf,
  sample,
  shifted,
  shuffled,
  strained,
  turned,
} from './support/copies.ts'
import { layered } from './support/layers.ts'
import { BCC, crystalOf, FCC, isSameOrdering, randomOrdering } from './support/orderings.ts'

const SAMPLES = readdirSync(new URL('../../samples/materials', import.meta.url)).map((file) => file.slice(0, -5))

function fingerprintOf(crystal: Cell): Uint16Array {
  return fingerprintIfAny(crystal) ?? expect.fail('the crystal has no fingerprint')
}

/** What fingerprints of one crystal differ by at the most, a little noise included. */
const ALIKE_SCALED = 0.005

/** But for rounding. */
const EXACTLY: Nearness = { largest: 5e-4, strain: 0 }

function areAlike(one: Cell, other: Cell, within = SAME): boolean {
  return mayBeNear(pairDistances(one), pairDistances(other), within)
}

const volumeOf = ({ lattice, sites }: Cell): number => Math.abs(determinant(lattice)) / sites.length

/** Whether one is found from the other, with all that leaves candidates out. */
function isFound(one: Cell, other: Cell, within: Nearness): boolean {
  const volume = volumeOf(one)
  const fingerprint = fingerprintOf(one)
  const steps = fingerprintDistance(fingerprint, fingerprintOf(other)) / FINGERPRINT_STEP
  return (
    Math.abs(volumeOf(other) - volume) <= volumeMayDiffer(within) * volume &&
    steps <= fingerprintMayDiffer(fingerprint, Math.cbrt(volume), within) &&
    areAlike(one, other, within) &&
    findIsometry(one, other, within) !== null
  )
}

describe('a copy of a crystal', () => {
  it.each([
    { supercell: 1, noise: 0 },
    { supercell: 2, noise: 0 },
    { supercell: 3, noise: 0 },
    { supercell: 1, noise: 1e-3 },
    { supercell: 2, noise: 1e-3 },
  ])('is found in every sample, with $supercell cells and noise of $noise Å', (terms) => {
    const random = randomOf(1)
    const missed = SAMPLES.filter((name) => {
      const crystal = sample(name)
      const copy = copyOf(crystal, random, terms)
      const isAlike = areAlike(crystal, copy)
      const isNear = fingerprintDistance(fingerprintOf(crystal), fingerprintOf(copy)) < ALIKE_SCALED
      const found = findIsometry(crystal, copy)
      return !(isAlike && isNear && found?.handedness === 'same' && found.rms <= 2 * terms.noise + 1e-4)
    })
    expect(missed).toEqual([])
  })

  it('has the very fingerprint, whatever its cell, origin, orientation and order', () => {
    const random = randomOf(2)
    const crystal = sample('sio2-quartz')
    const text = vectorText(fingerprintOf(crystal))
    const copies = [
      shifted(crystal, [0.1, 0.7, 0.3]),
      inCell(crystal, [
        [1, 0, 0],
        [2, 1, 0],
        [0, -1, 1],
      ]),
      supercellOf(crystal, 2),
      turned(crystal, random),
      shuffled(crystal, random),
    ]
    for (const copy of copies) {
      expect(fingerprintDistance(fingerprintOf(copy), fingerprintOf(crystal))).toBeLessThanOrEqual(1.01e-4)
    }
    expect(text).toHaveLength(64)
  })

  it('says how far its atoms are from where they were', () => {
    const crystal = supercellOf(CUBIC_CRYSTALS.silicon.cell, 2)
    const [moved, ...others] = crystal.sites
    if (moved === undefined) throw new Error('silicon has atoms')
    // 0.05 Å of 10.862.
    const off = {
      ...moved,
      fraction: [moved.fraction[0] + 0.05 / 10.862, moved.fraction[1], moved.fraction[2]] as const,
    }
    const found = findIsometry({ ...crystal, sites: [off, ...others] }, crystal)
    expect(found?.largest).toBeCloseTo(0.05 * (63 / 64), 8)
    expect(found?.rms).toBeCloseTo((0.05 / 8) * Math.sqrt(63 / 64), 6)
  })

  it('is found where places are nearer to each other than atoms can be, as those of alternatives are', () => {
    const { lattice, sites } = CUBIC_CRYSTALS.silicon.cell
    const beside = sites.map((site) => ({ ...site, fraction: mapVector(site.fraction, (x) => x + 0.015) }))
    const crystal = { lattice, sites: [...sites, ...beside] }
    expect(findIsometry(crystal, copyOf(crystal, randomOf(8)))?.rms).toBeLessThan(1e-6)
  })

  it('is none when an atom is farther off than a tenth of an ångström', () => {
    const crystal = CUBIC_CRYSTALS['rock salt'].cell
    const [moved, ...others] = crystal.sites
    if (moved === undefined) throw new Error('rock salt has atoms')
    const off = { ...moved, fraction: [moved.fraction[0] + 0.15 / 5.64, moved.fraction[1], moved.fraction[2]] as const }
    expect(findIsometry({ ...crystal, sites: [off, ...others] }, crystal)).toBeNull()
  })

  it.each([
    { what: 'longer along one edge', by: [0, 0, 0.002, 0, 0, 0], strain: 0.002 },
    { what: 'shorter along all', by: [-0.003, -0.003, -0.003, 0, 0, 0], strain: 0.003 },
    { what: 'longer along one diagonal and shorter along the other', by: [0, 0, 0, 0.004, 0, 0], strain: 0.004 },
    { what: 'as it was', by: [0, 0, 0, 0, 0, 0], strain: 0 },
  ] as const)('tells by what share its cell is $what', ({ by, strain }) => {
    const { cell } = CUBIC_CRYSTALS['rock salt']
    expect(findIsometry(cell, turned(strained(cell, by), randomOf(12)))?.strain).toBeCloseTo(strain, 7)
  })

  it.each([
    { bound: NEAR, what: 'is near' },
    { bound: SAME, what: 'is the same' },
  ])('is found in every sample up to what $what, and not beyond', ({ bound }) => {
    const random = randomOf(11)
    const copied = (crystal: Cell, { largest, strain }: Nearness): Cell => {
      const moved = displaced(crystal, largest, random)
      return turned(inCell(strained(turned(moved, random), randomStrain(strain, random)), OBLIQUE), random)
    }
    const within = (share: number): Nearness => ({ largest: bound.largest * share, strain: bound.strain * share })
    // The least squares shift all atoms by as much as one of them is off, at the most.
    const near = { ...within(0.99), largest: bound.largest * 0.49 }
    const missed = SAMPLES.filter((name) => {
      const crystal = sample(name)
      const larger = crystal.sites.length > 12 ? crystal : supercellOf(crystal, 2)
      return !isFound(crystal, copied(crystal, near), bound) || !isFound(crystal, copied(larger, near), bound)
    })
    expect(missed).toEqual([])
    const far = SAMPLES.filter((name) => {
      const crystal = sample(name)
      return findIsometry(crystal, copied(crystal, { largest: 0, strain: bound.strain * 1.05 }), bound) !== null
    })
    expect(far).toEqual([])
  })

  it('is found where all atoms of a large cell are displaced', () => {
    const cell = supercellOf(CUBIC_CRYSTALS.silicon.cell, 3)
    const found = findIsometry(withNoise(cell, 5e-3, randomOf(3)), CUBIC_CRYSTALS.silicon.cell)
    expect(found?.handedness).toBe('same')
  })
})

const OBLIQUE = [
  [1, 0, 0],
  [1, 1, 0],
  [0, -1, 1],
] as const

/** A strain of random directions, of which the most is so much. */
function randomStrain(most: number, random: Random): readonly number[] {
  const [x, y] = [random(), random()].map((part) => (2 * part - 1) * most)
  return [most * (random() < 0.5 ? -1 : 1), x ?? 0, y ?? 0, 0, 0, 0]
}

/** Lattices, points in a cell and shares of one element, in turns. */
function turns(count: number) {
  const kinds = [FCC, BCC].flatMap((lattice) =>
    ([8, 12] as const).flatMap((points) => [0.5, 0.25].map((share) => [lattice, points, share] as const)),
  )
  return Array.from({ length: count }, (_, turn) => kinds[turn % kinds.length] as (typeof kinds)[number])
}

describe('different crystals', () => {
  it('are told apart among random orderings on one lattice, and equal ones found', () => {
    const random = randomOf(4)
    const pairs = triesOf('orderings')
    const wrong: string[] = []
    const counts = { different: 0, same: 0, leftToMapping: 0 }
    for (const [lattice, points, share] of turns(pairs)) {
      const [one, other] = [
        randomOrdering(lattice, points, share, random),
        randomOrdering(lattice, points, share, random),
      ]
      const [a, b] = [crystalOf(one), crystalOf(other)]
      const isAlike = areAlike(a, b)
      const found = isAlike && findIsometry(a, b) !== null
      const isSame = isSameOrdering(one, other)
      counts[isSame ? 'same' : 'different'] += 1
      counts.leftToMapping += isAlike && !isSame ? 1 : 0
      if (found !== isSame) wrong.push(isSame ? 'missed' : 'taken for the same')
    }
    expect(wrong).toEqual([])
    expect(counts.different).toBeGreaterThan((15 / 16) * pairs)
    expect(counts.same).toBeGreaterThan(pairs / 320)
    expect(counts.leftToMapping).toBeGreaterThan(0)
  })

  it.each([
    ['ABC', 'AB'],
    ['AB', 'ABCB'],
    ['ABC', 'ABCB'],
    ['ABCB', 'ABCACB'],
    ['ABC', 'ABCACB'],
  ])('are the polytypes %s and %s, of one element and of silicon carbide', (one, other) => {
    for (const elements of [['Co'], ['Si', 'C']] as const) {
      const [a, b] = [layered(one, elements), layered(other, elements)]
      expect(areAlike(a, b)).toBe(false)
      expect(fingerprintDistance(fingerprintOf(a), fingerprintOf(b))).toBeGreaterThan(ALIKE_SCALED)
      expect(findIsometry(a, b)).toBeNull()
    }
  })

  it('are alpha and beta quartz', () => {
    const alpha = sample('sio2-quartz')
    const [sites, third] = [[] as { element: string; fraction: readonly [number, number, number] }[], 1 / 3]
    // P6_2 22, Si on 3c and O on 6j: the atoms of alpha quartz where its two-fold axes would have them.
    for (const [x, y, z] of [
      [0.5, 0, 0],
      [0, 0.5, 2 * third],
      [0.5, 0.5, third],
    ] as const)
      sites.push({ element: 'Si', fraction: [x, y, z] })
    const x = 0.2072
    for (const [u, v, w] of [
      [x, 2 * x, 0.5],
      [-2 * x, -x, third * 2 - 0.5],
      [x, -x, (5 * third) / 2],
      [-x, -2 * x, 0.5],
      [2 * x, x, third * 2 - 0.5],
      [-x, x, (5 * third) / 2],
    ] as const) {
      sites.push({ element: 'O', fraction: [u, v, w] })
    }
    const beta = { lattice: alpha.lattice, sites }
    for (const one of [beta, mirrored(beta)]) {
      expect(areAlike(alpha, one)).toBe(false)
      expect(findIsometry(alpha, one)).toBeNull()
    }
  })

  it.each(['sio2-quartz', 'te-a8', 'se-a8'])('are the two hands of %s, which are alike in all distances', (name) => {
    const crystal = sample(name)
    const other = copyOf(mirrored(crystal), randomOf(5), { supercell: 2 })
    expect(areAlike(crystal, other, EXACTLY)).toBe(true)
    expect(findIsometry(crystal, other)).toMatchObject({ handedness: 'opposite' })
    expect(findIsometry(mirrored(crystal), other)).toMatchObject({ handedness: 'same' })
  })

  it('are those of which one has every second atom of the other', () => {
    const rows = (height: number): Cell => ({
      lattice: [
        [4, 0, 0],
        [0, 4, 0],
        [0, 0, height],
      ],
      sites: [{ element: 'Po', fraction: [0, 0, 0] }],
    })
    expect(findIsometry(rows(4), rows(2))).toBeNull()
    expect(findIsometry(rows(2), rows(4))).toBeNull()
  })

  it('are those whose elements are apart otherwise from each other, and from themselves alike', () => {
    const cubes = (place: readonly [number, number, number]): Cell => ({
      lattice: CUBIC_CRYSTALS.silicon.cell.lattice,
      sites: [
        { element: 'Cs', fraction: [0, 0, 0] },
        { element: 'Cl', fraction: place },
      ],
    })
    expect(areAlike(cubes([0.5, 0.5, 0.5]), cubes([0.5, 0.5, 0]), NEAR)).toBe(false)
    expect(areAlike(cubes([0.5, 0.5, 0]), cubes([0, 0.5, 0.5]), EXACTLY)).toBe(true)
  })

  it('are those of other elements and of other compositions', () => {
    const [salt, silicon] = [CUBIC_CRYSTALS['rock salt'].cell, CUBIC_CRYSTALS.silicon.cell]
    expect(areAlike(salt, silicon, NEAR)).toBe(false)
    expect(findIsometry(salt, silicon)).toBeNull()
    expect(findIsometry(sample('nacl-rocksalt'), sample('kcl-rocksalt'))).toBeNull()
  })
})

describe('a disordered crystal', () => {
  const alloy = (share: number): Cell => ({
    lattice: CUBIC_CRYSTALS.aluminium.cell.lattice,
    sites: CUBIC_CRYSTALS.aluminium.cell.sites.flatMap(({ fraction }) => [
      { element: 'Cu', fraction, occurrence: share },
      { element: 'Au', fraction, occurrence: 1 - share },
    ]),
  })

  it('has sites of mixtures, each one place, told apart by their shares', () => {
    expect(fingerprintOf(alloy(0.75))).toEqual(fingerprintOf(CUBIC_CRYSTALS.aluminium.cell))
    const copy = copyOf(alloy(0.75), randomOf(6), { supercell: 2 })
    expect(areAlike(alloy(0.75), copy, EXACTLY)).toBe(true)
    expect(findIsometry(alloy(0.75), copy)?.rms).toBeLessThan(1e-6)
    expect(findIsometry(alloy(0.75), alloy(0.5))).toBeNull()
    expect(areAlike(alloy(0.75), alloy(0.5), NEAR)).toBe(false)
  })
})

describe('the fingerprint', () => {
  const simpleCubic = {
    lattice: CUBIC_CRYSTALS.silicon.cell.lattice,
    sites: CUBIC_CRYSTALS.silicon.cell.sites.slice(0, 1),
  }

  it('is that of the geometry, whatever the elements and the size', () => {
    expect(
      fingerprintDistance(fingerprintOf(sample('nacl-rocksalt')), fingerprintOf(sample('mgo-rocksalt'))),
    ).toBeLessThan(1.01e-4)
    expect(fingerprintDistance(fingerprintOf(sample('nacl-rocksalt')), fingerprintOf(simpleCubic))).toBeGreaterThan(0.1)
    expect(
      fingerprintDistance(fingerprintOf(sample('c-diamond')), fingerprintOf(sample('zns-zincblende'))),
    ).toBeGreaterThan(0.1)
  })

  it('holds the mean distances to all neighbours, and to those of the own species', () => {
    const numbers = [...fingerprintOf(CUBIC_CRYSTALS['rock salt'].cell)].map((number) => number / 1e4)
    // An atom has a volume of 1: 6 at 1, 12 at the root of 2, 6 at that of 3; 12 of its own at the root of 2, 6 at 2, 6 at that of 6.
    const times = (count: number, value: number): number[] =>
      new Array(count).fill(Math.round(Math.sqrt(value) * 1e4) / 1e4)
    expect(numbers.slice(0, 12)).toEqual([...times(3, 1), ...times(6, 2), ...times(3, 3)])
    expect(numbers.slice(12)).toEqual([...times(6, 2), ...times(3, 4), ...times(3, 6)])
  })

  it('is measured in cells of any proportions', () => {
    const chain = (length: number, rows: 1 | 2) => ({
      lattice: [
        [2, 0, 0],
        [0, 3, 0],
        [0, 0, length * rows],
      ] as const,
      sites: Array.from({ length: rows }, (_, row) => ({ element: 'Fe', fraction: [0, 0, row / rows] as const })),
    })
    for (const length of [3, 40, 5000]) {
      expect(fingerprintOf(chain(length, 2))).toEqual(fingerprintOf(chain(length, 1)))
    }
  })

  it('is that of a long chain of atoms along any axis, and none where it would take minutes', () => {
    const chain = (axis: 0 | 1 | 2, width: number): Cell => {
      const edges = [width, width, width]
      edges[axis] = 10_000
      const lattice = edges.map((edge, at) =>
        [0, 1, 2].map((place) => (place === at ? edge : 0)),
      ) as unknown as Cell['lattice']
      const place = (step: number) =>
        [0, 1, 2].map((at) => (at === axis ? step / 4000 : 0)) as unknown as Cell['sites'][0]['fraction']
      return { lattice, sites: Array.from({ length: 4000 }, (_, step) => ({ element: 'C', fraction: place(step) })) }
    }
    expect(fingerprintOf(chain(0, 3))).toEqual(fingerprintOf(chain(2, 3)))
    expect(fingerprintIfAny(chain(0, 0.01))).toBeNull()
  })
})
