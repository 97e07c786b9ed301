import { readFileSync } from 'node:fs'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { PERIODIC } from '../../src/structure/crystal.ts'
import { latticeVectors, reduceLattice } from '../../src/structure/lattice.ts'
import {
  combineRows,
  determinant,
  length,
  type Matrix3,
  scale,
  type Vector3,
} from '../../src/structure/linear-algebra.ts'
import { isInZone, reciprocalVectors, wignerSeitzCell } from '../../src/structure/reciprocal/brillouin-zone.ts'
import { reciprocalSpace } from '../../src/structure/reciprocal/k-path.ts'
import { LATTICE_VARIATIONS } from '../../src/structure/reciprocal/lattice-variation.ts'
import { analyzeSymmetry } from '../../src/structure/symmetry/find-symmetry.ts'

/** One lattice of a variation, with its points and path as ASE has them, and lengths of the points as pymatgen has them. */
interface Reference {
  readonly variation: string
  readonly vectors: Matrix3
  readonly points: Readonly<Record<string, Vector3>>
  readonly path: string
  readonly pymatgen: { readonly path: string; readonly lengths: Readonly<Record<string, number>> } | null
}

const { lattices } = JSON.parse(
  readFileSync(new URL('../fixtures/reference/k-paths.json', import.meta.url), 'utf8'),
) as { lattices: readonly Reference[] }

function spaceOf(lattice: Matrix3) {
  const crystal = { lattice, periodic: PERIODIC, sites: [{ element: 'Po', fraction: [0, 0, 0] as Vector3 }] }
  return reciprocalSpace(analyzeSymmetry(crystal, 1e-4))
}

/** Points of the path that are farther out than the zone reaches; those beside the path may be so in the paper. */
function outside({ points, path, vectors }: ReturnType<typeof spaceOf>): readonly string[] {
  const walked = path.flat()
  const isOutside = ({ place }: (typeof points)[number]) => !isInZone(scale(place, 0.9999), vectors)
  return points.filter((point) => walked.includes(point.label) && isOutside(point)).map(({ label }) => label)
}

describe('a k-path', () => {
  it('is compared for every variation', () => {
    expect(lattices.map(({ variation }) => variation).sort()).toEqual([...LATTICE_VARIATIONS].sort())
  })

  it.each(lattices)(
    'of $variation has the points and the way that other programs have',
    ({ variation, vectors, points, path, pymatgen }) => {
      const space = spaceOf(vectors)
      expect(space.variation).toBe(variation)
      expect(space.path.map((part) => part.join(' ')).join('|')).toBe(path)
      expect(Object.keys(points).sort()).toEqual(space.points.map(({ label }) => label).sort())
      for (const { label, fraction } of space.points) {
        for (const axis of [0, 1, 2] as const)
          expect(fraction[axis], label).toBeCloseTo(points[label]?.[axis] ?? Number.NaN, 4)
      }
      if (pymatgen === null) return
      expect(pymatgen.path).toBe(path)
      const walked = space.path.flat()
      for (const { label, place } of space.points.filter(({ label }) => walked.includes(label))) {
        expect(length(place), label).toBeCloseTo(pymatgen.lengths[label] ?? Number.NaN, 4)
      }
    },
  )

  it.each(lattices)('of $variation stays within the zone, and every part of it is named', ({ vectors }) => {
    const space = spaceOf(vectors)
    const labels = space.points.map(({ label }) => label)
    expect(space.path.flat().filter((label) => !labels.includes(label))).toEqual([])
    expect(outside(space)).toEqual([])
  })
})

const edge = fc.double({ min: 2, max: 9, noNaN: true })
const anyAngle = fc.double({ min: 50, max: 130, noNaN: true })
const anyLattice = fc
  .tuple(edge, edge, edge, anyAngle, anyAngle, anyAngle)
  .map(([a, b, c, alpha, beta, gamma]) => ({ a, b, c, alpha, beta, gamma }))
  .filter(
    ({ alpha, beta, gamma }) =>
      alpha + beta + gamma < 350 && alpha + beta > gamma + 5 && beta + gamma > alpha + 5 && alpha + gamma > beta + 5,
  )
  .map(latticeVectors)

