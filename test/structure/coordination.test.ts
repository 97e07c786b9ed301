import { readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { readMaterial } from '../../src/records/kinds/material/structure-files.ts'
import { coordinationOf, MOST_COORDINATED_SITES } from '../../src/structure/coordination/coordination.ts'
import { voronoiCell } from '../../src/structure/coordination/voronoi-cell.ts'
import { type Crystal, PERIODIC } from '../../src/structure/crystal.ts'
import { FORMAT_ERRORS } from '../../src/structure/errors.ts'
import { combineRows, type Vector3 } from '../../src/structure/linear-algebra.ts'
import { findSymmetry } from '../../src/structure/symmetry/find-symmetry.ts'

/** Of every site the coordination number and the mean length of its bonds in Å, by pymatgen's CrystalNN. */
interface Reference {
  readonly sample: string
  readonly sites: readonly (readonly [coordinationNumber: number, meanLength: number | null])[]
}

const { structures } = JSON.parse(
  readFileSync(new URL('../fixtures/reference/coordination.json', import.meta.url), 'utf8'),
) as { structures: readonly Reference[] }

function sample(name: string): Crystal {
  const text = readFileSync(new URL(`../../samples/materials/${name}.json`, import.meta.url), 'utf8')
  return readMaterial({ text, format: 'material' }).crystal
}

type Cell = Pick<Crystal, 'lattice' | 'periodic' | 'sites'>

function siteBySite(cell: Cell) {
  return coordinationOf(
    cell,
    cell.sites.map((_, site) => site),
  ).map(({ bonded }) => ({
    number: bonded.length,
    mean: bonded.reduce((sum, { distance }) => sum + distance, 0) / bonded.length,
  }))
}

describe('coordination', () => {
  it('is compared for all samples', () => {
    expect(structures.length).toBe(133)
  })

  it.each(structures)('of each site of $sample is what CrystalNN has', ({ sample: name, sites }) => {
    const found = siteBySite(sample(name))
    expect(found.map(({ number }) => number)).toEqual(sites.map(([number]) => number))
    for (const [site, [, mean]] of sites.entries()) expect(found[site]?.mean).toBeCloseTo(mean ?? Number.NaN, 3)
  })

  it('of an orbit is that of each of its sites', () => {
    const crystal = sample('ca3al2si3o12-garnet')
    const symmetry = findSymmetry(crystal, 0.01)
    if (symmetry.status !== 'computed') throw new Error(symmetry.reason)
    const all = siteBySite(crystal)
    for (const { sites, bonded } of coordinationOf(crystal, symmetry.equivalentTo)) {
      expect(sites.map((site) => all[site]?.number)).toEqual(sites.map(() => bonded.length))
    }
  })

  it('does not depend on the cell that the crystal is written in', () => {
    const { lattice, periodic, sites } = sample('nacl-rocksalt')
    const [a, b, c] = lattice
    const skewed = [a, combineRows([3, 1, 0], lattice), combineRows([-2, 5, 1], lattice)] as const
    const moved = sites.map((site) => {
      const [u, v, w] = site.fraction
      // u a + v b + w c in the skewed vectors, then a whole cell away.
      const fraction: Vector3 = [u - 3 * (v - 5 * w) + 2 * w + 7, v - 5 * w - 4, w]
      return { ...site, fraction }
    })
    expect(combineRows([1, 0, 0], [a, b, c])).toEqual(a)
    const found = coordinationOf({ lattice: skewed, periodic, sites: moved }, [0, 1])
    expect(found.map(({ bonded }) => bonded.length)).toEqual([6, 6])
  })

  it('says in which cell a neighbour is, in the coordinates of the crystal', () => {
    const { lattice, periodic, sites } = sample('nacl-rocksalt')
    const away = sites.map((site, index) =>
      index === 0 ? { ...site, fraction: site.fraction.map((x) => x + 3) as unknown as Vector3 } : site,
    )
    const [first] = coordinationOf({ lattice, periodic, sites: away }, [0, 1])
    for (const { site, image, distance } of first?.bonded ?? []) {
      const [from, to] = [away[0], away[site]]
      const apart = [0, 1, 2].map(
        (axis) => (to?.fraction[axis] ?? 0) + (image[axis] ?? 0) - (from?.fraction[axis] ?? 0),
      ) as unknown as Vector3
      expect(Math.hypot(...combineRows(apart, lattice))).toBeCloseTo(distance, 9)
    }
  })

  it('of a disordered crystal is that of the species that are there most often', () => {
    const cell = sample('nacl-rocksalt')
    const [sodium, chlorine] = cell.sites
    if (sodium === undefined || chlorine === undefined) throw new Error('rock salt has two sites')
    const sites = [
      { ...sodium, element: 'K', occurrence: 0.3 },
      { ...sodium, occurrence: 0.7 },
      { ...chlorine, disorder: { assembly: 'A', group: '1' }, occurrence: 0.4 },
      { ...chlorine, element: 'Br', disorder: { assembly: 'A', group: '2' }, occurrence: 0.6 },
    ]
    const found = coordinationOf({ ...cell, sites }, [0, 1, 2, 3])
    expect(found.map(({ element, sites: of, bonded }) => [element, of, bonded.length])).toEqual([
      ['Na', [1], 6],
      ['Br', [3], 6],
    ])
    expect(new Set(found[0]?.bonded.map(({ site }) => site))).toEqual(new Set([3]))
  })

  it('has no bond to an alternative of the atom itself', () => {
    const { lattice, periodic, sites } = sample('nacl-rocksalt')
    const [sodium, chlorine] = sites
    if (sodium === undefined || chlorine === undefined) throw new Error('rock salt has two sites')
    const split = [0.03, -0.03].map((off) => ({
      ...sodium,
      occurrence: 0.5,
      fraction: [off, -off, 0] as const,
    }))
    const [first] = coordinationOf({ lattice, periodic, sites: [...split, chlorine] }, [0, 1, 2])
    expect(first?.bonded.map(({ site }) => site)).toEqual(first?.bonded.map(() => 2))
    expect(first?.bonded.length).toBeGreaterThan(3)
  })

  it('is none for an atom that is alone', () => {
    const lattice = [
      [12, 0, 0],
      [0, 12, 0],
      [0, 0, 12],
    ] as const
    const sites = [{ element: 'Ar', fraction: [0, 0, 0] as const }]
    const [alone] = coordinationOf({ lattice, periodic: PERIODIC, sites }, [0])
    expect(alone).toMatchObject({ bonded: [], likelihood: 1 })
  })

  it('is refused for more different sites than can be looked at', () => {
    const sites = Array.from({ length: MOST_COORDINATED_SITES + 1 }, () => ({
      element: 'C',
      fraction: [0, 0, 0] as const,
    }))
    const cell = { ...sample('nacl-rocksalt'), sites }
    expect(() => siteBySite(cell)).toThrow(expect.objectContaining({ code: FORMAT_ERRORS.tooManyCoordinated.code }))
  })
})

describe('a Voronoi cell', () => {
  const solid = (neighbours: readonly Vector3[]) =>
    voronoiCell(neighbours).faces.reduce((sum, { solidAngle }) => sum + solidAngle, 0)
  const octahedron = [-1, 1].flatMap((s): Vector3[] => [
    [2 * s, 0, 0],
    [0, 2 * s, 0],
    [0, 0, 2 * s],
  ])

  it('of six neighbours at right angles is a cube', () => {
    const { faces, radius } = voronoiCell(octahedron)
    expect(faces.map(({ area }) => area)).toEqual(faces.map(() => expect.closeTo(4, 9)))
    expect(faces.map(({ solidAngle }) => solidAngle)).toEqual(faces.map(() => expect.closeTo((4 * Math.PI) / 6, 9)))
    expect(radius).toBeCloseTo(Math.sqrt(3), 9)
  })

  it('has no face towards a neighbour that it only touches', () => {
    expect(voronoiCell([...octahedron, [2, 2, 0]]).faces.map(({ neighbour }) => neighbour)).not.toContain(6)
    expect(voronoiCell([...octahedron, [1.9, 1.9, 0]]).faces.map(({ neighbour }) => neighbour)).toContain(6)
  })

  it('that is closed is seen all around', () => {
    let seed = 7
    const random = () => {
      seed = (seed * 48_271) % 2_147_483_647
      return (seed / 2_147_483_647) * 12 - 6
    }
    for (let run = 0; run < 20; run++) {
      const places = Array.from({ length: 60 }, (): Vector3 => [random(), random(), random()])
      places.sort((one, other) => Math.hypot(...one) - Math.hypot(...other))
      expect(
        solid([...octahedron, ...places].sort((one, other) => Math.hypot(...one) - Math.hypot(...other))),
      ).toBeCloseTo(4 * Math.PI, 6)
    }
  })
})
