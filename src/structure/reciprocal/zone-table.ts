import type { Vector3 } from '../linear-algebra.ts'
import type { StandardLattice } from './standard-lattice.ts'

/** Points by their labels, in fractions of the reciprocal vectors of the primitive cell. */
export type SpecialPoints = Readonly<Record<string, Vector3>>

/** The paper's table of a zone: a path, whose parts `|` separates, and its points. */
export interface ZoneTable {
  readonly path: string
  readonly points: (lattice: StandardLattice) => SpecialPoints
}
