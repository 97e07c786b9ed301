import { groupWords } from '../../../src/page/property-words.ts'
import { quantityText } from '../../properties/quantity.ts'
import type { PhaseEntry, PhasePart, PhasePoint } from './phase-diagram.ts'

/** `83.3 %` of a share. */
export function percentText(fraction: number): string {
  const percent = (fraction * 100).toFixed(1)
  return `${percent === '100.0' ? '100' : percent} %`
}

/** How far an entry is from being stable. */
export function stabilityText({ energyAboveHull, isStable }: PhaseEntry): string {
  if (energyAboveHull === 0) return 'stable'
  const above = `${quantityText(energyAboveHull, 'eV/atom')} above the hull`
  return isStable ? `${above}, called stable` : above
}

/** What an entry decomposes into; null where it is on the hull. */
export function productsOf({ energyAboveHull, decomposition }: PhaseEntry): readonly PhasePart[] | null {
  return energyAboveHull === 0 ? null : decomposition
}

/** All that a point says, for those who do not see the table. */
export function pointWords({ entry, others }: PhasePoint): string {
  const products = productsOf(entry)?.map(({ fraction, formula }) => `${percentText(fraction)} ${formula}`)
  return [
    entry.name === entry.formula ? entry.formula : `${entry.formula}, ${entry.name}`,
    `formation energy ${quantityText(entry.formationEnergy, 'eV/atom')}`,
    stabilityText(entry),
    ...(products === undefined ? [] : [`decomposes into ${products.join(' and ')}`]),
    ...(others === 0 ? [] : [`lowest of ${others + 1} of this composition`]),
  ].join('; ')
}

/** A group of energies in words. */
export function energyGroupWords(group: string): string {
  return group === '' ? 'energies of no group' : groupWords(group)
}

const REASONS: Readonly<Record<string, string>> = {
  noEnergy: 'without a total energy',
  otherGroup: 'whose energies are of another method',
  otherPotential: 'whose energies are of another potential than those of most',
  disordered: 'disordered: sites that are partly occupied or mixed',
  notCorrected: 'whose energies cannot be corrected',
  sameId: 'of the same identifier as another one',
}

/** Why materials are no entries. */
export function reasonText(reason: string): string {
  return REASONS[reason] ?? reason
}
