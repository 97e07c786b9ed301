import type { Json } from '../../../kernel/json.ts'
import { type Result, scalar } from '../../calculation.ts'

/** Names of contributions as clients have them, by those of vasprun.xml. Others are called as the output calls them. */
const CONTRIBUTIONS: Readonly<Record<string, string>> = {
  ewald: 'ewald',
  hartreedc: 'hartree',
  XCdc: 'exchangeCorrelation',
  exhf: 'exchange',
  eentropy: 'smearing',
  bandstr: 'eigenvalues',
  atom: 'atomicEnergy',
  pawpsdc: 'PAWDoubleCounting2',
  pawaedc: 'PAWDoubleCounting3',
  e_fr_energy: 'freeEnergy',
  e_wo_entrp: 'withoutEntropy',
}

/** Energies in eV by the names of vasprun.xml; null for one that is no number. */
export type Energies = ReadonlyMap<string, number | null>

/** Decimals of energies in outputs. */
const DECIMALS = 1e8
/** Differences that are not rounding, in eV. */
const TELLING = 1e-7
/** Smallest part that is told, in eV: some versions round the energy at the end of a step to six decimals. */
const LEAST_ADDED = 1e-5

/**
 * Energy without smearing (`e_0_energy`) of a step, in eV; null where it is not said. Versions from 5.2 to 6 write another number at the end of a step
 * (vasp.at, forum, topic 16942): then the free energy there and the difference in the last electronic step make it, as in pymatgen.
 */
export function totalEnergyOf(end: Energies, lastElectronic: Energies | undefined): number | null {
  const energy = end.get('e_0_energy') ?? null
  const free = end.get('e_fr_energy')
  const [electronic, electronicFree] = [lastElectronic?.get('e_0_energy'), lastElectronic?.get('e_fr_energy')]
  if (!isNumber(free) || !isNumber(electronic) || !isNumber(electronicFree)) return energy
  const made = Math.round((electronic - electronicFree + free) * DECIMALS) / DECIMALS
  return energy === null || Math.abs(energy - made) > TELLING ? made : energy
}

/** Part of the free energy that no electronic step has, in eV: a correction for dispersion, or the work against a pressure; 0 where there is none. */
export function addedAfterElectrons(end: Energies, lastElectronic: Energies | undefined): number {
  const [free, electronic] = [end.get('e_fr_energy'), lastElectronic?.get('e_fr_energy')]
  if (!isNumber(free) || !isNumber(electronic)) return 0
  const added = Math.round((free - electronic) * DECIMALS) / DECIMALS
  return Math.abs(added) > LEAST_ADDED ? added : 0
}

/** Total energy, and what it is made of: terms of the last electronic step, and those at the end of the ionic step. */
export function energyResults(total: number | null, terms: Energies): readonly Result[] {
  const contributions: Record<string, Json> = {}
  for (const [name, value] of terms) {
    if (name === 'e_0_energy' || !isNumber(value)) continue
    const called = Object.hasOwn(CONTRIBUTIONS, name) ? (CONTRIBUTIONS[name] ?? name) : camelCase(name)
    if (called !== '') contributions[called] = { name: snakeCase(called), value }
  }
  const results = total === null ? [] : [scalar('total_energy', total, 'eV')]
  if (Object.keys(contributions).length === 0) return results
  return [...results, { name: 'total_energy_contributions', data: { ...contributions, units: 'eV' } }]
}

function isNumber(value: number | null | undefined): value is number {
  return typeof value === 'number'
}

/** `lattice kinetic` as `latticeKinetic`. */
function camelCase(name: string): string {
  const [first = '', ...others] = name.split(/[^A-Za-z0-9]+/).filter((word) => word !== '')
  return first + others.map((word) => word.charAt(0).toUpperCase() + word.slice(1)).join('')
}

/** `exchangeCorrelation` as `exchange_correlation`; a name in capitals stays. */
function snakeCase(name: string): string {
  return name.replace(/([a-z])([A-Z])/g, '$1_$2').toLowerCase()
}
