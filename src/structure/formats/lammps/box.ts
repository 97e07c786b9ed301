import { requireCell } from '../../cell.ts'
import type { SourcePlace } from '../../errors.ts'
import { type Matrix3, minus, scale, type Vector3 } from '../../linear-algebra.ts'

/** The box of a simulation, in the units of the file. */
export interface LammpsBox {
  readonly vectors: Matrix3
  readonly origin: Vector3
}

/** The box between the lowest and the highest place along each axis, sheared by the tilts xy, xz, yz. */
export function tiltedBox(low: Vector3, high: Vector3, [xy, xz, yz]: Vector3): LammpsBox {
  const [x, y, z] = minus(high, low)
  return {
    vectors: [
      [x, 0, 0],
      [xy, y, 0],
      [xz, yz, z],
    ],
    origin: low,
  }
}

/** The lattice in Å. */
export function latticeOf({ vectors }: LammpsBox, unit: number, place: SourcePlace): Matrix3 {
  return requireCell([scale(vectors[0], unit), scale(vectors[1], unit), scale(vectors[2], unit)], place)
}

/** A place in Å from the corner of the box. */
export function placeInBox(place: Vector3, { origin }: LammpsBox, unit: number): Vector3 {
  return scale(minus(place, origin), unit)
}
