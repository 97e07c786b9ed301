import type { Crystal } from '../crystal.ts'
import { combineRows, inverse, type Matrix3, mapVector, type Vector3 } from '../linear-algebra.ts'
import { wrapFraction } from '../near-pairs.ts'
import type { FoundSymmetry } from '../symmetry/symmetry-report.ts'
import { reciprocalVectors, wignerSeitzCell, type ZonePolyhedron } from './brillouin-zone.ts'
import { type LatticeVariation, variationOf } from './lattice-variation.ts'
import { type StandardLattice, standardLattice } from './standard-lattice.ts'
import { specialPoints, zoneTable } from './zone-table.ts'

/** A point of the Brillouin zone that has a name. */
export interface SpecialPoint {
  /** `Γ`, `X`, `Z_1`. */
  readonly label: string
  /** In fractions of the reciprocal vectors. */
  readonly fraction: Vector3
  /** In Å⁻¹. */
  readonly place: Vector3
}

/** The reciprocal space of a crystal, for the primitive cell of Setyawan and Curtarolo. */
export interface ReciprocalSpace {
  readonly variation: LatticeVariation
  readonly standard: StandardLattice
  /** The primitive cell with its atoms. */
  readonly cell: Pick<Crystal, 'lattice' | 'sites'>
  /** With 2π, rows, Å⁻¹. */
  readonly vectors: Matrix3
  readonly zone: ZonePolyhedron
  readonly points: readonly SpecialPoint[]
  /** Labels in the order of the path; each part is a line without a jump. */
  readonly path: readonly (readonly string[])[]
}

/** Finds the Brillouin zone of a crystal and the usual path through it. */
export function reciprocalSpace({ latticeType, conventionalCell, symbol }: FoundSymmetry): ReciprocalSpace {
  const standard = standardLattice(latticeType, conventionalCell.lattice, symbol.slice(0, 1))
  const variation = variationOf(standard)
  const vectors = reciprocalVectors(standard.primitive)
  const points = Object.entries(specialPoints(variation, standard)).map(
    ([label, fraction]): SpecialPoint => ({ label, fraction, place: combineRows(fraction, vectors) }),
  )
  return {
    variation,
    standard,
    cell: sitesWithin(conventionalCell, standard.primitive),
    vectors,
    zone: wignerSeitzCell(vectors),
    points,
    path: zoneTable(variation).path,
  }
}

const SAME_FRACTION = 1e-4

/** The atoms of a cell in a smaller one of the same crystal. */
function sitesWithin(
  { lattice, sites }: Pick<Crystal, 'lattice' | 'sites'>,
  smaller: Matrix3,
): ReciprocalSpace['cell'] {
  const toSmaller = inverse(smaller)
  const kept: Crystal['sites'][number][] = []
  for (const site of sites) {
    const fraction = mapVector(combineRows(combineRows(site.fraction, lattice), toSmaller), wrapFraction)
    if (!kept.some((other) => other.element === site.element && isSame(other.fraction, fraction)))
      kept.push({ ...site, fraction })
  }
  return { lattice: smaller, sites: kept }
}

function isSame(one: Vector3, other: Vector3): boolean {
  return one.every((value, axis) => {
    const off = value - (other[axis] ?? 0)
    return Math.abs(off - Math.round(off)) < SAME_FRACTION
  })
}
