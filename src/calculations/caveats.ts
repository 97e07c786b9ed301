import type { Calculation, Result } from './calculation.ts'

/** Charges below this, in e, are rounding. */
const LEAST_CHARGE = 1e-3

/** Results that a density of electrons that is kept gives wrongly, for all others are of its levels. */
const OF_THE_DENSITY: ReadonlySet<string> = new Set([
  'total_energy',
  'total_energy_contributions',
  'atomic_forces',
  'total_force',
  'stress_tensor',
  'pressure',
])
const KEPT_DENSITY = 'The density of electrons was given and kept, so that it is not self-consistent.'

/** Results with why they are not to be compared with those of other calculations. What tells of the way to them has no caveat. */
export function withCaveats(calculation: Calculation): readonly Result[] {
  const ofAll = reasonsOf(calculation)
  const isDensityFixed = calculation.conditions?.isDensityFixed === true
  return calculation.results.map((result) => {
    if (result.name.startsWith('convergence_')) return result
    const ofDensity = isDensityFixed && OF_THE_DENSITY.has(result.name) ? [KEPT_DENSITY] : []
    const reasons = [...ofAll, ...ofDensity, ...(result.caveat === undefined ? [] : [result.caveat])]
    return reasons.length === 0 ? result : { ...result, caveat: reasons.join(' ') }
  })
}

/** Reasons why all results are others than those of a neutral structure that is left to itself. */
function reasonsOf({ conditions = {}, isWhole }: Calculation): readonly string[] {
  const { isDynamics, areElectronsLeft, charge = 0 } = conditions
  return [
    isWhole ? '' : 'The output has no end.',
    areElectronsLeft === true ? 'The electrons did not converge.' : '',
    Math.abs(charge) < LEAST_CHARGE ? '' : `The cell is charged: ${signed(charge)} e.`,
    isDynamics === true ? 'Atoms moved by dynamics: it is of one moment.' : '',
  ].filter((reason) => reason !== '')
}

function signed(charge: number): string {
  const text = String(Number(charge.toFixed(3)))
  return charge > 0 ? `+${text}` : text
}
