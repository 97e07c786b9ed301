import type { Conditions } from '../../calculation.ts'

/** Kinds of calculations (the variable `calculation`) that compute levels in a potential that is given. */
export const IN_A_GIVEN_POTENTIAL: ReadonlySet<string> = new Set(['nscf', 'bands'])
/** Kinds in which atoms move by dynamics. */
const DYNAMICS: ReadonlySet<string> = new Set(['md', 'vc-md'])

/** Conditions by the kind of a calculation, and by the charge that it was given, in e. */
export function conditionsOf(kind: string, charge: number | null): Conditions {
  return {
    isDynamics: DYNAMICS.has(kind),
    isDensityFixed: IN_A_GIVEN_POTENTIAL.has(kind),
    ...(charge === null ? {} : { charge }),
  }
}
