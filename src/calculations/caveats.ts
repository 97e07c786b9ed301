import type { Calculation } from './calculation.ts'

/** Charges below this, in e, are rounding. */
const LEAST_CHARGE = 1e-3

/** Why the energy of a calculation is not to be compared with those of others; null where nothing speaks against it. */
export function energyCaveat({ conditions = {}, isWhole }: Pick<Calculation, 'conditions' | 'isWhole'>): string | null {
  const { isDynamics, isDensityFixed, areElectronsLeft, charge = 0 } = conditions
  const reasons = [
    isWhole ? '' : 'The output has no end.',
    areElectronsLeft === true ? 'The electrons did not converge.' : '',
    isDensityFixed === true ? 'The density of electrons was given and kept, so that it is not self-consistent.' : '',
    Math.abs(charge) < LEAST_CHARGE ? '' : `The cell is charged: ${signed(charge)} e.`,
    isDynamics === true ? 'Atoms moved by dynamics: it is of one moment.' : '',
  ].filter((reason) => reason !== '')
  return reasons.length === 0 ? null : reasons.join(' ')
}

function signed(charge: number): string {
  const text = String(Number(charge.toFixed(3)))
  return charge > 0 ? `+${text}` : text
}
