import type { MoyoOperation } from '@spglib/moyo-wasm'
import type { Cell } from '../crystal.ts'
import { reduceLattice, vectorsVolume } from '../lattice.ts'
import {
  add,
  combineRows,
  cross,
  inverse,
  itemAt,
  length,
  type Matrix3,
  mapMatrix,
  minus,
  multiply,
  type Vector3,
} from '../linear-algebra.ts'
import { nearestDistance } from './find-translation.ts'
import { latticeRotations } from './lattice-rotations.ts'
import { type LikePlaces, likePlaces, MOST_COMPARISONS } from './like-places.ts'

/**
 * Tolerances by which the finder lets an atom be off: it lays one upon its like, and seeks others within two tolerances of theirs. Seen from another
 * atom that is laid upon its like, that is twice as much.
 */
const MOST_OFF = 4
/** The same of vectors of the lattice: one, of that of the reduced cells which the finder takes. */
const MOST_OFF_LATTICE = 2

/**
 * Tells whether the finder may find more operators within a greater tolerance (Å) than it has found. Where it cannot, it finds the same group: operators that hold
 * within the smaller tolerance hold within the greater.
 */
export function mayHaveFurther(cell: Cell, operations: readonly MoyoOperation[], tolerance: number): boolean {
  const lattice = reduceLattice(cell.lattice)
  const off = MOST_OFF * tolerance
  // What is nearer than half of what the cell is thick is found by rounding differences of fractions.
  if (thicknessOf(lattice) <= 2 * off) return true
  const change = multiply(cell.lattice, inverse(lattice))
  const sites = cell.sites.map((site) => ({ ...site, fraction: combineRows(site.fraction, change) }))
  const species = likePlaces({ lattice, sites }).toSorted((one, other) => one.fractions.length - other.fractions.length)
  const likes = itemAt(species, 0).fractions
  const rotations = latticeRotations(lattice, MOST_OFF_LATTICE * tolerance)
  if (species.some((places) => places.areNear(off * off))) return true
  // One atom of a species goes to itself alone, so every rotation has one translation.
  if (likes.length === 1 && rotations.length === operations.length) return false
  if (rotations.length * likes.length * sites.length > MOST_COMPARISONS) return true
  const start = itemAt(likes, 0)
  const known = translationsIn(operations, change)
  const mayHold = testFor(species, off * off)
  return rotations.some((rotation) => {
    const turned = combineRows(start, rotation)
    const translation = known.get(rotation.join())
    const image = translation === undefined ? undefined : add(turned, translation)
    return likes.some((like) => {
      const isKnown = image !== undefined && nearestDistance(like, image, lattice) <= tolerance
      return !isKnown && mayHold(rotation, minus(like, turned))
    })
  })
}

/** Å between those faces of a cell that are nearest to each other. */
function thicknessOf(lattice: Matrix3): number {
  const [a, b, c] = lattice
  return vectorsVolume(lattice) / Math.max(length(cross(a, b)), length(cross(b, c)), length(cross(c, a)))
}

/** Translations of operators in other axes, by their rotations; the change takes fractions of the old ones to those of the new ones. */
function translationsIn(operations: readonly MoyoOperation[], change: Matrix3): ReadonlyMap<string, Vector3> {
  const back = inverse(change)
  return new Map(
    operations.map(({ rotation: [xx, yx, zx, xy, yy, zy, xz, yz, zz], translation }) => {
      const rows: Matrix3 = [
        [xx, yx, zx],
        [xy, yy, zy],
        [xz, yz, zz],
      ]
      const rotation = mapMatrix(multiply(multiply(back, rows), change), (entry) => Math.round(entry) + 0)
      return [rotation.join(), combineRows(translation, change)]
    }),
  )
}

/** A test of operators: whether all atoms come near to their likes (squared: Å²). The atom that spoke against the last one is asked first. */
function testFor(species: readonly LikePlaces[], squared: number) {
  const atoms = species.flatMap((places) => places.fractions.map((fraction) => ({ places, fraction })))
  let witness = itemAt(atoms, 0)
  return ([a, b, c]: Matrix3, [tx, ty, tz]: Vector3): boolean => {
    const isNear = ({ places, fraction: [x, y, z] }: typeof witness): boolean => {
      const image: Vector3 = [
        x * a[0] + y * b[0] + z * c[0] + tx,
        x * a[1] + y * b[1] + z * c[1] + ty,
        x * a[2] + y * b[2] + z * c[2] + tz,
      ]
      return places.squaredDistance(image, squared) <= squared
    }
    if (!isNear(witness)) return false
    const against = atoms.find((atom) => !isNear(atom))
    if (against !== undefined) witness = against
    return against === undefined
  }
}
