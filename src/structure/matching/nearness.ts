/** Deviations of crystals laid upon each other. */
export interface Nearness {
  /** No atom is farther than this from the one that it is laid upon (Å), the strain aside. */
  readonly largest: number
  /** No direction of the lattice is longer or shorter than the other's by more than this share. */
  readonly strain: number
}

/** Limits for a list of same crystals, which states their deviations. */
export const NEAR: Nearness = { largest: 0.1, strain: 0.01 }

/**
 * Limits of sameness without anybody judging: what three decimals of a cell, or of fractions in one of 20 Å, leave open, and
 * less than what two relaxations with different functionals differ by (0.5 % and more).
 */
export const SAME: Nearness = { largest: 0.02, strain: 0.001 }

/** Whether one is as near as the other, at least. */
export function isAsNear(one: Nearness, other: Nearness): boolean {
  return one.largest <= other.largest && one.strain <= other.strain
}

/** Greatest difference (Å) of a distance in two crystals that are so near: both ends move, and what is between them is strained. */
export function distanceMayDiffer(distance: number, { largest, strain }: Nearness): number {
  return 2 * largest + strain * distance
}

/** Greatest difference of volumes of crystals so near, as a share, with something to spare. */
export function volumeMayDiffer({ strain }: Nearness): number {
  return 4 * strain
}
