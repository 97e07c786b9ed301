import { wyckoff_positions } from '@spglib/moyo-wasm'
import { AXES, type Vector3 } from '../linear-algebra.ts'
import { imageOf, parseOperator, type SymmetryOperator } from './operator.ts'

/** Places of a space group that its operators take to as many images, and that have the same symmetry. */
export interface WyckoffPosition {
  readonly letter: string
  /** Number of its sites in the conventional cell. */
  readonly multiplicity: number
  /** `.3m` */
  readonly siteSymmetry: string
  /** Takes any three numbers to a place of the position: `x,1/4,z`. */
  readonly place: SymmetryOperator
}

/** Lists the positions of a setting by its Hall number; needs the symmetry finder to be loaded. */
export function wyckoffPositions(hallNumber: number): readonly WyckoffPosition[] {
  return wyckoff_positions(hallNumber).map(({ letter, multiplicity, site_symmetry, coordinates }) => {
    const place = parseOperator(coordinates)
    if (place === undefined) throw new Error(`the finder has a malformed position: ${coordinates}`)
    return { letter, multiplicity, siteSymmetry: site_symmetry, place }
  })
}

/** Numbers that make no place of a position a more special one. */
const ANY_PLACE: Vector3 = [0.1234, 0.2718, 0.3537]
const SAME_COORDINATE = 1e-6

/** A place that is of the position and of none with more symmetry. */
export function anyPlaceOf({ place }: WyckoffPosition): Vector3 {
  return imageOf(ANY_PLACE, place)
}

/** Tells whether operators take a place to one of the position; its coordinates have to be free each by itself, as on axes that are not equivalent. */
export function hasPlace({ place }: WyckoffPosition, at: Vector3, operators: readonly SymmetryOperator[]): boolean {
  const fixed = AXES.filter((axis) => place.rotation[axis].every((factor) => factor === 0))
  return operators.some((operator) => {
    const image = imageOf(at, operator)
    return fixed.every((axis) => {
      const off = image[axis] - place.translation[axis]
      return Math.abs(off - Math.round(off)) < SAME_COORDINATE
    })
  })
}
