import type { Crystal } from '../crystal.ts'
import { reduceLattice } from '../lattice.ts'
import {
  applyToColumn,
  combineRows,
  dot,
  inverse,
  itemAt,
  length,
  type Matrix3,
  mapMatrix,
  mapVector,
  transpose,
  type Vector3,
} from '../linear-algebra.ts'
import { occupancyOf } from '../occupancy.ts'
import type { Beam } from './beam.ts'

/** Reflections that are equal by symmetry: one of them, how many there are, and what they share. */
export interface ReflectionFamily {
  /** Miller indices, referred to the index lattice. */
  readonly hkl: Vector3
  readonly multiplicity: number
  /** Distance of the lattice planes in Å. */
  readonly d: number
  /** Square of the structure factor of the small cell, in the unit of the beam's factors squared. */
  readonly squaredFactor: number
}

/** A crystal as diffraction asks for it. */
export interface DiffractingCrystal {
  /** The atoms of a cell that repeats, the smaller the better. */
  readonly cell: Pick<Crystal, 'lattice' | 'sites'>
  /** The lattice to which indices refer, in the same orientation: that of the cell, or a centred one of it. */
  readonly indexLattice: Matrix3
  /** Rotations of the crystal in whole numbers that act on columns of the index lattice; the inversion may be left out. */
  readonly rotations: readonly Matrix3[]
}

/** Finds all families of reflections whose planes are `closest` to `farthest` Å apart, in no order; centring has taken away what it does. */
export function reflectionFamilies(
  { cell, indexLattice, rotations }: DiffractingCrystal,
  { closest, farthest, beam }: { readonly closest: number; readonly farthest: number; readonly beam: Beam },
): ReflectionFamily[] {
  const visited = new Set<string>()
  const families: ReflectionFamily[] = []
  const factorOf = structureFactor(cell, beam)
  const laue = withInversion(rotations)
  for (const g of latticePoints(cell.lattice, 1 / closest)) {
    const d = 1 / length(g)
    const hkl = mapVector(applyToColumn(indexLattice, g), whole)
    if (d > farthest || visited.has(hkl.join())) continue
    // A rotation W takes a plane with the row of indices h to that with h W.
    const images = laue.map((rotation) => mapVector(combineRows(hkl, rotation), whole))
    const equal = new Map(images.map((image) => [image.join(), image]))
    for (const key of equal.keys()) visited.add(key)
    families.push({ hkl: shownOf([...equal.values()]), multiplicity: equal.size, d, squaredFactor: factorOf(g) })
  }
  return families
}

function whole(value: number): number {
  return Math.round(value) + 0
}

/** About how many reflections lie within a sphere of the reciprocal lattice, equal ones counted one by one. */
export function reflectionsWithin(volume: number, closest: number): number {
  return (4 / 3) * Math.PI * volume * closest ** -3
}

/** The vectors of the reciprocal lattice (without 2π, Å⁻¹) up to a length, but for zero. */
function* latticePoints(lattice: Matrix3, longest: number): Generator<Vector3> {
  const reciprocal = reduceLattice(transpose(inverse(lattice)))
  // No component exceeds what the vectors of the direct lattice allow: n = a · g.
  const direct = transpose(inverse(reciprocal))
  const [most, mostK, mostL] = direct.map((vector) => Math.floor(length(vector) * longest + 1e-9)) as [
    number,
    number,
    number,
  ]
  for (let h = -most; h <= most; h++) {
    for (let k = -mostK; k <= mostK; k++) {
      for (let l = -mostL; l <= mostL; l++) {
        if (h === 0 && k === 0 && l === 0) continue
        const g = combineRows([h, k, l], reciprocal)
        if (length(g) <= longest) yield g
      }
    }
  }
}

/** Makes a function that gives |F|² at a vector of the reciprocal lattice. */
function structureFactor({ lattice, sites }: DiffractingCrystal['cell'], beam: Beam): (g: Vector3) => number {
  const species = [...new Set(sites.map(beam.speciesOf))]
  const factors = species.map((name) => beam.factorOf(name) ?? NOTHING)
  const places = species.map((name) =>
    sites
      .filter((site) => beam.speciesOf(site) === name)
      .map((site) => ({ fraction: site.fraction, occupancy: occupancyOf(site) })),
  )
  return (g) => {
    const hkl = mapVector(applyToColumn(lattice, g), (value) => 2 * Math.PI * Math.round(value))
    const s = length(g) / 2
    let [real, imaginary] = [0, 0]
    for (const [index, factorAt] of factors.entries()) {
      let [cosines, sines] = [0, 0]
      for (const { fraction, occupancy } of itemAt(places, index)) {
        const phase = dot(hkl, fraction)
        cosines += occupancy * Math.cos(phase)
        sines += occupancy * Math.sin(phase)
      }
      const factor = factorAt(s)
      real += factor * cosines
      imaginary += factor * sines
    }
    return real * real + imaginary * imaginary
  }
}

const NOTHING = (): number => 0

/** Without dispersion a plane and its other side reflect alike, whether the crystal has an inversion or not. */
function withInversion(rotations: readonly Matrix3[]): readonly Matrix3[] {
  const both = rotations.flatMap((rotation) => [rotation, mapMatrix(rotation, (entry) => -entry + 0)])
  return [...new Map(both.map((rotation) => [rotation.join(), rotation])).values()]
}

/** The indices that people would write: as few minus signs as may be, then the largest first. */
function shownOf(equal: readonly Vector3[]): Vector3 {
  return equal.reduce((best, one) => (precedes(one, best) ? one : best))
}

function precedes(one: Vector3, other: Vector3): boolean {
  const negative = (hkl: Vector3) => hkl.filter((index) => index < 0).length
  const fewer = negative(one) - negative(other)
  if (fewer !== 0) return fewer < 0
  const at = one.findIndex((index, axis) => index !== other[axis])
  return at !== -1 && (one[at] ?? 0) > (other[at] ?? 0)
}
