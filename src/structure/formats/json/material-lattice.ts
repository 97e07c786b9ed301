import { isJsonObject, type JsonObject, ownField } from '../../../kernel/json.ts'
import { fractionsOf } from '../../cell.ts'
import {
  type AngleUnit,
  angstromsIn,
  type CellParameters,
  cellParameters,
  degreesIn,
  isLeftHanded,
  type LengthUnit,
} from '../../lattice.ts'
import { type Matrix3, scale, type Vector3 } from '../../linear-algebra.ts'

// Units in the JSON of a material: all who read one, as a record or as a file, ask here, and give what the schema accepts.

/** Tolerances of vectors against the lengths and angles beside them: errors of rounding to three decimals. */
const LENGTH_TOLERANCE = 0.002
const RELATIVE_LENGTH_TOLERANCE = 0.0005
const ANGLE_TOLERANCE = 0.05

/** Lengths and angles of a `lattice` object, in Å and degrees. */
export function readCell(lattice: JsonObject): CellParameters {
  const angstroms = angstromsIn(lengthUnitOf(lattice))
  const degrees = degreesIn(angleUnitOf(lattice))
  const value = (key: string, unit: number): number => Number(ownField(lattice, key)) * unit
  return {
    a: value('a', angstroms),
    b: value('b', angstroms),
    c: value('c', angstroms),
    alpha: value('alpha', degrees),
    beta: value('beta', degrees),
    gamma: value('gamma', degrees),
  }
}

/** The vectors (Å) that a `lattice` object carries; null when it has none. Without a unit of their own they are in that of the lattice. */
export function readVectors(lattice: JsonObject): Matrix3 | null {
  const vectors = ownField(lattice, 'vectors')
  if (!isJsonObject(vectors)) return null
  const unit = (ownField(vectors, 'units') as LengthUnit | undefined) ?? lengthUnitOf(lattice)
  const factor = angstromsIn(unit) * Number(ownField(vectors, 'alat') ?? 1)
  const row = (key: string): Vector3 => scale(ownField(vectors, key) as unknown as Vector3, factor)
  return [row('a'), row('b'), row('c')]
}

/** The vectors that a `lattice` object carries when they are right-handed and have its lengths and angles; else null. */
export function agreeingVectors(lattice: JsonObject): Matrix3 | null {
  const vectors = readVectors(lattice)
  if (vectors === null || isLeftHanded(vectors)) return null
  return haveCell(vectors, readCell(lattice)) ? vectors : null
}

/** Tells whether vectors have the lengths and angles of a cell, but for rounding. */
export function haveCell(vectors: Matrix3, cell: CellParameters): boolean {
  const found = cellParameters(vectors)
  const differs = (key: keyof CellParameters, tolerance: number): boolean =>
    !(Math.abs(found[key] - cell[key]) <= tolerance)
  return !(
    (['a', 'b', 'c'] as const).some((key) =>
      differs(key, Math.max(LENGTH_TOLERANCE, RELATIVE_LENGTH_TOLERANCE * found[key])),
    ) || (['alpha', 'beta', 'gamma'] as const).some((key) => differs(key, ANGLE_TOLERANCE))
  )
}

export function lengthUnitOf(lattice: JsonObject): LengthUnit {
  return (unitOf(lattice, 'length') as LengthUnit | undefined) ?? 'angstrom'
}

export function angleUnitOf(lattice: JsonObject): AngleUnit {
  return (unitOf(lattice, 'angle') as AngleUnit | undefined) ?? 'degree'
}

function unitOf(lattice: JsonObject, quantity: 'length' | 'angle') {
  const units = ownField(lattice, 'units')
  return isJsonObject(units) ? ownField(units, quantity) : undefined
}

/** Tells whether a basis gives places and not fractions. */
export function isCartesian(basis: JsonObject): boolean {
  return ownField(basis, 'units') === 'cartesian'
}

/** The coordinates of a basis as fractions of the lattice vectors (Å); Cartesian ones are in the unit of length of the lattice. */
export function basisFractions(
  coordinates: readonly Vector3[],
  vectors: Matrix3,
  { basis, lattice }: { readonly basis: JsonObject; readonly lattice: JsonObject },
): readonly Vector3[] {
  if (!isCartesian(basis)) return coordinates
  const angstroms = angstromsIn(lengthUnitOf(lattice))
  return fractionsOf(
    coordinates.map((place) => scale(place, angstroms)),
    vectors,
  )
}
