import type { JsonObject } from '../kernel/json.ts'
import { invertAxes, isLeftHanded } from './lattice.ts'
import { combineRows, inverse, type Matrix3, type Vector3 } from './linear-algebra.ts'

/** Atoms of one assembly and of different groups are never there at the same time: the names of CIF. */
export interface DisorderGroup {
  readonly assembly: string
  readonly group: string
}

/** Details of the atom on a site, beside element and place. */
export interface Occupancy {
  /** In which share of the cells the atom is there; absent means in all. */
  readonly occurrence?: number
  readonly oxidationState?: number
  /** The mass number, where it is not the natural mixture. */
  readonly isotope?: number
  readonly disorder?: DisorderGroup
  /** The magnetic moment in Bohr magnetons, Cartesian, in the frame of the lattice vectors. */
  readonly moment?: Vector3
}

/** One species at a place, given as fractions of the three lattice vectors: species that share a site are as many of these at one place. */
export interface CrystalSite extends Occupancy {
  readonly element: string
  readonly fraction: Vector3
  /** Name of the atom in the file (`Fe1`), for messages and for writing; it carries no chemistry. */
  readonly label?: string
  /** Tells apart species of one element, as Quantum ESPRESSO's `Fe1` and `Fe2` do. */
  readonly speciesTag?: number
  /** For each lattice direction whether the atom may move in a relaxation; absent means that it may. */
  readonly movable?: readonly [boolean, boolean, boolean]
}

/** Assumption or omission of a reader. */
export interface StructureWarning {
  /** Kebab-case and stable, for programs. */
  readonly code: string
  readonly message: string
  /** Counted from 1. */
  readonly line?: number
  /** Present where nothing had to be assumed, and nothing of the structure is left out. */
  readonly severity?: 'info'
}

/** What a file says beside the structure, and no reader has used. */
export interface Rest {
  /** By the names of the file. */
  readonly values: JsonObject
  /** Names, with the number of values, of what cannot be kept: `forces (2 × 3)`. */
  readonly leftOut: readonly string[]
}

/** A crystal or molecule as every format is read into and written from; all lengths are ångström. */
export interface Crystal {
  readonly title: string
  /** The lattice vectors a, b, c as rows. A molecule has a box that encloses it. */
  readonly lattice: Matrix3
  /** Along which lattice vectors the structure repeats; a molecule repeats along none. */
  readonly periodic: readonly [boolean, boolean, boolean]
  readonly sites: readonly CrystalSite[]
  readonly warnings: readonly StructureWarning[]
  /** Entry of the Inorganic Crystal Structure Database that the file names. */
  readonly icsdId?: number
  /** Number of the space group that the file says. */
  readonly declaredGroup?: number
  /** What the file says beside. */
  readonly rest?: Rest
}

/** A structure as far as it does not matter in which directions it repeats. */
export type Cell = Pick<Crystal, 'lattice' | 'sites'>

/** The atoms of a structure, whatever else is known of it. */
export type Atoms = Pick<Crystal, 'lattice' | 'periodic' | 'sites'>

export interface StructureLimits {
  /** Characters of the text. */
  readonly textLength: number
  /** Atoms after symmetry has been applied. */
  readonly atoms: number
}

export const DEFAULT_LIMITS: StructureLimits = { textLength: 10 * 1024 * 1024, atoms: 10_000 }

export interface ReadOptions {
  readonly limits?: StructureLimits | undefined
  /** Index of the structure to take, from 0, from the end where negative; the first when left out. */
  readonly frame?: number | undefined
}

/** Tells whether a structure repeats in no direction. */
export function isMolecule(crystal: Pick<Crystal, 'periodic'>): boolean {
  return !crystal.periodic.includes(true)
}

export const PERIODIC: Crystal['periodic'] = [true, true, true]
export const NOT_PERIODIC: Crystal['periodic'] = [false, false, false]

/** One atom of a basis; `label` tells atoms of one element apart (Fe1 and Fe2 of two spins) and is empty without one. */
export interface Site extends Occupancy {
  readonly element: string
  readonly label: string
  /** Fractions of a, b and c. */
  readonly fraction: Vector3
}

/** Converts fractions of the lattice vectors (rows, Å) to Cartesian coordinates in Å. */
export function toCartesian(fractions: readonly Vector3[], vectors: Matrix3): Vector3[] {
  return fractions.map((fraction) => combineRows(fraction, vectors))
}

/** Converts Cartesian coordinates (in the unit of the lattice vectors, rows) to fractions of these vectors. */
export function toCrystal(positions: readonly Vector3[], vectors: Matrix3): Vector3[] {
  const inverted = inverse(vectors)
  return positions.map((position) => combineRows(position, inverted))
}

const NAMES = ['a', 'b', 'c']

/** Tells whether a structure repeats along one or two of its lattice vectors only. */
export function repeatsInPart({ periodic }: Pick<Crystal, 'periodic'>): boolean {
  return periodic.includes(true) && periodic.includes(false)
}

/** Says along what a structure repeats: `along a and b only`, `along none`. */
export function describeDirections(periodic: Crystal['periodic']): string {
  const names = NAMES.filter((_, axis) => periodic[axis])
  if (names.length === NAMES.length) return 'along all three lattice vectors'
  return names.length === 0 ? 'along none' : `along ${names.join(' and ')} only`
}

/** Reverses vectors and fractions of a left-handed cell: of lengths and angles alone it would be read as its mirror image. */
export function rightHanded(crystal: Crystal): Crystal {
  if (!isLeftHanded(crystal.lattice)) return crystal
  return {
    ...crystal,
    lattice: invertAxes(crystal.lattice),
    sites: crystal.sites.map((site) => {
      const [x, y, z] = site.fraction
      return { ...site, fraction: [0 - x, 0 - y, 0 - z] }
    }),
  }
}
