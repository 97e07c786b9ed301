/** One bohr in Å (CODATA 2018). */
export const ANGSTROM_PER_BOHR = 0.529177210903

/** One dalton per Å³ in g/cm³ (CODATA 2018). */
export const GRAM_PER_CM3_OF_DALTON_PER_ANGSTROM3 = 1.6605390666

export type LengthUnit = 'angstrom' | 'bohr'
export type AngleUnit = 'degree' | 'radian'

/** Å in one unit of length. */
export function angstromsIn(unit: LengthUnit): number {
  return unit === 'bohr' ? ANGSTROM_PER_BOHR : 1
}

/** Degrees in one unit of angle. */
export function degreesIn(unit: AngleUnit): number {
  return unit === 'radian' ? 180 / Math.PI : 1
}
