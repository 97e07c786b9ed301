import type { OrderedTerms } from '../chemistry/ordered-approximant.ts'
import type { Matrix3, Vector3 } from '../linear-algebra.ts'
import type { StandardCellName } from '../symmetry/standard-cell.ts'

/** Supercell by how often each lattice vector is repeated, or by rows: each new vector as whole multiples of the old ones. */
export type SupercellTerms = { readonly size: Vector3 } | { readonly matrix: Matrix3 }

export interface StandardCellTerms {
  readonly cell: StandardCellName
  /** Largest distance of atoms from where symmetry wants them, in Å; that of the server where nothing is said. */
  readonly tolerance?: number
}

export interface SlabTerms {
  /** Miller indices of the surface, of the cell that the step is given; without a common divisor. */
  readonly miller: Vector3
  /** Repeats of the smallest period along the normal, each of which has the composition of the crystal. */
  readonly layers?: number
  /** Least distance from the lowest to the highest atom, in Å, in place of `layers`. */
  readonly thickness?: number
  /** Distance from the highest atom to the lowest of the next image, in Å. */
  readonly vacuum: number
  /** Number of one of the distinct terminations, from 0. */
  readonly termination: number
  /** Whether half of the vacuum is below the slab; else the lowest atom is at height 0. */
  readonly centred: boolean
}

/** Other elements in the place of those that are there: by element, at all sites or some; or at some sites whatever is there. */
export type SubstitutionTerms =
  | { readonly elements: Readonly<Record<string, string>>; readonly sites?: readonly number[] }
  | { readonly sites: readonly number[]; readonly with: string }

export interface VacancyTerms {
  /** Places of sites in the list, from 0. */
  readonly sites: readonly number[]
}

/** Strain in Voigt's order (xx, yy, zz, yz, xz, xy; shears as angles, twice the tensor's), a deformation matrix, or percent of all lengths. */
export type StrainTerms =
  | { readonly voigt: readonly number[] }
  | { readonly deformation: Matrix3 }
  | { readonly percent: number }

/** One step of a build; plain data, which a record keeps as what it was made with. */
export type BuildStep =
  | { readonly supercell: SupercellTerms }
  | { readonly standardCell: StandardCellTerms }
  | { readonly slab: SlabTerms }
  | { readonly substitution: SubstitutionTerms }
  | { readonly vacancy: VacancyTerms }
  | { readonly ordered: OrderedTerms }
  | { readonly strain: StrainTerms }

/** Limits and defaults of steps. */
export const BUILD_LIMITS = {
  steps: 20,
  /** Largest entry of a supercell's size or matrix. */
  repeats: 100,
  millerIndex: 20,
  layers: 200,
  thickness: { least: 0.1, most: 500 },
  vacuum: { least: 1, most: 200, usual: 15 },
  /** Largest share by which a length or an angle changes. */
  strain: 0.5,
  deformation: 2,
} as const