describe('a Brillouin zone', () => {
  it('has as many corners, edges and faces as a convex body, and the volume of the cell', () => {
    fc.assert(
      fc.property(anyLattice, (lattice) => {
        const { vertices, faces } = wignerSeitzCell(lattice)
        const edges = faces.reduce((sum, face) => sum + face.length, 0) / 2
        expect(vertices.length - edges + faces.length).toBe(2)
        let volume = 0
        for (const [first = 0, ...others] of faces) {
          for (const [at, corner] of others.slice(0, -1).entries()) {
            volume +=
              determinant([vertices[first], vertices[corner], vertices[others[at + 1] ?? 0]] as unknown as Matrix3) / 6
          }
        }
        expect(volume / Math.abs(determinant(lattice))).toBeCloseTo(1, 5)
      }),
      { numRuns: 100 },
    )
  })

  it('is a truncated octahedron for the face-centred lattice, a rhombic dodecahedron for the body-centred one', () => {
    const shapeOf = (name: string) => {
      const { vectors } = lattices.find(({ variation }) => variation === name) as Reference
      const { vertices, faces } = wignerSeitzCell(reciprocalVectors(vectors))
      return [
        vertices.length,
        faces
          .map((face) => face.length)
          .sort()
          .join(''),
      ]
    }
    expect(shapeOf('FCC')).toEqual([24, '44444466666666'])
    expect(shapeOf('BCC')).toEqual([14, '4'.repeat(12)])
    expect(shapeOf('CUB')).toEqual([8, '444444'])
    expect(shapeOf('HEX')).toEqual([12, '44444466'])
  })
})

describe('the primitive cell of a k-path', () => {
  it('spans the lattice that was given, whatever it is', () => {
    fc.assert(
      fc.property(anyLattice, (lattice) => {
        const { standard, cell } = spaceOf(lattice)
        expect(determinant(standard.primitive)).toBeCloseTo(Math.abs(determinant(lattice)), 4)
        expect(cell.sites).toHaveLength(1)
        expect(outside(spaceOf(lattice))).toEqual([])
      }),
      { numRuns: 100 },
    )
  })

  it('spans the lattice whose reciprocal angles are 89.994, 93.5 and 99.5 degrees, which are acute together', () => {
    const lattice: Matrix3 = [
      [6.0306612908648285, 0, -5.060325664919736],
      [1.5375419590903259, 1.8540039337879044, -0.6668359228332071],
      [0, 0, 8.155909295099175],
    ]
    expect(spaceOf(lattice).variation).toBe('TRI1b')
    expect(outside(spaceOf(lattice))).toEqual([])
  })

  it('of a cell that the tables centre on b and c is the one that they centre on a and b', () => {
    const lattice = latticeVectors({ a: 5, b: 3.2, c: 4.1, alpha: 90, beta: 90, gamma: 90 })
    const sites = [
      { element: 'Po', fraction: [0, 0, 0] as Vector3 },
      { element: 'Po', fraction: [0, 0.5, 0.5] as Vector3 },
      { element: 'O', fraction: [0.5, 0, 0.3] as Vector3 },
      { element: 'O', fraction: [0.5, 0.5, 0.8] as Vector3 },
    ]
    const symmetry = analyzeSymmetry({ lattice, sites }, 1e-4)
    const space = reciprocalSpace(symmetry)
    expect([symmetry.number, symmetry.symbol.slice(0, 1)]).toEqual([38, 'A'])
    expect([space.variation, space.cell.sites.length]).toEqual(['ORCC', 2])
    expect([space.standard.a, space.standard.b, space.standard.c].map((x) => x.toFixed(2))).toEqual([
      '3.20',
      '4.10',
      '5.00',
    ])
    expect(outside(space)).toEqual([])
  })

  it('of monoclinic lattices has its points on the zone', () => {
    const monoclinic = fc.tuple(edge, edge, edge, fc.double({ min: 91, max: 125, noNaN: true }), fc.boolean())
    fc.assert(
      fc.property(monoclinic, ([a, b, c, beta, isCentred]) => {
        const conventional = latticeVectors({ a, b, c, alpha: 90, beta, gamma: 90 })
        const centred: Matrix3 = [
          [0.5, 0.5, 0],
          [-0.5, 0.5, 0],
          [0, 0, 1],
        ].map((row) => combineRows(row as unknown as Vector3, conventional)) as unknown as Matrix3
        const space = spaceOf(isCentred ? centred : conventional)
        if (!space.variation.startsWith('MCL')) return
        const lengths = reduceLattice(isCentred ? centred : conventional).map(length)
        for (const [index, vector] of reduceLattice(space.standard.primitive).entries())
          expect(length(vector)).toBeCloseTo(lengths[index] ?? Number.NaN, 2)
        expect(outside(space), space.variation).toEqual([])
      }),
      { numRuns: 300 },
    )
  })
})
