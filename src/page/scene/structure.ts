import { length, type Matrix3, type Vector3 } from './vector.ts'

/** A crystal or a molecule as it is drawn: plain data, so that it may come from a record, a file or a script. */
export interface Structure {
  /** The lattice vectors a, b and c as rows, in Å. */
  readonly lattice: Matrix3
  /** Along which of them it repeats. */
  readonly periodic: readonly [boolean, boolean, boolean]
  /** The symbol of the element of each atom. */
  readonly species: readonly string[]
  /** The place of each atom in fractions of a, b and c. */
  readonly fractions: readonly Vector3[]
  /** Mixtures on shared or partly empty sites, by index; `species` has the first of each. */
  readonly mixtures?: ReadonlyMap<number, Mixture>
  /** Basis entry of each site, from 0, where sites are shared; else the site's own index. */
  readonly entries?: readonly number[]
}

/** Shares of the species on a site, the largest first; the rest of 1 is empty. */
export type Mixture = readonly Share[]

export interface Share {
  readonly symbol: string
  readonly share: number
}

export type Axis = 0 | 1 | 2
export const AXES: readonly Axis[] = [0, 1, 2]

/** Distance of an atom from a face it is on: files have thirds with three decimals. */
const ON_FACE_ANGSTROM = 0.05

/** `ON_FACE_ANGSTROM` in fractions of a, b and c. */
export function faceTolerances({ lattice }: Structure): Vector3 {
  const [a, b, c] = lattice
  return [ON_FACE_ANGSTROM / length(a), ON_FACE_ANGSTROM / length(b), ON_FACE_ANGSTROM / length(c)]
}

/** The same structure with its atoms in the cell at the origin, where it repeats; what is on a face is on the lower one. */
export function wrapped(structure: Structure): Structure {
  const tolerances = faceTolerances(structure)
  const along = (fraction: Vector3, axis: Axis): number => {
    const value = fraction[axis]
    return structure.periodic[axis] ? value - Math.floor(value + tolerances[axis]) : value
  }
  const fractions = structure.fractions.map((f): Vector3 => [along(f, 0), along(f, 1), along(f, 2)])
  return { ...structure, fractions }
}
