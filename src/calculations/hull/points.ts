/** Points of composition and energy in whole numbers, which predicates over them are exact in. */
export interface HullPoints {
  /** Numbers of a point's composition: the elements. */
  readonly dimension: number
  readonly count: number
  /** Amounts of the elements, point after point. */
  readonly amounts: Float64Array
  /** The same as `amounts`. */
  readonly exactAmounts: readonly (readonly bigint[])[]
  /** Sums of the amounts. */
  readonly atoms: readonly bigint[]
  /** Energy of the amounts together. */
  readonly energies: readonly bigint[]
  /** The same as `energies`, each to half a unit in the last place. */
  readonly roundedEnergies: Float64Array
}

/** Steps of one eV/atom that energies are rounded to: 2^-40 eV is 1e-12 eV, far below the 1e-8 eV that programs print. */
const STEPS = 2 ** 40

/** An energy in steps of 2^-40 eV. */
export function stepsOf(energy: number): number {
  return Math.round(energy * STEPS) + 0
}

/** A point by whole amounts, and its energy for each atom in steps. */
export interface Point {
  readonly amounts: readonly number[]
  readonly steps: number
}

export function pointsOf(points: readonly Point[], dimension: number): HullPoints {
  const exactAmounts = points.map(({ amounts }) => amounts.map(BigInt))
  const atoms = exactAmounts.map((amounts) => amounts.reduce((sum, amount) => sum + amount, 0n))
  const energies = points.map(({ steps }, index) => BigInt(steps) * (atoms[index] ?? 0n))
  return {
    dimension,
    count: points.length,
    amounts: Float64Array.from(points.flatMap(({ amounts }) => amounts)),
    exactAmounts,
    atoms,
    energies,
    roundedEnergies: Float64Array.from(energies, Number),
  }
}
