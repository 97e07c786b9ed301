import type { JsonObject } from '../../../kernel/json.ts'
import type { Result } from '../../calculation.ts'

/** Names of contributions to the energy, by the words of pw.x in its text and in its XML. */
const CONTRIBUTIONS: ReadonlyMap<string, string> = new Map([
  ['one-electron contribution', 'oneElectron'],
  ['hartree contribution', 'hartree'],
  ['xc contribution', 'exchangeCorrelation'],
  ['ewald contribution', 'ewald'],
  ['hubbard energy', 'hubbard'],
  ['smearing contrib. (-ts)', 'smearing'],
  ['dispersion correction', 'dispersion'],
  ['dispersion xdm correction', 'dispersion'],
  ['dft-d3 dispersion', 'dispersion'],
  ['one-center paw contrib.', 'oneCenterPaw'],
  ['electric field correction', 'electricField'],
  ['gate field correction', 'gateField'],
  ['external forces energy', 'externalForces'],
  ['ehart', 'hartree'],
  ['etxc', 'exchangeCorrelation'],
  ['demet', 'smearing'],
  ['vdw_term', 'dispersion'],
  ['efieldcorr', 'electricField'],
  ['gatefield_contr', 'gateField'],
])

/** The name of a contribution: that of the field, else the words of the program in camel case. */
export function contributionName(words: string): string {
  const known = CONTRIBUTIONS.get(words.trim().toLowerCase().replace(/\s+/g, ' '))
  if (known !== undefined) return known
  const [first = '', ...others] = words
    .toLowerCase()
    .split(/[^a-z0-9]+/)
    .filter((word) => word !== '')
  return `${first}${others.map((word) => `${word.charAt(0).toUpperCase()}${word.slice(1)}`).join('')}`
}

/** Contributions to the energy, in eV. */
export function contributionsResult(values: ReadonlyMap<string, number>): readonly Result[] {
  if (values.size === 0) return []
  const named = [...values].map(([name, value]) => [name, { name, value }] as const)
  const data: JsonObject = { ...Object.fromEntries(named), units: 'eV' }
  return [{ name: 'total_energy_contributions', data }]
}

/** A step of a relaxation or of molecular dynamics; in eV and eV/Å. */
export interface RelaxationStep {
  readonly energy: number
  /** Length of the largest force on an atom. */
  readonly maxForce?: number
}

/** Energies of the steps, where there is more than one. */
export function ionicResult(steps: readonly RelaxationStep[]): readonly Result[] {
  if (steps.length < 2) return []
  const data = steps.map(({ energy, maxForce }) => ({ energy, ...(maxForce === undefined ? {} : { maxForce }) }))
  return [{ name: 'convergence_ionic', data: { data, units: 'eV' } }]
}
