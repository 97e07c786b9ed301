import type { StructureWarning } from '../../crystal.ts'
import { itemAt, type Matrix3, type Vector3 } from '../../linear-algebra.ts'
import { ONE_SITE_ANGSTROM } from '../../near-pairs.ts'
import { occupancyOf } from '../../occupancy.ts'
import { SAME_SITE_ANGSTROM, type SymmetryOperator, snapThirds } from '../../symmetry/operator.ts'
import { type SpecialPlace, specialPlaceBeside } from '../../symmetry/special-place.ts'
import type { CifAtom } from './atoms.ts'

/** Place taken for a listed atom. */
export interface AtomPlace {
  readonly fraction: Vector3
  /** Images as near as this are one. */
  readonly sameSite: number
  /** Distance from the place in the file, in Å. */
  readonly moved: number
}

/** Images that cannot all be there are one atom up to here, which is where gemmi and others take them for one whatever they are. */
const ONE_ATOM_ANGSTROM = 0.4
/** Rounding of coordinates is no reason to change them: symmetry is found as well. */
const LEAST_MOVED_ANGSTROM = 0.002
/** Occupancies of the images of one atom that add up to more are no split position. */
const MOST_SPLIT = 1.01

/** An atom is on a special position where its images are too near to be several. Shares that fill one atom at most are a split position. */
export function placeOf(atom: CifAtom, operators: readonly SymmetryOperator[], lattice: Matrix3): AtomPlace {
  const start = atom.fraction.map(snapThirds) as unknown as Vector3
  const isSplit = ({ images }: SpecialPlace): boolean =>
    images * occupancyOf({ occurrence: atom.occupancy }) <= MOST_SPLIT
  const isAboutSymmetry = atom.disorderGroup.startsWith('-')
  const near = specialPlaceBeside(start, operators, lattice, SAME_SITE_ANGSTROM)
  if (near !== undefined && isAboutSymmetry && isSplit(near)) {
    return { fraction: start, sameSite: ONE_SITE_ANGSTROM, moved: 0 }
  }
  const unmoved = { fraction: start, sameSite: SAME_SITE_ANGSTROM, moved: 0 }
  const place =
    near === undefined || near.moved < LEAST_MOVED_ANGSTROM
      ? unmoved
      : { ...unmoved, fraction: near.fraction, moved: near.moved }
  if (isAboutSymmetry) return place
  const wide = specialPlaceBeside(place.fraction, operators, lattice, ONE_ATOM_ANGSTROM)
  if (wide === undefined || wide.moved < LEAST_MOVED_ANGSTROM || isSplit(wide)) return place
  return { ...place, fraction: wide.fraction, moved: place.moved + wide.moved }
}

const MOST_NAMES = 8

/** Says which atoms were moved, and how far. */
export function warningsOfMoved(atoms: readonly CifAtom[], places: readonly AtomPlace[]): StructureWarning[] {
  const moved = places.flatMap(({ moved: distance, fraction }, index) => {
    if (distance === 0) return []
    const { label, line } = itemAt(atoms, index)
    return [{ line, text: `${label} by ${distance.toFixed(3)} Å to ${fraction.map(print).join(', ')}` }]
  })
  const [first] = moved
  if (first === undefined) return []
  const list = moved.slice(0, MOST_NAMES).map(({ text }) => text)
  const more = moved.length > MOST_NAMES ? ` and ${moved.length - MOST_NAMES} more` : ''
  const message = `Atoms beside a special position, whose images are too near to be several atoms, are moved onto it: ${list.join('; ')}${more}.`
  return [{ code: 'moved-to-special-position', message, line: first.line }]
}

function print(x: number): string {
  return String(Number(x.toFixed(5)) + 0)
}
